"""Names that decide whether a file is read: tool folders, secret files, lock files, generated and binary files.

They judge by the name, in two cases with the names beside it, and open no file.
"""

from __future__ import annotations

import os
import re

from daypack.guard.suspects import may_hold_secret
from daypack.text.name_sets import name_set
from daypack.types import SkipReason

HIDDEN_NAMES = name_set(
    """
    .git .hg .svn .bzr .jj .sl CVS .daypack
    node_modules bower_components .yarn .pnpm-store .npm
    __pycache__ .tox .nox .mypy_cache .ruff_cache .pytest_cache .pytype .hypothesis .eggs .ipynb_checkpoints .direnv
    .gradle .m2 .cargo .terraform .terragrunt-cache .serverless .vagrant .bundle .dart_tool .stack-work .elixir_ls
    .next .nuxt .svelte-kit .turbo .parcel-cache .angular .docusaurus .cache .idea .vs .nyc_output
    .DS_Store Thumbs.db desktop.ini
    .trash .Trash .Trashes $RECYCLE.BIN #recycle @eaDir .stversions .stfolder .dropbox.cache .obsidian .logseq
    """
)
_TRASH = r"\.Trash-\d+"  # of a user on a disk of its own
# Logseq keeps notes that were deleted or changed beside its settings; they would answer beside the notes of now.
_EARLIER_NOTES = r"/logseq/(?:bak|\.recycle)$"
_LOGSEQ_SETTINGS = "config.edn"
# A folder that contains one of these belongs to a tool, under any name.
HIDDEN_MARKERS = {
    "pyvenv.cfg": "a virtual environment (pyvenv.cfg)",
    "conda-meta": "a conda environment (conda-meta)",
    "CACHEDIR.TAG": "a cache (CACHEDIR.TAG)",
}

# `daypack install` writes a copy for each agent; they would answer questions about a project that they do not describe.
_OWN_SKILL = r"/\.[^/]+/skills/daypack$"

LOCK_FILES = name_set(
    """
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock poetry.lock pdm.lock uv.lock
    pipfile.lock pixi.lock conda-lock.yml cargo.lock go.sum go.work.sum composer.lock gemfile.lock podfile.lock
    package.resolved pubspec.lock mix.lock flake.lock gradle.lockfile packages.lock.json paket.lock cabal.project.freeze
    stack.yaml.lock .terraform.lock.hcl module.bazel.lock chart.lock rebar.lock shard.lock
    """
)

_MINIFIED = r"[.-]min\.(?:js|mjs|cjs|css)$|\.map$"
# Only names that people do not give to files. A header with "generated" marks a file, but is not a reason to skip it.
_GENERATED = (
    r"\.pb\.(?:go|cc|h|gw\.go)$|_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|d\.ts|rb)$|\.(?:g|freezed|gr)\.dart$|\.designer\.(?:cs|vb)$"
    r"|^zz_generated\..*\.go$|^bindata\.go$"
)

_PRIVATE_FILE = r"""(?x)
      \.env(?!\.(?:example|sample|template|dist|defaults?|tpl|schema)$)(?:\..*)?    # .env, .env.local, not .env.example
    | \.envrc
    | (?!(?:example|sample|template|default)s?\.).+\.env
    | .+\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|ovpn|tfstate|p8|pkcs12|kubeconfig|keychain|agekey)
    | .+\.tfstate\.backup
    | id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)(?:[._-].*)?
    | \.npmrc | \.yarnrc\.yml | \.pypirc | [._]netrc | \.pgpass | \.my\.cnf | \.htpasswd | \.git-credentials | \.dockercfg
    | \.dockerconfigjson | \.boto | \.s3cfg | \.vault-token | \.vault_pass(?:\.txt)? | kubeconfig | credentials | \.credentials
    | credentials\.(?:json|csv|ya?ml|toml|ini|xml) | client_secrets?.*\.json | service[-_]?account.*\.json
    | secrets?\.(?:json|ya?ml|toml|ini|properties|txt) | wallet\.dat | master\.key
    | \.[a-z_]*history
    """
_SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".password-store"})
_SECRET_PLACES = ("/.docker/config.json", "/.kube/config")  # names that are harmless elsewhere

# Endings of files that are not opened. For formats with text and binary variants the bytes decide.
BINARY_ENDINGS = name_set(
    """
    png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd xcf ai eps mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg oga ogv opus aac
    wma wmv zip gz tgz bz2 xz zst lz4 7z rar tar jar war ear whl egg deb rpm apk dmg iso cab msi exe dll so dylib a o obj lib class
    pyc pyo pyd wasm woff woff2 ttf otf eot doc xls xlsb ppt pages numbers mobi azw azw3
    db sqlite sqlite3 db3 mdb parquet feather arrow avro orc pkl pickle npy npz h5 hdf5 onnx pt pth ckpt safetensors gguf tflite pb bin
    swp swo blend fbx glb stl mo gmo rdb
    """
)

# Files that may be long: they have independent lines, or, as notebooks, pages and mail, lose most of their bytes when
# rendered.
_LONG_ENDINGS = name_set(
    "log txt info csv tsv ndjson jsonl md markdown rst ipynb html htm mht mhtml eml emlx mbox ics vcf opml"
)
# All conversations of a person, in one file or several; a chat of Telegram, Messenger and Google Chat; a message of a maildir,
# whose name begins with its time.
_LONG_NAMES = (
    r"conversations(?:-\d+)?\.json|result\.json|messages?(?:_\d+)?\.json|\d{9,11}\.[a-z_]*\d\w*\.[^/]+"
)

_ZIPPED = (b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0")  # the last also wraps encrypted documents
DOCUMENTS = {
    "pdf": (b"%PDF-",),
    "rtf": (b"{\\rtf",),
    **dict.fromkeys(
        [
            "docm",
            "docx",
            "dotm",
            "dotx",
            "epub",
            "odp",
            "ods",
            "odt",
            "otp",
            "ots",
            "ott",
            "potm",
            "potx",
            "ppsm",
            "ppsx",
            "pptm",
            "pptx",
            "xlsm",
            "xlsx",
            "xltm",
            "xltx",
        ],
        _ZIPPED,
    ),
}
"""Ending → the first bytes of such a document. Piped text may have such a name: `pdftotext` made it."""
MOSTLY_PICTURES = frozenset({*DOCUMENTS, "enex"})
DOCUMENT_BEGINNINGS = tuple({first for each in DOCUMENTS.values() for first in each})
"""The bytes that a document may begin with, whatever its name."""
_SAVED_AS = {
    "doc": "docx",
    "xls": "xlsx",
    "xlsb": "xlsx",
    "ppt": "pptx",
    "pages": "docx",
    "numbers": "xlsx",
    "mobi": "epub",
    "azw3": "epub",
    "msg": "eml",
    "pst": "mbox",
}

_ARCHIVES = frozenset({"zip", "tar", "tgz", "gz", "bz2", "xz", "zst", "7z", "rar"})

_OF_EDITORS = r"""(?x)
      .+~    # a backup (plan.md~, plan.md.~1~)
    | \.\#.+ | \.~lock\..+\# | ~\$.+ | \..+\.sw[a-p]    # locks of Emacs, LibreOffice and Word, a swap file of Vim
    """
_UNSAVED = r"#(.+)#"  # Emacs keeps the text of the file beside it so

Refusal = tuple[SkipReason, str]
"""The reason why an entry is skipped, and a sentence about it."""


def ending(name: str) -> str:
    return name.rpartition(".")[2].lower()


def is_long(name: str) -> bool:
    """True for a file that may be long and is read all the same."""
    return ending(name) in _LONG_ENDINGS or re.fullmatch(_LONG_NAMES, name.lower()) is not None


def forbidden(name: str, path: str, *, is_folder: bool) -> Refusal | None:
    """The reason why an entry is never read, even if an ignore file re-includes it; None for other entries."""
    if name in HIDDEN_NAMES or (is_folder and re.fullmatch(_TRASH, name)):
        return SkipReason.HIDDEN, name
    if is_folder and re.search(_OWN_SKILL, path):
        return SkipReason.HIDDEN, "Daypack's own skill, which agents have at hand"
    if is_folder and re.search(_EARLIER_NOTES, path) and _has_beside(path, _LOGSEQ_SETTINGS):
        return SkipReason.HIDDEN, "deleted and earlier versions of notes"
    lower = name.lower()
    secret = (
        lower in _SECRET_FOLDERS
        if is_folder
        else re.fullmatch(_PRIVATE_FILE, lower) or path.endswith(_SECRET_PLACES)
    )
    if secret:
        return SkipReason.SECRET_FILE, "its name says that it holds credentials; it is never read"
    if without_secret(name) != name:  # a record has the name of its file, which must lead back to it
        return SkipReason.SECRET_FILE, "its name holds a likely secret; rename it, and it is read"
    return None


def without_secret(name: str) -> str:
    """The name as a report of skipped files, which is stored, may have it."""
    if not (any(map(str.isdigit, name)) and may_hold_secret(name)):
        return name
    from daypack.guard.secrets import redact  # its expressions take 20 ms to compile

    return redact(name).text


def _has_beside(path: str, name: str) -> bool:
    return os.path.lexists(f"{os.path.dirname(path)}/{name}")  # noqa: PTH120


def unwanted(name: str, path: str = "") -> Refusal | None:
    """The reason to skip a file by its name, unless an ignore file of Daypack re-includes it, or a person names it; None for
    other files. A file without a `path` has no others beside it.
    """
    lower = name.lower()
    unsaved = re.fullmatch(_UNSAVED, name)
    if re.fullmatch(_OF_EDITORS, lower) or (unsaved and path and _has_beside(path, unsaved[1])):
        return SkipReason.HIDDEN, "a backup or lock file of an editor"
    if lower in LOCK_FILES:
        return SkipReason.LOCK_FILE, name
    if re.search(_MINIFIED, lower):
        return SkipReason.MINIFIED, "by its name"
    if re.search(_GENERATED, lower):
        return SkipReason.GENERATED, "by its name"
    end = ending(name)
    if end in BINARY_ENDINGS and end != lower:
        return SkipReason.BINARY, f"by its ending .{end}{saved_as(name)}"
    return None


def saved_as(name: str) -> str:
    """The step that makes a binary file of this name readable: "; save it as .docx, which is read", or ""."""
    if ending(name) in _ARCHIVES:
        return "; unpack it, and its files are read"
    other = _SAVED_AS.get(ending(name))
    return f"; save it as .{other}, which is read" if other else ""
