"""Texts that name the environment variables of a program: pages that list them, and code that reads them.

which environment variables does it read?

README.md      `SHOP_PORT` and `SHOP_HOST` are read from the environment.     2 names
.env.example   SHOP_PORT=8080 ⏎ SHOP_HOST=…                                  2 names
config.py      os.environ["SHOP_PORT"]                                       1 name
"""

from __future__ import annotations

import re

from daypack.rank.views import ChunkFlag
from daypack.text.name_sets import name_set

WORDS = name_set("env environ environment envvar getenv lookupenv")
"""One of these is in each text that names one, or in the path of a page that lists them."""
MOST_READ = 300  # texts, those with the words most often
MOST_NAMING = 12  # texts that answer
_HALF = 3  # guess: names in a text that is half sure to answer

# getenv("A"), os.environ["A"], environ.get("A"), process.env.A, ENV.fetch("A"), env::var("A"), env = "A", [env: A=]
_READ = re.compile(
    r"(?i:env\w{0,40}+(?:(?:\.|::|->)[a-z_]{1,40}+)?)[ \t]{0,20}+(?:[\[(.=:]|:=)[ \t]{0,20}+[\"'`]?([A-Z][A-Z0-9_]{2,}+)(?![\w(])"
)
# `env::var(key)` beside ("--tabs", "SHOP_TABS")
_READS = re.compile(r"getenv|\benviron\b|env::var|\bENV\b|process\.env|LookupEnv")
_QUOTED = re.compile(r"[\"'`]([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)[\"'`]")
_LISTED = re.compile(r"(?<![\w.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
# of a request, in the `environ` of WSGI (PEP 3333) and the `env` of Rack; AUTH_TOKEN and HTTP_PROXY are none
_OF_REQUEST = re.compile(
    r"SERVER_(?:NAME|PORT|PROTOCOL|SOFTWARE)|REQUEST_(?:METHOD|PATH|URI)|REMOTE_(?:ADDR|HOST|IDENT|PORT|USER)|CONTENT_(?:LENGTH|TYPE)"
    r"|SCRIPT_(?:FILENAME|NAME)|PATH_(?:INFO|TRANSLATED)|QUERY_STRING|GATEWAY_INTERFACE|AUTH_TYPE|RAW_URI|HTTPS"
    r"|HTTP_(?:ACCEPT|IF|SEC|X)_[A-Z_]+|HTTP_(?:ACCEPT|AUTHORIZATION|CONNECTION|COOKIE|EXPECT|HOST|ORIGIN|RANGE|REFERER|UPGRADE|USER_AGENT|VERSION)"
)
_SAYS = re.compile(r"(?i)\benv(?:ironment)?[ -]?var(?:iable)?s?\b|\bexport [A-Z]")
_OF_SETTINGS = re.compile(r"(?:^|[/.\w-])\.?env(?:\.\w+)?$")
_BUILDS = re.compile(r"(?:^|/)\.(?:github|circleci|gitlab)|(?:^|/)\.?(?:travis|appveyor|cirrus)\.ya?ml$")


def value_of_naming(uri: str, flags: int, text: str) -> float:
    """The value, 0 to 1, of a text as an answer to a question for the environment variables of a program."""
    names = {*_READ.findall(text)}
    if flags & ChunkFlag.CODE and _READS.search(text):
        names.update(_QUOTED.findall(text))
    elif not flags & ChunkFlag.CODE and (_SAYS.search(text) or _OF_SETTINGS.search(uri)):
        names.update(_LISTED.findall(text))
    names = {name for name in names if not _OF_REQUEST.fullmatch(name)}
    if not names or _BUILDS.search(uri):
        return 0.0
    aside = flags & (ChunkFlag.TEST | ChunkFlag.ASIDE | ChunkFlag.CHANGELOG)
    is_other = flags & ChunkFlag.SETTINGS and not _OF_SETTINGS.search(uri)  # `env:` of a container
    return len(names) / (len(names) + _HALF) * (0.3 if aside else 0.4 if is_other else 1.0)
