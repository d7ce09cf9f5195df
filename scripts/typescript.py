"""Write the TypeScript client from the description of the HTTP interface: clients/typescript/.

python scripts/typescript.py            writes daypack.mjs and its types, daypack.d.mts
python scripts/typescript.py --check    fails when they are not current
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from daypack import __version__
from daypack.surfaces.http.jobs import JOBS
from daypack.surfaces.http.openapi import PREFIX, openapi
from daypack.surfaces.toolsets import verbs

FOLDER = Path(__file__).resolve().parent.parent / "clients" / "typescript"
HEAD = "// Written by scripts/typescript.py from the OpenAPI document of Daypack; `make docs` renews it.\n"
CODE = """
/** An error of the server (RFC 9457), or of the connection. */
export class DaypackProblem extends Error {
  constructor(problem) {
    super(problem.detail);
    this.name = "DaypackProblem";
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.retryAfter = problem.retryAfter;
  }
}

async function problemOf(response) {
  let found;
  try {
    found = await response.json();
  } catch {
    found = { title: response.statusText, detail: `the server answered ${response.status}`, code: "not_json" };
  }
  const later = response.headers.get("retry-after");
  return new DaypackProblem({ ...found, status: response.status, retryAfter: later === null ? undefined : Number(later) });
}

const CUT_OFF = "the answer ended before its result; ask again";

/** The result of a promise; a fault of the connection is a problem without a status, an aborted call stays one. */
async function reached(promise, signal, code, detail) {
  try {
    return await promise;
  } catch (error) {
    if (signal?.aborted || error?.name === "AbortError") throw error;
    throw new DaypackProblem({ status: 0, code, detail });
  }
}

async function* eventsOf(body) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    let end;
    while ((end = text.indexOf("\\n\\n")) >= 0) {
      const lines = text.slice(0, end).split("\\n");
      text = text.slice(end + 2);
      const name = lines.find((line) => line.startsWith("event: "));
      const data = lines.find((line) => line.startsWith("data: "));
      if (name && data) yield [name.slice(7), JSON.parse(data.slice(6))];
    }
  }
}

/** The verbs of a Daypack server, each a method. */
export class Daypack {
  #url;
  #token;
  #fetch;

  constructor({ token, url = "http://127.0.0.1:8377", fetch = globalThis.fetch }) {
    this.#url = url.replace(/\\/+$/, "");
    this.#token = token;
    this.#fetch = fetch;
  }

  async call(name, args = {}, { signal, onProgress } = {}) {
    const request = {
      method: "POST",
      body: JSON.stringify(args),
      headers: {
        Accept: onProgress ? "text/event-stream" : "application/json",
        Authorization: `Bearer ${this.#token}`,
        "Content-Type": "application/json",
      },
      signal,
    };
    const detail = `no server answers at ${this.#url}; start \\`daypack serve\\`, or give its url`;
    const response = await reached(this.#fetch(`${this.#url}%s/${name}`, request), signal, "unreachable", detail);
    if (!response.ok) throw await problemOf(response);
    if (!onProgress) return reached(response.json(), signal, "cut_off", CUT_OFF);
    const events = eventsOf(response.body);
    for (;;) {
      const { done, value } = await reached(events.next(), signal, "cut_off", CUT_OFF);
      if (done) throw new DaypackProblem({ status: 0, code: "cut_off", detail: CUT_OFF });
      const [kind, data] = value;
      if (kind === "progress") onProgress(data.done, data.total);
      else if (kind === "problem") throw new DaypackProblem(data);
      else return data;
    }
  }
}

for (const name of OPERATIONS) {
  Daypack.prototype[name] = function (args, options) {
    return this.call(name, args, options);
  };
}
"""
TYPES = """
export interface CallOptions {
  signal?: AbortSignal;
  /** Asks for server-sent events; the server calls it with progress before the answer. */
  onProgress?: (done: number, total: number) => void;
}

export class DaypackProblem extends Error {
  /** Of HTTP; 0 where no whole answer came. */
  readonly status: number;
  readonly code: string;
  readonly title?: string;
  /** Seconds, where the server says when to come again. */
  readonly retryAfter?: number;
}

export interface Connection {
  token: string;
  url?: string;
  fetch?: typeof globalThis.fetch;
}
"""


def document() -> dict[str, Any]:
    return openapi({**verbs(), **JOBS}, version=__version__)


def files() -> dict[str, str]:
    """Name → text of each file of the client."""
    operations = {
        item["post"]["operationId"]: item["post"]
        for path, item in document()["paths"].items()
        if path.startswith(f"{PREFIX}/")
    }
    names = json.dumps([*operations], indent=2)
    return {
        "daypack.mjs": f"{HEAD}\nconst OPERATIONS = {names};\n{CODE.replace('%s', PREFIX)}",
        "daypack.d.mts": HEAD + TYPES + "".join(map(_types, operations.values())) + _class(operations),
    }


def _types(operation: Mapping[str, Any]) -> str:
    name = _camel(operation["operationId"])
    given = operation["requestBody"]["content"]["application/json"]["schema"]
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    return f"\nexport type {name}Arguments = {_type(given)};\nexport type {name}Result = {_type(answer)};\n"


def _class(operations: Mapping[str, Mapping[str, Any]]) -> str:
    lines = ["\nexport class Daypack {", "  constructor(connection: Connection);"]
    lines.append("  call(name: string, args?: object, options?: CallOptions): Promise<unknown>;")
    for name, operation in operations.items():
        given = operation["requestBody"]
        optional = "" if given["required"] else "?"
        about = _commented(operation["summary"])
        kind = _camel(name)
        lines.append(f"  /** {about} */")
        lines.append(
            f"  {name}(args{optional}: {kind}Arguments, options?: CallOptions): Promise<{kind}Result>;"
        )
    return "\n".join([*lines, "}", ""])


def _commented(text: str) -> str:
    r"""A text that ends no comment; in a string of JavaScript `*\/` is `*/`."""
    return text.replace("*/", r"*\/")


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


_WORDS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def _type(schema: Mapping[str, Any], indent: str = "") -> str:
    """The TypeScript type of a JSON Schema, as far as ours go."""
    kind = schema.get("type")
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(_type(one, indent) for one in schema.get("anyOf") or schema["oneOf"])
    if isinstance(kind, list):
        return " | ".join(_type({**schema, "type": one}, indent) for one in kind)
    if kind == "array":
        return f"Array<{_type(schema.get('items', {}), indent)}>"
    if kind == "object":
        required, inner = schema.get("required", ()), f"{indent}  "
        lines = []
        for name, one in schema.get("properties", {}).items():
            if about := one.get("description"):
                lines.append(f"{inner}/** {_commented(about)} */")
            lines.append(f"{inner}{json.dumps(name)}{'' if name in required else '?'}: {_type(one, inner)};")
        if schema.get("additionalProperties") is not False:
            lines.append(f"{inner}[name: string]: unknown;")
        return "\n".join(["{", *lines, f"{indent}}}"]) if lines else "{}"
    return _WORDS.get(str(kind), "unknown")


def main() -> int:
    stale = {name: text for name, text in files().items() if not _is_current(name, text)}
    for name, text in stale.items():
        if "--check" in sys.argv:
            print(f"{name} is not current")
        else:
            FOLDER.mkdir(parents=True, exist_ok=True)
            (FOLDER / name).write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return 1 if stale and "--check" in sys.argv else 0


def _is_current(name: str, text: str) -> bool:
    return (FOLDER / name).is_file() and (FOLDER / name).read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
