"""One small program for each of the eleven workflows of tasks: what is kept, what is asked, and what a model
would be given.

    python examples/workflows.py            all of them
    python examples/workflows.py plan       one

Each works in a store of its own in a temporary folder. No model is called: `prompt` prints what it would
read.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from daypack import Daypack, DaypackAssembleRequest, DaypackPolicy, DaypackSourceCreate
from daypack.doors.sources import RetrieveRequest, TaskEnvelope, serialize

PAY = Path(__file__).parent / "pay"


def keep(dp: Daypack, key: str, text: str, kind: str = "research_finding", **facts: object) -> None:
    dp.sources.upsert(key, DaypackSourceCreate(text, kind, "user", **facts))  # type: ignore[arg-type]


def ask(dp: Daypack, request: str, **facts: object) -> TaskEnvelope:
    return dp.tasks.envelope(DaypackAssembleRequest(request, **facts))  # type: ignore[arg-type]


def prompt(task: TaskEnvelope) -> str:
    """An envelope as a model reads it."""
    liked = {**task.preferences.levels, **task.preferences.style} if task.preferences else {}
    lines = [
        f"Task ({task.intent.workflow}): {task.request.query_text}",
        f"Goal: {task.intent.goal}",
        *(f"Constraint: {one.text}" for one in task.intent.constraints),
        *(f"Preference: {name} {one.value}" for name, one in liked.items()),
        *(f"Include: {text}" for text in task.must_include),
        *(f"Avoid: {text}" for text in task.must_avoid),
        "",
        task.assembly.context_text,
    ]
    return "\n".join(lines)


def reply(dp: Daypack) -> None:
    """An answer in the voice of the user, which an earlier letter taught."""
    keep(dp, "lease", "The lease of pier four ends in May; the harbour office renews it for two years.")
    dp.tasks.learn("Dear Ms Lind,\nin short: we renew. Never promise a date.\nKind regards", workflow="reply")
    print(prompt(ask(dp, "Reply to the tenant about the lease of pier four in at most three sentences")))


def rewrite(dp: Daypack) -> None:
    """Other words for a text that is kept; what the caller knows is declared, not guessed."""
    keep(
        dp,
        "notice",
        "Berth 7 is closed. Do not enter. Violators will be towed.",
        "assistant_answer",
        title="Notice at berth 7",
    )
    task = ask(
        dp,
        "the notice at berth 7",
        intent_data={"workflow": "rewrite", "constraints": ["friendly", "one sentence"]},
    )
    print(prompt(task))


def code(dp: Daypack) -> None:
    """What was decided, from the sources, and the code itself, from the files: two budgets, one prompt."""
    keep(dp, "decision", "Refund retries keep their idempotency key.", "decision_outcome")
    dp.files.add(PAY / "src")
    task = ask(dp, "fix the bug in the function that retries refunds", token_budget=200)
    print(prompt(task))
    print(dp.pack(task.intent.subject, budget=600, source="src/").text)


def draft(dp: Daypack) -> None:
    """A first version by a hosted model, which gets only what may leave the machine."""
    keep(dp, "salary", "The captain of the ferry earns 5,200 a month.")
    keep(
        dp,
        "timetable",
        "The ferry leaves at six and at nine.",
        policy=DaypackPolicy(allow_remote_model_egress=True),
    )
    task = ask(dp, "draft a notice on the ferry", model_target="hosted")
    print(prompt(task))
    print("kept here:", dict(task.assembly.retrieval.excluded))


def summarize(dp: Daypack) -> None:
    """The essence of imported files."""
    imported = dp.sources.import_path(
        PAY / "docs", DaypackSourceCreate(kind="evidence_summary", scope="user"), recursive=True
    )
    task = ask(dp, "summarize how refunds are retried", token_budget=600)
    print(
        len(imported.stored),
        "files;",
        [item.source_key.rpartition("/")[2] for item in task.source_references],
    )
    print(*(f"- {text}" for _, text in task.context_summary), sep="\n")


def research(dp: Daypack) -> None:
    """What is known and from where, with every part of each score."""
    keep(dp, "tides", "Spring tides at pier four rise 4.1 m.", tags=("tides",))
    keep(dp, "survey", "A survey of 2024 found neap tides of 1.9 m.", "research_report", tags=("tides",))
    task = ask(dp, "what do we know about tides at pier four?", ranking="weighted", tags=("tides",))
    for item in task.source_references:
        print(
            f"{item.score:.3f}",
            item.source_key,
            {name: round(share, 3) for name, share in item.parts.items()},
        )


def analyze(dp: Daypack) -> None:
    """Why something is as it is, and why each source is in the context or not."""
    keep(dp, "sales", "Ticket sales of the ferry fell by a third in June.")
    keep(dp, "storm", "In June the ferry stood still for nine days after the storm.")
    keep(dp, "storm-again", "In June the ferry stood still for nine days after the storm!")
    task = ask(dp, "analyze why ticket sales of the ferry fell in June")
    for row in serialize.selection_to_dict(task.assembly)["items"]:
        print(row["selected"], row["source_key"], row["selection_reason"])


def extract(dp: Daypack) -> None:
    """Values of structured data, found by the paths of their fields."""
    lease = {
        "title": "Lease of pier four",
        "parties": [{"name": "Aalto Oy"}, {"name": "Harbour Ltd"}],
        "notice_days": 90,
    }
    keep(dp, "lease", "", structured_data=lease)
    task = ask(dp, "extract all parties of the lease as json")
    fields = [one for item in task.source_references for one in item.record.structured_fields]
    print(
        [one.value_text for one in fields if one.path.startswith("parties")],
        [one.text for one in task.intent.constraints],
    )


def plan(dp: Daypack) -> None:
    """Steps in order, with what was decided as a constraint."""
    keep(dp, "goal", "Move the ferry office to pier nine by October.", "user_prompt")
    keep(dp, "rule", "The ferry office never closes on a weekday.", "decision_outcome")
    keep(dp, "room", "Pier nine has room for an office of twelve.", "evidence_summary")
    task = ask(dp, "plan the move of the ferry office to pier nine")
    print({section.name: [item.source_key for item in section.items] for section in task.assembly.sections})


def decide(dp: Daypack) -> None:
    """A recommendation from what is known, kept as an outcome that the next decision finds."""
    keep(dp, "offer-a", "Crane vendor Aalto asks 90,000 and delivers in May.")
    keep(dp, "offer-b", "Crane vendor Berg asks 80,000 and delivers in November.")
    print(prompt(ask(dp, "which crane vendor do you recommend?")))
    keep(dp, "crane", "The crane is bought from Aalto, because of the date.", "decision_outcome")
    print([item.source_key for item in ask(dp, "should we buy a crane from Berg?").source_references])


def update_record(dp: Daypack) -> None:
    """The next version of a record; the one before stays readable, and is no longer found."""
    keep(dp, "tom", "Tom's phone number is 5550.", "user_profile_note")
    task = ask(dp, "update Tom's phone number to 5551")
    (found,) = task.source_references
    done = dp.sources.upsert(
        found.source_key, DaypackSourceCreate("Tom's phone number is 5551.", "user_profile_note", "user")
    )
    before = dp.sources.get(done.record.previous_record_id)
    print(f"{before.text} -> {done.record.text} (version {done.record.source_version})")
    print([item.text for item in dp.sources.retrieve(RetrieveRequest("Tom's phone number")).items])


WORKFLOWS: dict[str, Callable[[Daypack], None]] = {
    one.__name__: one
    for one in (
        reply,
        rewrite,
        code,
        draft,
        summarize,
        research,
        analyze,
        extract,
        plan,
        decide,
        update_record,
    )
}


def main(names: list[str]) -> None:
    for name in names or WORKFLOWS:
        print(f"== {name}: {(WORKFLOWS[name].__doc__ or '').splitlines()[0]}\n")
        with tempfile.TemporaryDirectory() as folder, Daypack.open(Path(folder) / ".daypack", root=PAY) as dp:
            WORKFLOWS[name](dp)
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
