"""What a request is taken for, and the envelope that goes to a model with it."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.sources.rules import intent_words
from daypack.doors.sources.tasks import serialize as task_data
from daypack.doors.sources.tasks.rules import intent_of, rules, workflows
from daypack.doors.sources.types import AssembleRequest, RetrieveRequest, SourceDraft, SourcePolicy
from daypack.errors import InputError
from support import Clock

REQUESTS = [
    ("reply", "Reply to Ms Lind and tell her the lease ends in May"),
    ("reply", "could you please get back to the harbour office about the invoice?"),
    ("reply", "write a short reply to this complaint"),
    ("reply", "I need a response to the auditor's letter"),
    ("rewrite", "Rewrite this email so it sounds more formal"),
    ("rewrite", "can you fix the grammar in this paragraph"),
    ("rewrite", "please make this shorter"),
    ("rewrite", "translate the notice to German"),
    ("code", "fix the bug in the retry loop"),
    ("code", "Implement pagination for the invoices endpoint"),
    ("code", "write a unit test for parse_date"),
    ("code", "update the function so that it returns None"),
    ("code", "there is a traceback when I call load()"),
    ("draft", "draft a client update"),
    ("draft", "Please write an email to the tenants about the repair"),
    ("draft", "put together a proposal for the board"),
    ("draft", "compose a birthday message for Tom"),
    ("summarize", "summarize meeting notes"),
    ("summarize", "give me a summary of the merger talks"),
    ("summarize", "write a one page summary of the audit"),
    ("summarize", "what are the key points of the contract?"),
    ("summarize", "draft merger summary"),
    ("research", "research how other ports price their berths"),
    ("research", "look into the history of pier four"),
    ("research", "what do we know about the supplier?"),
    ("research", "find evidence for the claim that tides rise"),
    ("analyze", "analyze the drop in ticket sales"),
    ("analyze", "why did the ferry stop last week?"),
    ("analyze", "review this contract for risks"),
    ("analyze", "compare the two offers"),
    ("analyze", "prepare an assessment of the storm damage"),
    ("extract", "extract all dates from the agreement"),
    ("extract", "list all parties to the lease"),
    ("extract", "give me a table of all payments"),
    ("extract", "pull out the phone numbers as csv"),
    ("plan", "plan the move to the new office"),
    ("plan", "make a checklist for the inspection"),
    ("plan", "what are the next steps for the audit?"),
    ("plan", "create a roadmap for the second quarter"),
    ("decide", "should we renew the lease?"),
    ("decide", "recommend a vendor for the crane"),
    ("decide", "help me choose between the two berths"),
    ("decide", "which option is better for us?"),
    ("update_record", "update the client's phone number to 555"),
    ("update_record", "remember that Tom is on leave until Monday"),
    ("update_record", "mark the invoice as paid"),
    ("update_record", "note that the gate closes at nine"),
    ("analyze", "board governance"),
    ("reply", "Answer Marta's question about parking"),
    ("reply", "Can you respond to the vendor and decline politely?"),
    ("reply", "They asked about our opening hours, write them back"),
    ("rewrite", "Make it sound less aggressive"),
    ("rewrite", "Paraphrase the second paragraph for beginners"),
    ("rewrite", "I'd like this letter in plainer words"),
    ("code", "Add a retry to the HTTP client in src/client.py"),
    ("code", "Refactor the payment module to use async"),
    ("code", "The build is broken on main, please debug"),
    ("draft", "I need a cover letter for the grant application"),
    ("draft", "Let's write the announcement for the new schedule"),
    ("draft", "Generate a contract for the summer caretaker"),
    ("summarize", "What happened in yesterday's meeting, in short?"),
    ("summarize", "Boil the report down to five bullets"),
    ("summarize", "TL;DR of the thread"),
    ("research", "Which suppliers sell recycled rope in Europe?"),
    ("research", "Is there any evidence that cold water damages the seals?"),
    ("research", "Find out who owned the warehouse before 1990"),
    ("analyze", "What explains the rise in complaints?"),
    ("analyze", "Assess the risks of the new schedule"),
    ("analyze", "How do the two versions of the contract differ?"),
    ("extract", "Get me every invoice number in these files"),
    ("extract", "Which names and dates are mentioned in the deposition? As JSON please"),
    ("extract", "Pull the totals from the statements into a spreadsheet"),
    ("plan", "How should we roll out the new ticket system over the summer?"),
    ("plan", "Set up a timeline for the audit"),
    ("plan", "What do we need to do before the opening, step by step?"),
    ("decide", "Is it better to lease or to buy the crane?"),
    ("decide", "Pick one of the three logos"),
    ("decide", "Give me a recommendation on the insurance"),
    ("update_record", "Change Anna's address to Harbour Street 4"),
    ("update_record", "Please add the new supplier to the list of contacts"),
    ("update_record", "Record that the inspection passed"),
]


@pytest.mark.parametrize(("workflow", "request_"), REQUESTS)
def test_a_request_is_taken_for_what_it_wants(workflow: str, request_: str) -> None:
    assert intent_of(request_).workflow == workflow


def test_there_are_eleven_workflows_and_a_request_for_each() -> None:
    assert workflows() == (
        "reply",
        "rewrite",
        "code",
        "draft",
        "summarize",
        "research",
        "analyze",
        "extract",
        "plan",
        "decide",
        "update_record",
    )
    assert {workflow for workflow, _ in REQUESTS} == set(workflows())


def test_the_rules_are_data_of_one_form() -> None:
    texts = {"type": "array", "items": {"type": "string", "minLength": 1}, "uniqueItems": True, "minItems": 1}
    row = {
        "type": "object", "additionalProperties": False,
        "required": ["name", "action", "output_type", "goal", "mode", "leading", "words", "must_include", "must_avoid"],
        "properties": {
            **{name: {"type": "string", "minLength": 1} for name in ("name", "action", "output_type", "goal", "target")},
            **dict.fromkeys(("leading", "target_leading", "questions", "words", "objects", "not_for", "must_include", "must_avoid"), texts),
            "mode": {"enum": ["assistant", "planner", "research", "drafting"]},
        },
    }  # fmt: skip
    for found in rules()["workflow"]:
        jsonschema.validate(found, row)
        phrases = [
            phrase
            for key in ("leading", "target_leading", "questions", "words", "objects")
            for phrase in found.get(key, ())
        ]
        assert all(phrase == phrase.lower() == phrase.strip() for phrase in phrases), found["name"]
    for found in rules()["level"]:
        assert not set(found["high"]) & set(found["low"]), found["name"]
    assert len(rules()["level"]) == 7


@pytest.mark.parametrize(
    ("request_", "data", "confidence", "matched"),
    [
        ("the harbour", None, 0.55, ""),
        ("a few next steps at the quay", None, 0.82, "next steps"),
        ("a few next steps for the report", None, 0.84, "next steps"),
        ("Could you please summarize the report?", None, 0.88, "summarize"),
        ("the harbour", {"workflow": "plan"}, 0.90, "plan"),
    ],
)
def test_confidence_says_how_it_was_told(
    request_: str, data: object, confidence: float, matched: str
) -> None:
    found = intent_of(request_, data)
    assert (found.confidence, found.matched) == (confidence, matched)


@pytest.mark.parametrize(
    ("request_", "target"),
    [
        ("fix the failing test in the api module", "codebase"),
        ("answer this e-mail", "email"),
        ("sum up my notes", "note"),
        ("polish the proposal", "document"),
        ("compare the studies", "research_material"),
        ("plan the move", "context"),
        ("the committee decided on a class action", "context"),
    ],
)
def test_what_it_is_about_is_named(request_: str, target: str) -> None:
    assert intent_of(request_).target_type == target


def test_constraints_stand_as_they_were_said_and_are_not_looked_for() -> None:
    found = intent_of(
        "Please draft a letter about the lease in at most 120 words, in a formal tone, in German, by Friday, without legal jargon"
    )
    assert [(one.kind, one.text) for one in found.constraints] == [
        ("length", "in at most 120 words"),
        ("tone", "in a formal tone"),
        ("language", "in German"),
        ("deadline", "by Friday"),
        ("exclusion", "without legal jargon"),
    ]
    assert found.subject == "a letter about the lease"
    assert intent_of("reply to Tom, in German, about the lease").subject == "to Tom, about the lease"


def test_intent_data_says_what_rules_would_guess() -> None:
    found = intent_of(
        "the lease",
        {
            "workflow": "decide",
            "goal": "Keep the pier.",
            "output_type": "memo",
            "target_type": "document",
            "constraints": ["no new debt"],
        },
    )
    assert (found.workflow, found.goal, found.output_type, found.target_type) == (
        "decide",
        "Keep the pier.",
        "memo",
        "document",
    )
    assert [(one.kind, one.text) for one in found.constraints] == [("declared", "no new debt")]
    with pytest.raises(InputError, match="'dance' is not a workflow; choose from reply, rewrite"):
        intent_of("x", {"workflow": "dance"})


@given(
    st.text(max_size=300),
    st.none()
    | st.dictionaries(st.sampled_from(["goal", "constraints", "other"]), st.text() | st.lists(st.integers())),
)
def test_any_text_is_a_request(text: str, data: object) -> None:
    found = intent_of(text, data)
    assert found.workflow in workflows()
    assert 0 < found.confidence <= 1


def test_a_long_request_costs_no_more_than_its_length() -> None:
    for text in (
        "please " * 1_100,
        "in at most " * 700,
        "write " + "a-" * 4_000,
        "avoid " * 1_300,
        "\n" * 8_000,
    ):
        assert intent_of(text).workflow in workflows()


# ---------------------------------------------------------------- the envelope


def keep(dp: Daypack, text: str, **facts: object) -> str:
    return dp.sources.ingest(SourceDraft(text, **{"scope": "user", "user_id": "ana", **facts})).record.id  # type: ignore[arg-type]


def test_an_envelope_holds_what_is_wanted_with_its_context_and_preferences(dp: Daypack) -> None:
    lease = keep(
        dp,
        "The lease of pier four ends in May. " + "The harbour office has confirmed it in writing. " * 6,
        source_key="pier-4",
    )
    keep(dp, "Gulls nest on the crane.")
    keep(dp, "The lease of pier nine is secret.", user_id="ben")
    dp.tasks.learn(
        "Dear Ms Lind, thank you. Never promise a date.\nKind regards", workflow="reply", user_id="ana"
    )
    done = task_data.envelope_to_dict(
        dp.tasks.envelope(
            AssembleRequest(
                "Reply to the tenant about the lease of pier four", user_id="ana", token_budget=300
            )
        )
    )
    assert (done["workflow"], done["action"], done["output_type"], done["target_type"]) == (
        "reply",
        "write a reply",
        "message",
        "context",
    )
    assert done["query_text"] == "Reply to the tenant about the lease of pier four"
    assert [(one["record_id"], one["source_key"]) for one in done["source_references"]] == [(lease, "pier-4")]
    (summary,) = done["context_summary"]
    assert summary["record_id"] == lease
    assert 0 < len(summary["text"]) <= 180
    assert done["preferences"]["levels"]["formality"] == "high"
    assert done["preferences"]["style"] == {"greeting": "Dear", "closing": "Kind regards"}
    assert done["output_contract"]["type"] == "message"
    assert "Never promise a date." in done["output_contract"]["must_avoid"]
    context = done["context"]
    assert context["assembly_mode"] == "drafting"
    assert context["token_count_estimate"] <= 300
    assert "pier four" in context["context_text"]
    assert [entry.action for entry in dp.sources.audit(user_id="ana", audit_id=done["audit_id"])] == [
        "prepare_task_envelope"
    ]
    assert "nine" not in json.dumps(done)


@pytest.mark.parametrize(
    ("request_", "mode"),
    [
        ("draft a note", "drafting"),
        ("plan the move", "planner"),
        ("fix the bug", "assistant"),
        ("why?", "research"),
    ],
)
def test_a_workflow_has_its_mode_unless_one_is_asked_for(dp: Daypack, request_: str, mode: str) -> None:
    keep(dp, "a note on the bug and the move")
    assert dp.tasks.envelope(AssembleRequest(request_, user_id="ana")).assembly.request.assembly_mode == mode
    assert (
        dp.tasks.envelope(
            AssembleRequest(request_, user_id="ana", assembly_mode="assistant")
        ).assembly.request.assembly_mode
        == "assistant"
    )


def test_references_and_summaries_are_few(dp: Daypack) -> None:
    for number in range(10):
        keep(
            dp,
            f"Berth {number}: the ferry number{number} moors at {number} o'clock, says person{number} of company{number}.",
        )
    done = dp.tasks.envelope(
        AssembleRequest("summarize when each ferry moors", user_id="ana", token_budget=5000)
    )
    assert len(done.source_references) == 6
    assert len({item.record.id for item in done.source_references}) == 6
    assert len(done.context_summary) == 3


def test_a_hosted_model_gets_neither_records_nor_preferences_that_their_policy_keeps_here(
    dp: Daypack,
) -> None:
    keep(dp, "The ferry is for sale.")
    keep(dp, "The ferry is blue.", policy=SourcePolicy(allow_remote_model_egress=True))
    dp.tasks.learn("Dear all, in short: yes. Kind regards", user_id="ana")
    asked = AssembleRequest("draft a note on the ferry", user_id="ana", model_target="hosted")
    done = task_data.envelope_to_dict(dp.tasks.envelope(asked))
    assert done["preferences"] is None
    assert "for sale" not in json.dumps(done)
    assert [one["text"] for one in done["context_summary"]] == ["The ferry is blue."]
    dp.tasks.prefer("brevity", "high", user_id="ana", allow_remote_model_egress=True)
    assert task_data.envelope_to_dict(dp.tasks.envelope(asked))["preferences"]["levels"] == {
        "formality": "high",
        "brevity": "high",
        "directness": "high",
    }


def test_preferences_are_the_users_and_count_as_used(dp: Daypack, clock: Clock) -> None:
    keep(dp, "The ferry is blue.")
    taught = dp.tasks.learn("Dear all, in short: yes. Kind regards", user_id="ana").preferences.record
    assert taught is not None
    clock.passes(60)
    done = dp.tasks.envelope(AssembleRequest("draft a note on the ferry", user_id="ana"))
    assert dp.sources.get(taught.id, user_id="ana").used_at == clock.now
    (entry,) = dp.sources.audit(user_id="ana", audit_id=done.assembly.audit_id)
    assert taught.id in entry.details["record_ids"]
    without = dp.tasks.envelope(
        AssembleRequest("draft a note on the ferry", user_id="ana", include_user_scope=False)
    )
    assert (without.preferences, without.source_references) == (None, ())


def test_intent_data_is_part_of_the_question_and_a_schema_says_which_of_it(dp: Daypack) -> None:
    keep(dp, "The zeppelin is moored at the quay.")
    keep(dp, "The submarine is under repair.")
    data = {"subject": {"title": "zeppelin", "origin": "submarine"}}

    def first(path: str) -> str:
        schema = {"schema_name": "user_intent", "primary_text_paths": [path]}
        asked = RetrieveRequest("where is it", user_id="ana", intent_data=data, intent_schema=schema)
        return dp.sources.retrieve(asked).items[0].text.split()[1]

    assert [first("subject.title"), first("subject.origin")] == ["zeppelin", "submarine"]
    assert intent_words(data, None) == ["zeppelin", "submarine"]
