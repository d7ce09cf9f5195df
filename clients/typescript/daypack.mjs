// Written by scripts/typescript.py from the OpenAPI document of Daypack; `make docs` renews it.

const OPERATIONS = [
  "pack",
  "search",
  "get",
  "remember",
  "forget",
  "status",
  "pack_context",
  "search_memories",
  "list_memories",
  "list_tags",
  "recall",
  "memory_history",
  "relate_memories",
  "remember_if_absent",
  "restore_memory",
  "forget_all",
  "redact_memory",
  "retrieve_context",
  "assemble_context",
  "prepare_context",
  "explain_selection",
  "prepare_task_envelope",
  "get_preferences",
  "get_source",
  "list_sources",
  "source_stats",
  "store_source",
  "ingest_source",
  "upsert_source",
  "update_preference",
  "reset_preferences",
  "delete_source",
  "prune_sources",
  "code_pack",
  "code_trace",
  "code_impact",
  "code_tests",
  "code_uses",
  "code_map",
  "symbols",
  "related",
  "callers",
  "tests_for",
  "ctx_search",
  "ctx_stats",
  "session_resume",
  "session_snapshot",
  "session_timeline",
  "ctx_index",
  "ctx_fetch_and_index",
  "ctx_batch_execute",
  "ctx_purge",
  "context_pack",
  "vsearch",
  "find",
  "describe",
  "explain",
  "diagnose",
  "insert",
  "plan_update",
  "apply",
  "rollback",
  "delete",
  "add",
  "embed"
];

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
    while ((end = text.indexOf("\n\n")) >= 0) {
      const lines = text.slice(0, end).split("\n");
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
    this.#url = url.replace(/\/+$/, "");
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
    const detail = `no server answers at ${this.#url}; start \`daypack serve\`, or give its url`;
    const response = await reached(this.#fetch(`${this.#url}/v1/${name}`, request), signal, "unreachable", detail);
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
