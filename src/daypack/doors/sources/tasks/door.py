"""The door of tasks: the envelope of a request, and its user's preferences.

    dp.tasks.learn("Dear Ms Lind, in short: the lease ends in May. Kind regards", workflow="reply", user_id="ana")
    dp.tasks.envelope(AssembleRequest("reply to Ms Lind about the lease", user_id="ana")).output_type

Rules find the intent of a request (`daypack.doors.sources.tasks.rules`), the door of sources assembles its
context, and preferences are a record of that door, of the kind user_profile_note: versioned, visible to its
user alone, and deleted like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from daypack.doors.sources.door import SourcesDoor
from daypack.doors.sources.tasks import preferences as taught
from daypack.doors.sources.tasks import rules
from daypack.doors.sources.tasks.types import Lesson, Origin, Preferences, TaskEnvelope, Taught
from daypack.doors.sources.types import (
    AssembleRequest,
    AssemblyMode,
    ContentClass,
    ModelTarget,
    RetrievedSource,
    Source,
    SourceDraft,
    SourcePolicy,
)
from daypack.errors import InputError
from daypack.guard.arguments import checked
from daypack.shapes.snippets import snippet
from daypack.text import analysis

MOST_REFERENCES = 6
SUMMARIES = 3
SUMMARY_CHARACTERS = 180
_FORBIDS = ("never", "don't", "do not", "avoid", "please never")


@checked
class TasksDoor:
    """Tasks and preferences of one user a call; without a user id, of the owner of `sources`."""

    def __init__(self, sources: SourcesDoor) -> None:
        self._sources = sources

    # ------------------------------------------------------------ the envelope

    def envelope(self, request: AssembleRequest) -> TaskEnvelope:
        """Envelope a request: its intent, the context of its subject and the preferences of its user.

        Without an assembly mode the user's default for the workflow applies, else the workflow's own.
        """
        intent = rules.intent_of(request.query_text, request.intent_data)
        preferences: Preferences | None = self.preferences(intent.workflow, user_id=request.user_id)
        record = preferences.record if preferences is not None else None
        if not request.include_user_scope or (
            record is not None and not _may_go(record, request.model_target)
        ):
            preferences = record = None
        defaults = (
            {name: preference.value for name, preference in preferences.defaults.items()}
            if preferences is not None
            else {}
        )
        mode = request.assembly_mode or AssemblyMode(defaults.get("assembly_mode", intent.mode))
        data = request.intent_data
        if isinstance(data, Mapping):
            data = {name: value for name, value in data.items() if name not in rules.DECLARED}
        about = replace(request, query_text=intent.subject, intent_data=data, assembly_mode=mode)
        assembly = self._sources.assemble(
            about, action="prepare_task_envelope", also=[record.id] if record is not None else ()
        )
        shown = [item for section in assembly.sections for item in section.items]
        first: dict[str, RetrievedSource] = {}
        for item in shown:
            first.setdefault(item.record.id, item)
        terms = frozenset(analysis.content_terms(analysis.terms(intent.subject)))
        notes = [note.value for note in preferences.notes] if preferences is not None else []
        forbidden = [note for note in notes if note.lower().startswith(_FORBIDS)]
        return TaskEnvelope(
            request=request,
            intent=intent,
            preferences=preferences,
            source_references=tuple(first.values())[:MOST_REFERENCES],
            context_summary=tuple(
                (item, snippet(item.text, terms, SUMMARY_CHARACTERS - 4)) for item in shown[:SUMMARIES]
            ),
            output_type=defaults.get("output_type", intent.output_type),
            must_include=(*intent.must_include, *(note for note in notes if note not in forbidden)),
            must_avoid=(*intent.must_avoid, *forbidden),
            assembly=assembly,
        )

    # ------------------------------------------------------------ preferences

    def preferences(self, workflow: str = "", *, user_id: str | None = None) -> Preferences:
        """The preferences of a user for a workflow, or with "" for all, with the lessons that each follows from.

        Raises InputError.
        """
        rules.checked_workflow(workflow)
        record = self._record(user_id)
        return taught.preferences_of(_lessons(record), workflow, record)

    def learn(
        self,
        approved_text: str,
        *,
        workflow: str = "",
        user_id: str | None = None,
        allow_remote_model_egress: bool | None = None,
    ) -> Taught:
        """Learn from a text that the user approved, for a workflow or for all. The same text teaches once;
        only its telling phrases are stored. Raises InputError.
        """
        rules.checked_workflow(workflow)
        if not approved_text.strip():
            raise InputError("the approved text is empty; give a text")

        def learned(lessons: Sequence[Lesson], now: float) -> Sequence[Lesson]:
            new = taught.lessons_of(approved_text, workflow, at=now)
            known = {(lesson.text, lesson.workflow) for lesson in lessons}
            return [*lessons, *(lesson for lesson in new if (lesson.text, lesson.workflow) not in known)]

        return self._changed(learned, workflow, user_id, remote=allow_remote_model_egress)

    def prefer(
        self,
        name: str,
        value: str,
        *,
        workflow: str = "",
        user_id: str | None = None,
        allow_remote_model_egress: bool | None = None,
    ) -> Taught:
        """Set a preference, overriding learned ones; a `note` is added to the existing ones.

        Raises InputError.
        """

        def edited(lessons: Sequence[Lesson], now: float) -> Sequence[Lesson]:
            lesson = taught.edit(name, value, workflow, at=now)
            replaced = {
                other
                for other in lessons
                if other.origin is Origin.SET and (other.name, other.workflow) == (name, workflow)
            }
            replaced = {other for other in replaced if name != taught.NOTE or other.value == lesson.value}
            return [*(other for other in lessons if other not in replaced), lesson]

        return self._changed(edited, workflow, user_id, remote=allow_remote_model_egress)

    def reset(
        self, name: str | None = None, *, workflow: str | None = None, user_id: str | None = None
    ) -> Taught:
        """Forget the lessons of one preference or of all, of one workflow or of all. Versions before stay
        readable until `sources.delete("workflow_preferences", scope="user")`. Raises InputError.
        """
        if name is not None and name not in taught.names():
            raise InputError(f"unknown preference {name!r}; choose from {', '.join(taught.names())}")
        rules.checked_workflow(workflow or "")

        def left(lessons: Sequence[Lesson], _: float) -> Sequence[Lesson]:
            return [
                lesson
                for lesson in lessons
                if name not in (None, lesson.name) or workflow not in (None, lesson.workflow)
            ]

        return self._changed(left, workflow or "", user_id)

    def _record(self, user_id: str | None) -> Source | None:
        records = self._sources.list(scope="user", source_key=taught.KEY, user_id=user_id, limit=1)
        return records[0] if records else None

    def _changed(
        self,
        change: Callable[[Sequence[Lesson], float], Sequence[Lesson]],
        workflow: str,
        user_id: str | None,
        *,
        remote: bool | None = None,
    ) -> Taught:
        """The lessons changed and kept as the next version, in one transaction."""
        before: tuple[Lesson, ...] = ()
        after: tuple[Lesson, ...] = ()

        def drafted(record: Source | None, now: float) -> SourceDraft | None:
            nonlocal before, after
            before = _lessons(record)
            after = tuple(change(before, now))[-taught.MOST_LESSONS :]
            egress = (
                remote
                if remote is not None
                else record is not None and record.policy.allow_remote_model_egress
            )
            if after == before and (record is None or egress == record.policy.allow_remote_model_egress):
                return None
            return SourceDraft(
                taught.described(after),
                "user_profile_note",
                "user",
                user_id=user_id,
                source_key=taught.KEY,
                title="Preferences",
                content_class=ContentClass.NORMALIZED_MEMORY,
                metadata={"lessons": taught.to_data(after)},
                policy=SourcePolicy(allow_remote_model_egress=egress),
            )

        stored = self._sources.revise(taught.KEY, drafted, user_id=user_id)
        record = stored.record if stored is not None else self._record(user_id)
        return Taught(
            taught.preferences_of(_lessons(record), workflow, record),
            tuple(lesson for lesson in after if lesson not in before),
            tuple(lesson for lesson in before if lesson not in after),
            stored.audit_id if stored is not None else None,
        )


def _lessons(record: Source | None) -> tuple[Lesson, ...]:
    return taught.from_data(record.metadata.get("lessons")) if record is not None else ()


def _may_go(record: Source, target: ModelTarget | str) -> bool:
    policy = record.policy
    return (
        policy.allow_remote_model_egress if target == ModelTarget.HOSTED else policy.allow_local_model_egress
    )
