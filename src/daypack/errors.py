"""The error tree. Every message names the fault, the place and the next step, in one line.

    DaypackError       exit status
    ├─ InputError      2   something in the call is wrong
    ├─ NotFound        1   the reference is well formed, but its target is missing
    ├─ ConfigError     2   a file of settings or a variable; an extra that is not installed
    ├─ StoreError      3   the store cannot be used
    └─ ModelError      3   the embedder cannot be used, or gave an unusable vector

Expected trouble in user data is a value (`IngestIssue`), not an exception.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class DaypackError(Exception):
    """Base of all errors that a user can mend. `exit_status` is what the command line ends with."""

    exit_status = 2
    code = "error"

    def __init_subclass__(cls, *, code: str = "", exit_status: int | None = None) -> None:
        cls.code = code or cls.code
        cls.exit_status = cls.exit_status if exit_status is None else exit_status


class InputError(DaypackError, code="bad_input"):
    """Something in the call is wrong. `written` is the number of documents that the call had stored before."""

    written = 0


class QueryTooLong(InputError, code="query_too_long"):
    def __init__(self, length: int, limit: int) -> None:
        self.length, self.limit = length, limit
        super().__init__(
            f"the query has {length:,} bytes, at most {limit:,} are taken; shorten it, or put the text into a file and `daypack add` it"
        )


class TooManyItems(InputError, code="too_many_items"):
    def __init__(self, name: str, count: int, limit: int) -> None:
        self.count, self.limit = count, limit
        super().__init__(f"{name} has {count:,} items, at most {limit:,} are taken; ask in several calls")


class BadBudget(InputError, code="bad_budget"):
    def __init__(self, value: object, limit: int) -> None:
        self.value = value
        super().__init__(f"budget {value!r} is not a whole number from 0 to {limit:,}; try --budget 4000")


class BadReference(InputError, code="bad_reference"):
    def __init__(
        self, reference: str, forms: str = "path:12-40, a path, or a chunk id from `daypack search`"
    ) -> None:
        self.reference = reference
        super().__init__(f"{reference!r} is not a reference; write {forms}")


class BadDate(InputError, code="bad_date"):
    def __init__(self, value: object, name: str = "") -> None:
        self.value = value
        super().__init__(
            f"{f'{name} ' if name else ''}{clipped(str(value))} is not a valid date; write 2026-10-01, "
            "2026-10-01T14:00, yesterday, 3 days ago or last week"
        )


class FilterError(InputError, code="bad_filter"):
    def __init__(self, path: str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"filter {path}: {problem}" if path else f"the filter {problem}")


class BadRecord(InputError, code="bad_record"):
    def __init__(self, field: str, problem: str) -> None:
        self.field = field
        super().__init__(f"record field {field}: {problem}")


class BadSuite(InputError, code="bad_suite"):
    def __init__(self, suite: str, where: str, problem: str) -> None:
        self.suite, self.where = suite, where
        super().__init__(f"suite {suite}: {where}{' ' if where else ''}{problem}")


class TooFewCases(InputError, code="too_few_cases"):
    """`kinds` are the kinds of text with how many cases expect one."""

    def __init__(self, suite: str, needed: int, judged: int, kinds: Mapping[str, int]) -> None:
        self.suite, self.needed, self.judged, self.kinds = suite, needed, judged, dict(kinds)
        expected = ", ".join(f"{kind} by {count}" for kind, count in kinds.items())
        super().__init__(
            f"suite {suite}: {judged} cases say what a search must find{f' (found: {expected})' if expected else ''}; weights that fewer than "
            f"{needed} cases of a kind of text choose are luck, write more with expected_paths, expected_ids or expected_symbols"
        )


class BadRun(InputError, code="bad_run"):
    def __init__(self, run: str, problem: str) -> None:
        self.run = run
        super().__init__(f"run {run} {problem}")  # "is not saved; choose another"


class NotAProject(InputError, code="not_a_project"):
    def __init__(self, folder: str, why: str, step: str = "say what to index: `daypack add PATH`") -> None:
        self.folder, self.why = folder, why
        super().__init__(f"{folder} does not look like one project ({why}); {step}")


class FilesElsewhere(InputError, code="files_elsewhere"):
    """An `add` would drop most of the texts that a store holds under these names."""

    def __init__(self, store: str, root: str, folder: str, files: int) -> None:
        self.store, self.root, self.folder = store, root, folder
        super().__init__(
            f"the store {store} holds {files:,} files of another folder under these names, and {folder} lacks most; "
            f"choose another --store, or erase them first with `daypack remove {root}`"
        )


class MemoryConflict(InputError, code="memory_conflict"):
    """`value` and `token` are the current ones; `value` is None when the key has no value."""

    def __init__(self, key: str, *, value: str | None, token: str) -> None:
        self.key, self.value, self.token = key, value, token
        super().__init__(
            f"{key} was changed since that version: "
            + (f"its last version is {clipped(value)}" if value is not None else "it has no value now")
            + f"; read it again and write with --version {token}"
            if token
            else f"{key} has no value; leave --version out"
        )


class MemoryRedacted(InputError, code="memory_redacted"):
    def __init__(self, key: str, day: str, reason: str) -> None:
        self.key, self.reason = key, reason
        because = f" ({reason})" if reason else ""
        super().__init__(
            f"{key} was redacted on {day}{because}; use another key, or, if the new value may be there, write it with --reopen "
            "on the command line (reopen=True in Python)"
        )


class ReviewNeedsPerson(InputError, code="review_needs_person"):
    """An agent, or a command without a terminal, gave a verdict on an untrusted memory."""

    def __init__(self) -> None:
        super().__init__(
            "a review needs a person: run `daypack memory review` in a terminal, or use the page"
        )


class BadJson(InputError, code="bad_json"):
    """`line` and `column` are 1-based."""

    def __init__(self, what: str, line: int, column: int, problem: str) -> None:
        self.what, self.line, self.column, self.problem = what, line, column, problem
        super().__init__(f"{what}, line {line} column {column}: {problem}")


class BadDocument(InputError, code="bad_document"):
    """`path` is the dotted path of the faulty value, "" for the document itself."""

    def __init__(self, path: str, problem: str, *, where: str = "document") -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{where}{f' field {path}' if path else ''} {problem}")


class BadUpdate(InputError, code="bad_update"):
    def __init__(self, path: str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"the update {problem}" if not path else f"update {path}: {problem}")


class NoCollection(InputError, code="no_collection"):
    def __init__(self, name: str, near: str | None, names: Sequence[str]) -> None:
        self.name = name
        there = f"; the store has {', '.join(names[:8])}" if names else ""
        super().__init__(
            f"no collection {name!r}"
            + (f"; did you mean {near!r}?" if near else f"{there}; `daypack docs insert` makes one")
        )


class DuplicateId(InputError, code="duplicate_id"):
    def __init__(self, collection: str, shown: str, detail: str = "", kept: str = "") -> None:
        self.collection = collection
        super().__init__(
            f"{collection} has a document with _id {shown} already{detail}; {kept or 'nothing was written'}; "
            "`daypack docs plan-update` changes it, `daypack docs load --replace` replaces documents"
        )


class PlanConflict(InputError, code="plan_conflict"):
    """`ids` are the _ids, as canonical JSON, of the documents that changed since the plan was made."""

    def __init__(self, token: str, ids: Sequence[str], problem: str, remedy: str) -> None:
        self.token, self.ids = token, tuple(ids)
        shown = ", ".join(ids[:3]) + (f" and {len(ids) - 3:,} more" if len(ids) > 3 else "")
        super().__init__(f"nothing was written: {problem} ({shown}); {remedy}")


class PlanSpent(InputError, code="plan_spent"):
    def __init__(self, token: str, problem: str, remedy: str) -> None:
        self.token = token
        super().__init__(f"plan {token} {problem}; {remedy}")


def clipped(text: str) -> str:
    """The beginning of a text as a message quotes it: on one line, at most 80 characters."""
    line = " ".join(text[:400].split())
    return repr(line if len(line) <= 80 else f"{line[:79]}…")


class NotFound(DaypackError, code="not_found", exit_status=1):
    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(f"{problem}; {hint}")


class Stopped(DaypackError, code="stopped", exit_status=130):
    """The caller no longer waits for the answer."""

    def __init__(self) -> None:
        super().__init__("the call was cancelled; finished work is stored, ask again")


class ConfigError(DaypackError, code="bad_config"):
    """A setting, a variable or an installation is wrong."""


class BadConfiguration(ConfigError, code="bad_configuration"):
    """A file of settings or a variable. `where` is the file's path or the variable's name."""

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        super().__init__(f"{where}: {problem} (`daypack config show` lists the settings)")


class MissingExtra(ConfigError, code="missing_extra"):
    def __init__(self, extra: str, needs: str, adding: str) -> None:
        self.extra = extra
        super().__init__(f"this needs {needs}, which is not installed; run {adding}")


class PackNotKept(NotFound, code="pack_not_kept"):
    """`after` names a pack that this store does not hold, or holds for another owner."""

    def __init__(self, pack_id: str) -> None:
        self.id = pack_id
        super().__init__(
            f"no pack {clipped(pack_id)} is kept for you here",
            "ask without --after, which begins a new conversation",
        )


class StoreError(DaypackError, code="store_error", exit_status=3):
    """The store cannot be used."""


class _Told(StoreError):
    """An error of which the path of the store tells all; `says` is the message."""

    says: str

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(self.says.format(path=path))


class StoreNotFound(StoreError, code="store_not_found"):
    def __init__(self, path: str, step: str = "run `daypack add .` in your project first") -> None:
        self.path = path
        super().__init__(f"no store at {path}; {step}")


class NoFolderForStore(StoreError, code="no_folder_for_store"):
    def __init__(self, path: str, parent: str) -> None:
        self.path = path
        super().__init__(
            f"no store was made at {path}: the folder {parent} does not exist; check --store, or make that folder first"
        )


class FolderOfOthers(_Told, code="folder_of_others"):
    says = "no store was made at {path}: the folder holds other files, and a store has a folder of its own; name {path}/.daypack, or a new folder"


class StoreClosed(_Told, code="store_closed"):
    says = "the store {path} is closed; ask inside its `with` block, or open it again with Daypack.open({path!r})"


class StoreReplaced(_Told, code="store_replaced"):
    says = "the store {path} was deleted or replaced after it was opened; run the command again; a program that has it open opens it again"


class StoreEmpty(_Told, code="store_empty"):
    says = "the store file is empty: {path} has lost its content; run `daypack restore` with a backup, or remove it to begin a new store"


class StoreVersionMismatch(StoreError, code="store_version"):
    def __init__(self, path: str, found: int, supported: int) -> None:
        self.path, self.found, self.supported = path, found, supported
        super().__init__(
            f"the store {path} is version {found}, this program knows {supported}; upgrade daypack, restore an earlier "
            f"backup, or use another --store"
        )


class NotAStore(StoreError, code="not_a_store"):
    def __init__(self, path: str, why: str) -> None:
        self.path = path
        super().__init__(
            f"{path} is not a Daypack store ({why}); it was left as it is, choose another --store"
        )


class StoreUnsafe(StoreError, code="store_unsafe"):
    def __init__(self, path: str, why: str, mend: str) -> None:
        self.path = path
        super().__init__(f"refusing to use the store {path}: {why}; {mend}")


class CannotWrite(StoreError, code="cannot_write"):
    """The store answers questions, but takes no writes now. A note beside an answer is left out then."""


class StoreBusy(_Told, CannotWrite, code="store_busy"):
    says = "the store {path} is locked by another process; try again when that has finished"


class StoreReadOnly(CannotWrite, code="store_read_only"):
    def __init__(self, path: str, step: str = "make it writable") -> None:
        self.path = path
        super().__init__(f"the store {path} cannot be written; {step}, or choose another --store")


MENDING_A_FILE = "run `daypack repair`, or restore a backup"


class StoreDamaged(StoreError, code="store_damaged"):
    def __init__(self, path: str, detail: str, mend: str = MENDING_A_FILE) -> None:
        self.path, self.mend = path, mend
        self.detail = detail = " ".join(detail.split())  # SQLite quotes statements and pages as they are
        super().__init__(f"the store {path} is damaged ({detail}); {mend}")


class BadExport(InputError, code="bad_export"):
    """A line of an export cannot be imported."""

    def __init__(self, line: int, why: str) -> None:
        self.line = line
        where = f"line {line}" if line else "the export"
        super().__init__(f"{where} cannot be imported: {why}; nothing was imported, export the store again")


class StoreNotEmpty(_Told, code="store_not_empty"):
    says = (
        "the store {path} holds something already, and an import makes a store; name a new one with --store"
    )


class CopyRefused(StoreError, code="copy_refused"):
    """A store cannot be copied into this place."""

    def __init__(self, path: str, why: str, mend: str = "name a place that holds no store") -> None:
        self.path = path
        super().__init__(f"nothing was copied into {path}: {why}; {mend}")


class CopyDiffers(StoreError, code="copy_differs"):
    """Rows of a copy are not those of its source."""

    def __init__(self, path: str, table: str, rows: int) -> None:
        self.path, self.table, self.rows = path, table, rows
        super().__init__(
            f"{rows:,} rows of {table} in the copy {path} are not those of the source, although they were just written; "
            f"the source is as it was: check the disk and the memory of the machine, and run the command again"
        )


class NotABackup(StoreError, code="not_a_backup"):
    """A folder cannot be used for backups, or holds none that was asked for."""

    def __init__(self, path: str, why: str, mend: str) -> None:
        self.path = path
        super().__init__(f"{path} {why}; {mend}")


class BackupDamaged(StoreError, code="backup_damaged"):
    def __init__(self, path: str, why: str) -> None:
        self.path = path
        super().__init__(
            f"the backup is damaged: {path}: {why}; the store was left as it is, restore an earlier backup with --at, "
            f"and run `daypack backup` to write damaged blocks again"
        )


class FittedWeightsDamaged(StoreError, code="fitted_weights_damaged"):
    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        super().__init__(
            f"the fitted ranking weights of the store {path} {problem}; `daypack eval fit-ranker --undo` brings the defaults back"
        )


class DiskFull(CannotWrite, code="disk_full"):
    def __init__(self, path: str, where: str = "") -> None:
        self.path = path
        super().__init__(
            f"no space left while writing {path}; acknowledged writes are safe; free some space{where} and run the command again"
        )


class ModelError(DaypackError, code="model_error", exit_status=3):
    """The embedder cannot be used."""


class ModelUnavailable(ModelError, code="model_unavailable"):
    def __init__(self, name: str, why: str) -> None:
        self.name = name
        super().__init__(
            f"the embedding model {name} cannot be used ({why}); use --vectors none, or see `daypack doctor`"
        )


class BadVector(ModelError, code="bad_vector"):
    def __init__(self, model: str, problem: str) -> None:
        self.model = model
        super().__init__(
            f"model {model} gave an unusable vector ({problem}); nothing was stored, check the model or use --vectors none"
        )
