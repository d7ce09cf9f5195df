// Written by scripts/typescript.py from the OpenAPI document of Daypack; `make docs` renews it.

export interface CallOptions {
  signal?: AbortSignal;
  /** Asks for server-sent events; the server calls it with progress before the answer. */
  onProgress?: (done: number, total: number) => void;
}

export class DaypackProblem extends Error {
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

export type PackArguments = {
  /** The task or question, in full words. */
  "query": string;
  /** Maximum o200k tokens of the answer. */
  "budget"?: number;
  "format"?: "markdown" | "xml" | "json";
  /** Search only these stores. */
  "in"?: Array<"files" | "records" | "memories" | "sessions" | "knowledge" | "code" | "docs" | "sources">;
  /** Only files that match a glob, as src/** /*.py. */
  "source"?: Array<string>;
  /** 2 and on: items that did not fit before. */
  "page"?: number;
  /** The pack ID that an earlier answer ends with: only what is new comes. */
  "after"?: string;
};
export type PackResult = {
  "name": "pack";
  "text": string;
  "details": {
    "budget": {
      "limit": number;
      "tokenizer": string;
      "used": number;
      "truncated": boolean;
      [name: string]: unknown;
    };
    "citations": Array<{
      "n": number;
      "reference": string;
      "hash": string;
      "ids": Array<number>;
      [name: string]: unknown;
    }>;
    "omitted": {
      [name: string]: unknown;
    };
    "page": number;
    "next_page": number | null;
    "empty_reason": string | null;
    "pack"?: string;
    "stale"?: number;
    "degraded"?: Array<string>;
    "anchors_missing"?: Array<string>;
    [name: string]: unknown;
  };
};

export type SearchArguments = {
  /** One or several questions, words or names. */
  "queries": Array<string>;
  /** Most results for each query. */
  "limit"?: number;
  /** Search only these stores. */
  "in"?: Array<"files" | "records" | "memories" | "sessions" | "knowledge" | "code" | "docs" | "sources">;
  /** Only files that match a glob, as src/** /*.py. */
  "source"?: Array<string>;
};
export type SearchResult = {
  "name": "search";
  "text": string;
  "details": {
    "answers": Array<{
      "query": string;
      "results": Array<{
        "reference": string;
        "name": string;
        "text": string;
        "score": number;
        "uri": string;
        "start_line": number;
        "end_line": number;
        "id": number;
        "hash": string;
        [name: string]: unknown;
      }>;
      [name: string]: unknown;
    }>;
    [name: string]: unknown;
  };
};

export type GetArguments = {
  /** path:12-40, a path, a memory:KEY, or an id from a result. */
  "reference": string;
  /** 2 and on: the rest of a long text. */
  "page"?: number;
};
export type GetResult = {
  "name": "get";
  "text": string;
  "details": {
    "reference": string;
    "uri": string;
    "state": string;
    "hash": string;
    "start_line": number;
    "end_line": number;
    "page": number;
    "pages": number;
    [name: string]: unknown;
  };
};

export type RememberArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  /** One fact, in words that make sense alone. */
  "value": string;
  "tags"?: Array<string>;
  /** Forget it automatically after this time. */
  "ttl_seconds"?: number;
  /** Write only when this is still the current version. */
  "version"?: string;
  /** Its origin; tool:NAME, web:NAME and URLs wait for a review. */
  "source"?: string;
};
export type RememberResult = {
  "key": string;
  "version": string;
  "written": boolean;
  "waiting": boolean;
  [name: string]: unknown;
};

export type ForgetArguments = {
  /** Its key, as release/cadence. */
  "key": string;
};
export type ForgetResult = {
  "state": string;
  "keys": Array<unknown>;
  [name: string]: unknown;
};

export type StatusArguments = {};
export type StatusResult = {
  "records": number;
  "chunks": number;
  "stale_files": number;
  [name: string]: unknown;
};

export type PackContextArguments = {
  /** Topic of the memories. */
  "topic": string;
  /** Maximum size of the block; clamped to 1..100,000. */
  "budget_tokens"?: number;
  "ordering"?: "relevance+recency" | "relevance" | "recency" | "auto";
};
export type PackContextResult = {
  "name": "pack_context";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type SearchMemoriesArguments = {
  "query": string;
  "top_k"?: number;
  "min_score"?: number;
  /** Only memories that carry all of these. */
  "filter_tags"?: Array<string>;
  "w_semantic"?: number;
  "w_keyword"?: number;
  "w_recency"?: number;
};
export type SearchMemoriesResult = {
  [name: string]: unknown;
};

export type ListMemoriesArguments = {
  "tag"?: string;
  "limit"?: number;
  /** The cursor of the page before. */
  "cursor"?: string;
};
export type ListMemoriesResult = {
  [name: string]: unknown;
};

export type ListTagsArguments = {};
export type ListTagsResult = {
  [name: string]: unknown;
};

export type RecallArguments = {
  /** Its key, as release/cadence. */
  "key": string;
};
export type RecallResult = {
  [name: string]: unknown;
};

export type MemoryHistoryArguments = {
  /** Its key, as release/cadence. */
  "key": string;
};
export type MemoryHistoryResult = {
  [name: string]: unknown;
};

export type RelateMemoriesArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  "top_k"?: number;
};
export type RelateMemoriesResult = {
  [name: string]: unknown;
};

export type RememberIfAbsentArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  "value": string;
  "tags"?: Array<string>;
  /** Its origin; tool:NAME, web:NAME and URLs wait for a review. */
  "source"?: string;
};
export type RememberIfAbsentResult = {
  [name: string]: unknown;
};

export type RestoreMemoryArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  /** A version from its history. */
  "version": string;
};
export type RestoreMemoryResult = {
  [name: string]: unknown;
};

export type ForgetAllArguments = {
  "tag": string;
};
export type ForgetAllResult = {
  [name: string]: unknown;
};

export type RedactMemoryArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  /** The text that people will read in its place. */
  "reason": string;
};
export type RedactMemoryResult = {
  [name: string]: unknown;
};

export type RetrieveContextArguments = {
  "query": string;
  "limit"?: number;
  "ranking"?: "common" | "weighted";
  "kinds"?: Array<"user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example">;
  /** Any of these. */
  "tags"?: Array<string>;
  "source_keys"?: Array<string>;
  "include_user_scope"?: boolean;
  "include_global_scope"?: boolean;
  /** Destination of the answer; records whose policy forbids it are left out. */
  "model_target"?: "local" | "hosted";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type RetrieveContextResult = {
  [name: string]: unknown;
};

export type AssembleContextArguments = {
  "query": string;
  /** The sections of the text. */
  "assembly_mode"?: "assistant" | "planner" | "research" | "drafting";
  /** Maximum o200k tokens of the text. */
  "token_budget"?: number;
  /** Destination of the answer; records whose policy forbids it are left out. */
  "model_target"?: "local" | "hosted";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type AssembleContextResult = {
  "name": "assemble_context";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type PrepareContextArguments = {
  "query": string;
  /** The sections of the text. */
  "assembly_mode"?: "assistant" | "planner" | "research" | "drafting";
  /** Maximum o200k tokens of the text. */
  "token_budget"?: number;
  /** Destination of the answer; records whose policy forbids it are left out. */
  "model_target"?: "local" | "hosted";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type PrepareContextResult = {
  [name: string]: unknown;
};

export type ExplainSelectionArguments = {
  "query": string;
  /** The sections of the text. */
  "assembly_mode"?: "assistant" | "planner" | "research" | "drafting";
  /** Maximum o200k tokens of the text. */
  "token_budget"?: number;
  /** Destination of the answer; records whose policy forbids it are left out. */
  "model_target"?: "local" | "hosted";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type ExplainSelectionResult = {
  [name: string]: unknown;
};

export type PrepareTaskEnvelopeArguments = {
  "query": string;
  /** The sections; by default those of the workflow. */
  "assembly_mode"?: "assistant" | "planner" | "research" | "drafting";
  /** Maximum o200k tokens of the text. */
  "token_budget"?: number;
  /** Destination of the answer; records whose policy forbids it are left out. */
  "model_target"?: "local" | "hosted";
  /** Known facts: workflow, goal, output_type, target_type, constraints. */
  "intent_data"?: {
    [name: string]: unknown;
  };
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type PrepareTaskEnvelopeResult = {
  [name: string]: unknown;
};

export type GetPreferencesArguments = {
  /** The workflow; by default all. */
  "workflow"?: "" | "reply" | "rewrite" | "code" | "draft" | "summarize" | "research" | "analyze" | "extract" | "plan" | "decide" | "update_record";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type GetPreferencesResult = {
  [name: string]: unknown;
};

export type GetSourceArguments = {
  /** An id from a list or an answer. */
  "record_id": string;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type GetSourceResult = {
  [name: string]: unknown;
};

export type ListSourcesArguments = {
  "kind"?: "user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example";
  "scope"?: "session" | "user" | "global";
  "limit"?: number;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type ListSourcesResult = {
  [name: string]: unknown;
};

export type SourceStatsArguments = {
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type SourceStatsResult = {
  [name: string]: unknown;
};

export type StoreSourceArguments = {
  "kind": "user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example";
  "text": string;
  "scope"?: "session" | "user" | "global";
  "tags"?: Array<string>;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type StoreSourceResult = {
  [name: string]: unknown;
};

export type IngestSourceArguments = {
  "text"?: string;
  "kind"?: "user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example";
  "scope"?: "session" | "user" | "global";
  /** A name that stays when the text changes. */
  "source_key"?: string;
  "title"?: string;
  "tags"?: Array<string>;
  /** Instead of text, or beside it: its fields are searched. */
  "structured_data"?: {
    [name: string]: unknown;
  };
  /** Allow a hosted model to get it. */
  "allow_remote_model_egress"?: boolean;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type IngestSourceResult = {
  [name: string]: unknown;
};

export type UpsertSourceArguments = {
  /** A name that stays when the text changes. */
  "source_key": string;
  "text": string;
  "kind"?: "user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example";
  "scope"?: "session" | "user" | "global";
  "title"?: string;
  "tags"?: Array<string>;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type UpsertSourceResult = {
  [name: string]: unknown;
};

export type UpdatePreferenceArguments = {
  /** A text that the user approved; only its telling phrases are stored. */
  "approved_text"?: string;
  /** The workflow; by default all. */
  "workflow"?: "" | "reply" | "rewrite" | "code" | "draft" | "summarize" | "research" | "analyze" | "extract" | "plan" | "decide" | "update_record";
  /** Or a preference to set: a level, a style, a default or a note. */
  "name"?: string;
  /** The value to set. */
  "value"?: string;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type UpdatePreferenceResult = {
  [name: string]: unknown;
};

export type ResetPreferencesArguments = {
  /** One of them. */
  "name"?: string;
  /** Only those for this workflow. */
  "workflow"?: string;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type ResetPreferencesResult = {
  [name: string]: unknown;
};

export type DeleteSourceArguments = {
  /** A name that stays when the text changes. */
  "source_key": string;
  "scope"?: "session" | "user" | "global";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type DeleteSourceResult = {
  [name: string]: unknown;
};

export type PruneSourcesArguments = {
  /** Keep this many of each owner, scope and kind, those used last. */
  "max_records"?: number;
  /** Delete older ones without a policy of their own. */
  "retention_days"?: number;
  "dry_run"?: boolean;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type PruneSourcesResult = {
  [name: string]: unknown;
};

export type CodePackArguments = {
  /** A question, an identifier, a path, a quotation or an error's text. */
  "query": string;
  /** Only code in this folder or file; neighbours may be elsewhere. */
  "path"?: string;
  /** Maximum characters of all items together. */
  "max_chars"?: number;
  /** Number of found items, without their neighbours. */
  "limit"?: number;
  /** Number of neighbours of each item. */
  "max_related_per_primary"?: number;
  /** Up to one, two or three steps away. */
  "strategy"?: "direct" | "extended" | "deep";
  /** focus: only neighbours with words of the query. */
  "related_mode"?: "explore" | "focus";
  "prefer"?: "none" | "code" | "docs";
  /** Only files that match. */
  "include"?: Array<string>;
  /** No files that match. */
  "exclude"?: Array<string>;
  /** off: show code also for unknown names. */
  "anchor_policy"?: "auto" | "off";
  /** fast, quality, or one of the store's own. */
  "profile"?: string;
  /** Add the candidates, in meta.trace. */
  "trace"?: boolean;
};
export type CodePackResult = {
  "status": string;
  "hints": Array<unknown>;
  "data": {
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type CodeTraceArguments = {
  /** A stack trace, or the output of a failing test; - reads standard input. */
  "text": string;
  /** Maximum o200k tokens of the answer. */
  "budget"?: number;
};
export type CodeTraceResult = {
  "name": "code_trace";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type CodeImpactArguments = {
  /** A diff (`git diff`), names, path:line or path:Name; - reads standard input. */
  "text": string;
  /** Maximum o200k tokens of the answer. */
  "budget"?: number;
};
export type CodeImpactResult = {
  "name": "code_impact";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type CodeTestsArguments = {
  /** A diff (`git diff`), names, path:line or path:Name; - reads standard input. */
  "text": string;
  /** Maximum o200k tokens of the answer. */
  "budget"?: number;
};
export type CodeTestsResult = {
  "name": "code_tests";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type CodeUsesArguments = {
  /** A name (Cart, Cart.total), path:line or path:Name. */
  "text": string;
  /** Maximum o200k tokens of the answer. */
  "budget"?: number;
};
export type CodeUsesResult = {
  "name": "code_uses";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type CodeMapArguments = {
  /** Maximum o200k tokens of the map. */
  "budget"?: number;
  /** Files and folders to start the ranking from. */
  "focus"?: Array<string>;
};
export type CodeMapResult = {
  "name": "code_map";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type SymbolsArguments = {
  /** Part of the name, in any case; empty for all. */
  "name"?: string;
  /** Only code in this folder or file. */
  "path"?: string;
  /** Only this. */
  "kind"?: "" | "function" | "method" | "class" | "struct" | "enum" | "interface" | "module" | "impl" | "type" | "const" | "variable";
  "limit"?: number;
};
export type SymbolsResult = {
  "status": string;
  "hints": Array<unknown>;
  "data": {
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type RelatedArguments = {
  /** A name (Cart, Cart.total), path:line, path:Name, or the path of a file. */
  "reference": string;
  /** Up to one, two or three steps away. */
  "strategy"?: "direct" | "extended" | "deep";
  "limit"?: number;
};
export type RelatedResult = {
  "status": string;
  "hints": Array<unknown>;
  "data": {
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type CallersArguments = {
  /** A name (Cart, Cart.total), path:line, path:Name, or the path of a file. */
  "reference": string;
  "limit"?: number;
};
export type CallersResult = {
  "status": string;
  "hints": Array<unknown>;
  "data": {
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type TestsForArguments = {
  /** A name (Cart, Cart.total), path:line, path:Name, or the path of a file. */
  "reference": string;
  "limit"?: number;
};
export type TestsForResult = {
  "status": string;
  "hints": Array<unknown>;
  "data": {
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type CtxSearchArguments = {
  /** Every related question in one call. */
  "queries"?: Array<string>;
  /** One question, instead of queries. */
  "query"?: string;
  /** Results for each query. */
  "limit"?: number;
  /** timeline: in the order of time, across sessions and memories. */
  "sort"?: "relevance" | "timeline";
  /** Only labels that contain this, or files that match. */
  "source"?: string;
  "contentType"?: "code" | "prose";
  /** current, all, or a session. */
  "session"?: string;
  /** ctx: word stems and parts of words fused by rank, without meaning. */
  "ranking"?: "default" | "ctx";
};
export type CtxSearchResult = {
  "name": "ctx_search";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type CtxStatsArguments = {
  /** Only labels that contain this. */
  "source"?: string;
};
export type CtxStatsResult = {
  [name: string]: unknown;
};

export type SessionResumeArguments = {
  /** Maximum o200k tokens of the page. */
  "budget"?: number;
  /** current, or a session. */
  "session"?: string;
};
export type SessionResumeResult = {
  "name": "session_resume";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type SessionSnapshotArguments = {
  /** Maximum o200k tokens of the page. */
  "budget"?: number;
  /** current, or a session. */
  "session"?: string;
};
export type SessionSnapshotResult = {
  "name": "session_snapshot";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type SessionTimelineArguments = {
  /** current, all, or a session. */
  "session"?: string;
  /** Number of events, the newest. */
  "limit"?: number;
  /** Only these kinds, as decision or error. */
  "category"?: Array<string>;
};
export type SessionTimelineResult = {
  "name": "session_timeline";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type CtxIndexArguments = {
  /** The label; a previous text under it is replaced. */
  "source": string;
  /** The text. */
  "content"?: string;
  /** A file or folder of the project, instead of content. */
  "path"?: string;
};
export type CtxIndexResult = {
  [name: string]: unknown;
};

export type CtxFetchAndIndexArguments = {
  /** An https:// address. */
  "url"?: string;
  /** The label; by default the address. */
  "source"?: string;
  /** Several at once: [{"url": "https://…", "source": "docs"}]. */
  "requests"?: unknown;
  /** Number of simultaneous fetches. */
  "concurrency"?: number;
  /** Fetch although it was fetched within a day. */
  "force"?: boolean;
};
export type CtxFetchAndIndexResult = {
  [name: string]: unknown;
};

export type CtxBatchExecuteArguments = {
  /** [{"label": "tests", "command": ["pytest", "-q"]}]; a command in one string is split into words, and no shell reads it. */
  "commands": unknown;
  /** Show only the parts that answer these. */
  "queries"?: Array<string>;
  /** Maximum o200k tokens shown for each command. */
  "budget"?: number;
  /** Seconds for each command. */
  "timeout"?: number;
};
export type CtxBatchExecuteResult = {
  "name": "ctx_batch_execute";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type CtxPurgeArguments = {
  /** Must be true: purged data is gone for good. */
  "confirm": boolean;
  /** This session. */
  "sessionId"?: string;
  /** Every session of the project. */
  "scope"?: "project";
  /** The source under this label. */
  "source"?: string;
};
export type CtxPurgeResult = {
  [name: string]: unknown;
};

export type ContextPackArguments = {
  /** The collection. */
  "collection": string;
  /** The field, a dotted path, whose text is compared. */
  "field": string;
  /** The task or question. */
  "query": string;
  /** Maximum tokens of all texts. */
  "budget"?: number;
  /** A MongoDB-style filter, as {"status": "open"}. */
  "filter"?: {
    [name: string]: unknown;
  };
  /** auto: the best parts of long texts. */
  "packing"?: "prefix" | "skip" | "auto";
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type ContextPackResult = {
  [name: string]: unknown;
};

export type VsearchArguments = {
  /** The collection. */
  "collection": string;
  /** The field, a dotted path, whose text is compared. */
  "field": string;
  "query": string;
  "limit"?: number;
  /** A MongoDB-style filter, as {"status": "open"}. */
  "filter"?: {
    [name: string]: unknown;
  };
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type VsearchResult = {
  [name: string]: unknown;
};

export type FindArguments = {
  /** The collection. */
  "collection": string;
  /** A MongoDB-style filter, as {"status": "open"}. */
  "filter"?: {
    [name: string]: unknown;
  };
  /** Fields to show, as {"title": 1}. */
  "projection"?: {
    [name: string]: unknown;
  };
  /** The order, as {"year": -1}. */
  "sort"?: {
    [name: string]: unknown;
  };
  "limit"?: number;
  "skip"?: number;
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type FindResult = {
  [name: string]: unknown;
};

export type DescribeArguments = {
  /** One collection, or all. */
  "collection"?: string;
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type DescribeResult = {
  "name": "describe";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type ExplainArguments = {
  /** The collection. */
  "collection": string;
  /** A MongoDB-style filter, as {"status": "open"}. */
  "filter"?: {
    [name: string]: unknown;
  };
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type ExplainResult = {
  [name: string]: unknown;
};

export type DiagnoseArguments = {
  /** The collection. */
  "collection": string;
  /** A MongoDB-style filter, as {"status": "open"}; {} is every document. */
  "filter": {
    [name: string]: unknown;
  };
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type DiagnoseResult = {
  [name: string]: unknown;
};

export type InsertArguments = {
  /** The collection. */
  "collection": string;
  /** The document; without an _id it gets one. */
  "document": {
    [name: string]: unknown;
  };
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type InsertResult = {
  [name: string]: unknown;
};

export type PlanUpdateArguments = {
  /** The collection. */
  "collection": string;
  /** A MongoDB-style filter, as {"status": "open"}; {} is every document. */
  "filter": {
    [name: string]: unknown;
  };
  /** Operators, as {"$set": {"status": "done"}}. */
  "update": {
    [name: string]: unknown;
  };
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type PlanUpdateResult = {
  [name: string]: unknown;
};

export type ApplyArguments = {
  /** From plan_update. */
  "token": string;
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type ApplyResult = {
  [name: string]: unknown;
};

export type RollbackArguments = {
  /** The token that was applied. */
  "change_id": string;
  /** Also when later changes are lost. */
  "force"?: boolean;
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type RollbackResult = {
  [name: string]: unknown;
};

export type DeleteArguments = {
  /** The collection. */
  "collection": string;
  /** A MongoDB-style filter, as {"status": "open"}; {} is every document. */
  "filter": {
    [name: string]: unknown;
  };
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type DeleteResult = {
  [name: string]: unknown;
};

export type AddArguments = {
  /** Files and folders of the project; the whole project without any. */
  "paths"?: Array<string>;
};
export type AddResult = {
  "added": number;
  "updated": number;
  "unchanged": number;
  "removed": number;
  "chunks": number;
  "redactions": number;
  "issues": Array<{
    "uri": string;
    "reason": string;
    "detail": string;
    [name: string]: unknown;
  }>;
  [name: string]: unknown;
};

export type EmbedArguments = {};
export type EmbedResult = {
  "embedded": number;
  [name: string]: unknown;
};

export class Daypack {
  constructor(connection: Connection);
  call(name: string, args?: object, options?: CallOptions): Promise<unknown>;
  /** Everything a task needs from this project's code, documents and memories, in one answer within a token budget, cited as path:lines. Ask this first. */
  pack(args: PackArguments, options?: CallOptions): Promise<PackResult>;
  /** Ranked places for each query, a line of text each; `get` reads one. For exploring; `pack` answers a task. */
  search(args: SearchArguments, options?: CallOptions): Promise<SearchResult>;
  /** The exact text behind a reference, a page at a time, and whether the file has changed since. */
  get(args: GetArguments, options?: CallOptions): Promise<GetResult>;
  /** Remember a fact for later tasks. The key's previous value stays in its history. */
  remember(args: RememberArguments, options?: CallOptions): Promise<RememberResult>;
  /** Erase one memory, history included. It cannot be undone. */
  forget(args: ForgetArguments, options?: CallOptions): Promise<ForgetResult>;
  /** The content of the store, its freshness, and the skipped files. */
  status(args?: StatusArguments, options?: CallOptions): Promise<StatusResult>;
  /** As many memories about a topic as fit a token budget, as one Markdown block. */
  pack_context(args: PackContextArguments, options?: CallOptions): Promise<PackContextResult>;
  /** Memories that a query finds by words and by meaning, with the value of each signal. */
  search_memories(args: SearchMemoriesArguments, options?: CallOptions): Promise<SearchMemoriesResult>;
  /** Memories in the order of their keys, a page at a time. */
  list_memories(args?: ListMemoriesArguments, options?: CallOptions): Promise<ListMemoriesResult>;
  /** All tags, with the number of memories of each. */
  list_tags(args?: ListTagsArguments, options?: CallOptions): Promise<ListTagsResult>;
  /** The value of a key, with its version; for a forgotten or redacted key, that and when. */
  recall(args: RecallArguments, options?: CallOptions): Promise<RecallResult>;
  /** Every version of a key, newest first. */
  memory_history(args: MemoryHistoryArguments, options?: CallOptions): Promise<MemoryHistoryResult>;
  /** The memories that a memory links to, and the nearest to it. */
  relate_memories(args: RelateMemoriesArguments, options?: CallOptions): Promise<RelateMemoriesResult>;
  /** Remember a value under a key that has none; otherwise return its value. */
  remember_if_absent(args: RememberIfAbsentArguments, options?: CallOptions): Promise<RememberIfAbsentResult>;
  /** Restore an older version of a key. */
  restore_memory(args: RestoreMemoryArguments, options?: CallOptions): Promise<RestoreMemoryResult>;
  /** Erase every memory that ever carried a tag. */
  forget_all(args: ForgetAllArguments, options?: CallOptions): Promise<ForgetAllResult>;
  /** Erase one key and refuse it from then on. */
  redact_memory(args: RedactMemoryArguments, options?: CallOptions): Promise<RedactMemoryResult>;
  /** Parts of records that answer a question, best first, for one user and session, with every part of each score. */
  retrieve_context(args: RetrieveContextArguments, options?: CallOptions): Promise<RetrieveContextResult>;
  /** Records for a question as one text in sections, within a token budget, for one user and session. */
  assemble_context(args: AssembleContextArguments, options?: CallOptions): Promise<AssembleContextResult>;
  /** Records for a question as blocks, each with its record, version and checksum. */
  prepare_context(args: PrepareContextArguments, options?: CallOptions): Promise<PrepareContextResult>;
  /** Why each record for a question would be in the assembled text, or would not. */
  explain_selection(args: ExplainSelectionArguments, options?: CallOptions): Promise<ExplainSelectionResult>;
  /** The intent of a request (workflow, target, constraints, output contract), with its context and its user's preferences. */
  prepare_task_envelope(args: PrepareTaskEnvelopeArguments, options?: CallOptions): Promise<PrepareTaskEnvelopeResult>;
  /** The user's preferences, each with the phrase and the approved text that taught it. */
  get_preferences(args?: GetPreferencesArguments, options?: CallOptions): Promise<GetPreferencesResult>;
  /** One record with its version, status, policy and parts. */
  get_source(args: GetSourceArguments, options?: CallOptions): Promise<GetSourceResult>;
  /** The active records visible to a user and session, the newest first. */
  list_sources(args?: ListSourcesArguments, options?: CallOptions): Promise<ListSourcesResult>;
  /** Counts of the records visible to a user and session, by kind, scope, type and status, and of the user's pruned records by reason. */
  source_stats(args?: SourceStatsArguments, options?: CallOptions): Promise<SourceStatsResult>;
  /** Store a finished text: a note, a decision, a summary. */
  store_source(args: StoreSourceArguments, options?: CallOptions): Promise<StoreSourceResult>;
  /** Store a source, for this session, this user or all users; under an existing key, as its next version. */
  ingest_source(args?: IngestSourceArguments, options?: CallOptions): Promise<IngestSourceResult>;
  /** Store a source under a key: unchanged for the same content, else as the next version. */
  upsert_source(args: UpsertSourceArguments, options?: CallOptions): Promise<UpsertSourceResult>;
  /** Learn the user's preferences from an approved text, or set one preference by name. */
  update_preference(args?: UpdatePreferenceArguments, options?: CallOptions): Promise<UpdatePreferenceResult>;
  /** Forget learned and set preferences: one or all. */
  reset_preferences(args?: ResetPreferencesArguments, options?: CallOptions): Promise<ResetPreferencesResult>;
  /** Erase a key with every version; a tombstone without text stays. */
  delete_source(args: DeleteSourceArguments, options?: CallOptions): Promise<DeleteSourceResult>;
  /** Delete records that are too old or too many, by their policies and these bounds. */
  prune_sources(args?: PruneSourcesArguments, options?: CallOptions): Promise<PruneSourcesResult>;
  /** Code for a task with its neighbours in the graph: symbols, callers, users, subclasses and tests, as Context Pack v1 within a number of characters. */
  code_pack(args: CodePackArguments, options?: CallOptions): Promise<CodePackResult>;
  /** The code at fault for a stack trace or the output of a failing test: functions of its frames, and code near its words. */
  code_trace(args: CodeTraceArguments, options?: CallOptions): Promise<CodeTraceResult>;
  /** The other places that must change with a diff or names: callers, twins, tests, pages, configuration. */
  code_impact(args: CodeImpactArguments, options?: CallOptions): Promise<CodeImpactResult>;
  /** The tests to run, and to read, for a diff or names. */
  code_tests(args: CodeTestsArguments, options?: CallOptions): Promise<CodeTestsResult>;
  /** Uses of a symbol: real calls of it from different files, programs before tests. */
  code_uses(args: CodeUsesArguments, options?: CallOptions): Promise<CodeUsesResult>;
  /** The repository in a number of tokens: files, and in them the symbols that matter most, with signatures. */
  code_map(args?: CodeMapArguments, options?: CallOptions): Promise<CodeMapResult>;
  /** Definitions by name, with signature, place and docstring: equal names first. */
  symbols(args?: SymbolsArguments, options?: CallOptions): Promise<SymbolsResult>;
  /** The neighbours of a symbol or file in the graph: callers, callees, bases, members, tests, pages. */
  related(args: RelatedArguments, options?: CallOptions): Promise<RelatedResult>;
  /** The callers, users and subclasses of a symbol, with lines; resolved through imports, ambiguous ones marked. Ask before you change it. */
  callers(args: CallersArguments, options?: CallOptions): Promise<CallersResult>;
  /** The tests that call or use a symbol, its members, or, when none does, its callers. */
  tests_for(args: TestsForArguments, options?: CallOptions): Promise<TestsForResult>;
  /** Stored text on each question, from everything indexed and the current session. Ask this before reading a file or running a command again. */
  ctx_search(args?: CtxSearchArguments, options?: CallOptions): Promise<CtxSearchResult>;
  /** The labelled sources and the stored sessions, with their freshness. */
  ctx_stats(args?: CtxStatsArguments, options?: CallOptions): Promise<CtxStatsResult>;
  /** State of a session, for going on with it: last request, open errors and tasks, constraints, decisions, each cited. */
  session_resume(args?: SessionResumeArguments, options?: CallOptions): Promise<SessionResumeResult>;
  /** A table of contents of a session, for the moment before its context is compacted. */
  session_snapshot(args?: SessionSnapshotArguments, options?: CallOptions): Promise<SessionSnapshotResult>;
  /** The events of a session, in order. */
  session_timeline(args?: SessionTimelineArguments, options?: CallOptions): Promise<SessionTimelineResult>;
  /** Store a text, a file or a folder under a label, so that search finds it. */
  ctx_index(args: CtxIndexArguments, options?: CallOptions): Promise<CtxIndexResult>;
  /** Fetch public web pages and store each as a source. Off unless the server runs with DAYPACK_WEB=1. */
  ctx_fetch_and_index(args?: CtxFetchAndIndexArguments, options?: CallOptions): Promise<CtxFetchAndIndexResult>;
  /** Run commands in the project's folder, store their whole output as sources, and show only the parts that answer the queries. */
  ctx_batch_execute(args: CtxBatchExecuteArguments, options?: CallOptions): Promise<CtxBatchExecuteResult>;
  /** Erase a session, all sessions of the project, or one source. */
  ctx_purge(args: CtxPurgeArguments, options?: CallOptions): Promise<CtxPurgeResult>;
  /** The texts of a field that a task needs, within a token budget and cited by _id. */
  context_pack(args: ContextPackArguments, options?: CallOptions): Promise<ContextPackResult>;
  /** The documents whose field is nearest to a query by cosine, of those that match the filter. */
  vsearch(args: VsearchArguments, options?: CallOptions): Promise<VsearchResult>;
  /** The documents of a collection that match a filter, as Extended JSON. */
  find(args: FindArguments, options?: CallOptions): Promise<FindResult>;
  /** The collections with their fields, types, frequencies, and a sample. Ask this before filtering. */
  describe(args?: DescribeArguments, options?: CallOptions): Promise<DescribeResult>;
  /** The plan of a filter: the index or scan, and the number of documents. */
  explain(args: ExplainArguments, options?: CallOptions): Promise<ExplainResult>;
  /** The reason why a filter finds nothing: the number of documents that each condition matches by itself. */
  diagnose(args: DiagnoseArguments, options?: CallOptions): Promise<DiagnoseResult>;
  /** Add one document to a collection, which is made when it is new. */
  insert(args: InsertArguments, options?: CallOptions): Promise<InsertResult>;
  /** The effect of an update, with documents before and after. Nothing is changed; `apply` takes the token. */
  plan_update(args: PlanUpdateArguments, options?: CallOptions): Promise<PlanUpdateResult>;
  /** Apply a planned update as a whole, or not at all when a document changed since. */
  apply(args: ApplyArguments, options?: CallOptions): Promise<ApplyResult>;
  /** Restore the documents from before a planned update. */
  rollback(args: RollbackArguments, options?: CallOptions): Promise<RollbackResult>;
  /** Remove every document that matches a filter. It cannot be undone. */
  delete(args: DeleteArguments, options?: CallOptions): Promise<DeleteResult>;
  /** Index files and folders of the project, and remember them for later refreshes. */
  add(args?: AddArguments, options?: CallOptions): Promise<AddResult>;
  /** Make every vector that is missing, so that the model's vectors rank from the next question on. */
  embed(args?: EmbedArguments, options?: CallOptions): Promise<EmbedResult>;
}
