// Written by scripts/typescript.py from the OpenAPI document of Daypack; `make docs` renews it.

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

export type PackArguments = {
  /** The task or question, in full words. */
  "query": string;
  /** Maximum o200k tokens of the answer. */
  "budget"?: number;
  "format"?: "markdown" | "xml" | "json";
  /** Only these: files holds code and pages, docs JSON documents. */
  "in"?: Array<"files" | "records" | "memories" | "sessions" | "knowledge" | "code" | "docs" | "sources">;
  /** Only files that match a glob, as src/**\/*.py. */
  "source"?: Array<string>;
  /** 2 and on: items that did not fit before. */
  "page"?: number;
  /** The pack ID that an earlier answer ends with: only what is new comes. */
  "after"?: string;
  /** Messages before a follow-up question, oldest first. */
  "history"?: Array<string>;
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
  /** Only these: files holds code and pages, docs JSON documents. */
  "in"?: Array<"files" | "records" | "memories" | "sessions" | "knowledge" | "code" | "docs" | "sources">;
  /** Only files that match a glob, as src/**\/*.py. */
  "source"?: Array<string>;
  /** Messages before a follow-up question, oldest first. */
  "history"?: Array<string>;
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
  /** path:12-40, a path, a memory:KEY (and its earlier values), or an id from a result. */
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
    "earlier"?: Array<{
      "value": string | null;
      "version": string;
      "recorded_at": string;
      "trust": string;
      [name: string]: unknown;
    }>;
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
  /** Its origin; facts of tool:NAME, web:NAME and URLs are untrusted until a review. */
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
  "keys": Array<string>;
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
  /** The order; auto: by value and cost. */
  "ordering"?: "relevance+recency" | "relevance" | "recency" | "auto";
  /** With any weight the score sums meaning, words and recency. */
  "w_semantic"?: number;
  /** With any weight the score sums meaning, words and recency. */
  "w_keyword"?: number;
  /** With any weight the score sums meaning, words and recency. */
  "w_recency"?: number;
};
export type PackContextResult = {
  "name": "pack_context";
  "text": string;
  "details": {
    [name: string]: unknown;
  };
};

export type SearchMemoriesArguments = {
  /** Topic or question. */
  "query": string;
  /** Maximum number of memories. */
  "top_k"?: number;
  /** Only memories with at least this score. */
  "min_score"?: number;
  /** Only memories that carry all of these. */
  "filter_tags"?: Array<string>;
  /** With any weight the score sums meaning, words and recency. */
  "w_semantic"?: number;
  /** With any weight the score sums meaning, words and recency. */
  "w_keyword"?: number;
  /** With any weight the score sums meaning, words and recency. */
  "w_recency"?: number;
};
export type SearchMemoriesResult = {
  "query": string | null;
  "weak"?: boolean;
  "unknown"?: Array<string>;
  "hits": Array<{
    "key": string;
    "value": string | null;
    "version": string;
    "tags": Array<string>;
    "links": Array<string>;
    "source": string;
    "author": string;
    "session": string;
    "trust": string;
    "recorded_at": string;
    "valid_from": string;
    "valid_to": string | null;
    "expires_at": string | null;
    "shared": boolean;
    "created_at": string;
    "updated_at": string;
    "accessed_at": string | null;
    "recalls": number;
    "held_from"?: string | null;
    "held_until"?: string | null;
    "score": number;
    "signals": {
      [name: string]: unknown;
    };
    [name: string]: unknown;
  }>;
  "empty_reason": string | null;
  "degraded": Array<string>;
  "corrections": {
    [name: string]: unknown;
  };
  "time"?: string | null;
  [name: string]: unknown;
};

export type ListMemoriesArguments = {
  /** Only memories with this tag; by default all. */
  "tag"?: string;
  /** Memories a page. */
  "limit"?: number;
  /** The cursor of the page before. */
  "cursor"?: string;
};
export type ListMemoriesResult = {
  "memories": Array<{
    "key": string;
    "value": string | null;
    "version": string;
    "tags": Array<string>;
    "links": Array<string>;
    "source": string;
    "author": string;
    "session": string;
    "trust": string;
    "recorded_at": string;
    "valid_from": string;
    "valid_to": string | null;
    "expires_at": string | null;
    "shared": boolean;
    "created_at": string;
    "updated_at": string;
    "accessed_at": string | null;
    "recalls": number;
    "held_from"?: string | null;
    "held_until"?: string | null;
    [name: string]: unknown;
  }>;
  "cursor": string | null;
  [name: string]: unknown;
};

export type ListTagsArguments = {};
export type ListTagsResult = {
  "tags": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type RecallArguments = {
  /** Its key, as release/cadence. */
  "key": string;
};
export type RecallResult = {
  "key": string | null;
  "value": string | null;
  "version"?: string | null;
  "tags"?: Array<string>;
  "state"?: string | null;
  "at"?: string | null;
  [name: string]: unknown;
};

export type MemoryHistoryArguments = {
  /** Its key, as release/cadence. */
  "key": string;
};
export type MemoryHistoryResult = {
  "key"?: string | null;
  "versions"?: Array<{
    "value": string | null;
    "version": string;
    "tags": Array<string>;
    "links": Array<string>;
    "source": string;
    "author": string;
    "session": string;
    "trust": string;
    "recorded_at": string;
    "valid_from": string;
    "valid_to": string | null;
    "expires_at": string | null;
    "state": string;
    "conflict": boolean;
    [name: string]: unknown;
  }>;
  "state"?: string | null;
  "at"?: string | null;
  [name: string]: unknown;
};

export type RelateMemoriesArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  /** Maximum number of memories. */
  "top_k"?: number;
};
export type RelateMemoriesResult = {
  "query": string | null;
  "weak"?: boolean;
  "unknown"?: Array<string>;
  "hits": Array<{
    "key": string;
    "value": string | null;
    "version": string;
    "tags": Array<string>;
    "links": Array<string>;
    "source": string;
    "author": string;
    "session": string;
    "trust": string;
    "recorded_at": string;
    "valid_from": string;
    "valid_to": string | null;
    "expires_at": string | null;
    "shared": boolean;
    "created_at": string;
    "updated_at": string;
    "accessed_at": string | null;
    "recalls": number;
    "held_from"?: string | null;
    "held_until"?: string | null;
    "score": number;
    "signals": {
      [name: string]: unknown;
    };
    [name: string]: unknown;
  }>;
  "empty_reason": string | null;
  "degraded": Array<string>;
  "corrections": {
    [name: string]: unknown;
  };
  "time"?: string | null;
  [name: string]: unknown;
};

export type RememberIfAbsentArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  /** One fact, in words that make sense alone. */
  "value": string;
  /** Labels of the memory; by default none. */
  "tags"?: Array<string>;
  /** Its origin; facts of tool:NAME, web:NAME and URLs are untrusted until a review. */
  "source"?: string;
};
export type RememberIfAbsentResult = {
  "key": string | null;
  "version": string | null;
  "written": boolean;
  "waiting": boolean;
  "memory": {
    "key": string;
    "value": string | null;
    "version": string;
    "tags": Array<string>;
    "links": Array<string>;
    "source": string;
    "author": string;
    "session": string;
    "trust": string;
    "recorded_at": string;
    "valid_from": string;
    "valid_to": string | null;
    "expires_at": string | null;
    "shared": boolean;
    "created_at": string;
    "updated_at": string;
    "accessed_at": string | null;
    "recalls": number;
    "held_from"?: string | null;
    "held_until"?: string | null;
    [name: string]: unknown;
  } | null;
  "similar": Array<{
    "key": string;
    "value": string;
    "version": string;
    "likeness": number;
    "trust": string;
    [name: string]: unknown;
  }>;
  [name: string]: unknown;
};

export type RestoreMemoryArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  /** A version from its history. */
  "version": string;
};
export type RestoreMemoryResult = {
  "key": string | null;
  "version": string | null;
  "written": boolean;
  "waiting": boolean;
  "memory": {
    "key": string;
    "value": string | null;
    "version": string;
    "tags": Array<string>;
    "links": Array<string>;
    "source": string;
    "author": string;
    "session": string;
    "trust": string;
    "recorded_at": string;
    "valid_from": string;
    "valid_to": string | null;
    "expires_at": string | null;
    "shared": boolean;
    "created_at": string;
    "updated_at": string;
    "accessed_at": string | null;
    "recalls": number;
    "held_from"?: string | null;
    "held_until"?: string | null;
    [name: string]: unknown;
  } | null;
  "similar": Array<{
    "key": string;
    "value": string;
    "version": string;
    "likeness": number;
    "trust": string;
    [name: string]: unknown;
  }>;
  [name: string]: unknown;
};

export type ForgetAllArguments = {
  /** The tag of the memories to erase. */
  "tag": string;
};
export type ForgetAllResult = {
  "state": string | null;
  "at": string | null;
  "keys": Array<string>;
  "removed": {
    [name: string]: unknown;
  };
  "files": Array<string>;
  [name: string]: unknown;
};

export type RedactMemoryArguments = {
  /** Its key, as release/cadence. */
  "key": string;
  /** The text that people will read in its place. */
  "reason": string;
};
export type RedactMemoryResult = {
  "state": string | null;
  "at": string | null;
  "keys": Array<string>;
  "removed": {
    [name: string]: unknown;
  };
  "files": Array<string>;
  [name: string]: unknown;
};

export type RetrieveContextArguments = {
  /** The question or the request. */
  "query": string;
  /** Maximum number of passages; by default 6. */
  "limit"?: number;
  /** As in all searches, or by the weights of the sources alone. */
  "ranking"?: "common" | "weighted";
  /** Only records of these kinds; by default all. */
  "kinds"?: Array<"user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example">;
  /** Any of these. */
  "tags"?: Array<string>;
  /** Only records under these keys; by default all. */
  "source_keys"?: Array<string>;
  /** Search the user's records too. */
  "include_user_scope"?: boolean;
  /** Search records for all users too. */
  "include_global_scope"?: boolean;
  /** Destination of the answer; records whose policy forbids it are left out. */
  "model_target"?: "local" | "hosted";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type RetrieveContextResult = {
  "query_text": string | null;
  "items": Array<{
    "record_id": string;
    "chunk_id": number;
    "kind": string;
    "scope": string;
    "source_type": string;
    "content_class": string;
    "source_key": string | null;
    "source_version": number;
    "title": string;
    "text": string;
    "summary": string;
    "tags": Array<string>;
    "score": number;
    "parts": {
      [name: string]: unknown;
    };
    "selection_reason": string;
    "token_count_estimate": number;
    "created_at": string;
    "reference": string;
    "cut"?: boolean;
    "trust"?: string;
    [name: string]: unknown;
  }>;
  "weak"?: boolean;
  "unknown"?: Array<string>;
  "retrieval_strategy": string | null;
  "total_candidates": number;
  "excluded_counts": {
    [name: string]: unknown;
  };
  "degraded": Array<string>;
  [name: string]: unknown;
};

export type AssembleContextArguments = {
  /** The question or the request. */
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
  /** The question or the request. */
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
  "query_text": string | null;
  "assembly_mode": string | null;
  "token_budget": number;
  "token_count_estimate": number;
  "context_blocks": Array<{
    "name": string;
    "text": string;
    "score": number;
    "selection_reason": string;
    "token_count_estimate": number;
    "provenance": {
      [name: string]: unknown;
    };
    [name: string]: unknown;
  }>;
  "truncated": boolean;
  [name: string]: unknown;
};

export type ExplainSelectionArguments = {
  /** The question or the request. */
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
  "query_text": string | null;
  "assembly_mode": string | null;
  "items": Array<{
    "record_id": string;
    "chunk_id": number;
    "kind": string;
    "scope": string;
    "source_type": string;
    "content_class": string;
    "source_key": string | null;
    "source_version": number;
    "title": string;
    "text": string;
    "summary": string;
    "tags": Array<string>;
    "score": number;
    "parts": {
      [name: string]: unknown;
    };
    "selection_reason": string;
    "token_count_estimate": number;
    "created_at": string;
    "reference": string;
    "cut"?: boolean;
    "trust"?: string;
    "selected": boolean;
    "section": string | null;
    [name: string]: unknown;
  }>;
  "omitted_items": number;
  "total_candidates": number;
  "excluded_counts": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type PrepareTaskEnvelopeArguments = {
  /** The question or the request. */
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
  "subject": string | null;
  "workflow": string | null;
  "action": string | null;
  "output_type": string | null;
  "goal": string | null;
  "confidence": number;
  "constraints": Array<{
    "kind": string;
    "text": string;
    [name: string]: unknown;
  }>;
  "preferences": {
    [name: string]: unknown;
  } | null;
  "output_contract": {
    [name: string]: unknown;
  };
  "context": unknown;
  [name: string]: unknown;
};

export type GetPreferencesArguments = {
  /** The workflow; by default all. */
  "workflow"?: "reply" | "rewrite" | "code" | "draft" | "summarize" | "research" | "analyze" | "extract" | "plan" | "decide" | "update_record";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type GetPreferencesResult = {
  "levels": {
    [name: string]: unknown;
  };
  "style": {
    [name: string]: unknown;
  };
  "defaults": {
    [name: string]: unknown;
  };
  "notes": Array<string>;
  "evidence_count": number;
  "version": number;
  "explained": Array<{
    "name": string;
    "value": string;
    "origin": string;
    "workflow": string | null;
    "evidence": Array<{
      "name": string;
      "value": string;
      "origin": string;
      "workflow": string | null;
      "phrase": string | null;
      "text": string | null;
      "at": string;
      [name: string]: unknown;
    }>;
    [name: string]: unknown;
  }>;
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
  "id": string | null;
  "kind": string | null;
  "scope": string | null;
  "title": string | null;
  "text": string | null;
  "source_key": string | null;
  "source_version": number;
  "source_status": string | null;
  "tags": Array<string>;
  "policy": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type ListSourcesArguments = {
  /** Only records of this kind; by default all. */
  "kind"?: "user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example";
  /** Only records of this scope; by default all. */
  "scope"?: "session" | "user" | "global";
  /** Maximum number of records. */
  "limit"?: number;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type ListSourcesResult = {
  "items": Array<{
    "id": string | null;
    "kind": string | null;
    "scope": string | null;
    "title": string | null;
    "text": string | null;
    "source_key": string | null;
    "source_version": number;
    "source_status": string | null;
    "tags": Array<string>;
    "policy": {
      [name: string]: unknown;
    };
    [name: string]: unknown;
  }>;
  "total": number;
  [name: string]: unknown;
};

export type SourceStatsArguments = {
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type SourceStatsResult = {
  "record_count": number;
  "records_by_kind": {
    [name: string]: unknown;
  };
  "records_by_scope": {
    [name: string]: unknown;
  };
  "pruned_records_total": number;
  "pruned_by_reason": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type StoreSourceArguments = {
  /** The kind of the record. */
  "kind": "user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example";
  /** The text of the record. */
  "text": string;
  /** The reach of the record: this session, this user in all sessions, or all users. */
  "scope"?: "session" | "user" | "global";
  /** Words to find it by; by default none. */
  "tags"?: Array<string>;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type StoreSourceResult = {
  "id": string | null;
  "kind": string | null;
  "scope": string | null;
  "title": string | null;
  "text": string | null;
  "source_key": string | null;
  "source_version": number;
  "source_status": string | null;
  "tags": Array<string>;
  "policy": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type IngestSourceArguments = {
  /** The text; by default none, where structured_data is given. */
  "text"?: string;
  /** The kind of the record. */
  "kind"?: "user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example";
  /** The reach of the record: this session, this user in all sessions, or all users. */
  "scope"?: "session" | "user" | "global";
  /** A name that stays when the text changes. */
  "source_key"?: string;
  /** A heading; by default none. */
  "title"?: string;
  /** Words to find it by; by default none. */
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
  "id": string | null;
  "kind": string | null;
  "scope": string | null;
  "title": string | null;
  "text": string | null;
  "source_key": string | null;
  "source_version": number;
  "source_status": string | null;
  "tags": Array<string>;
  "policy": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type UpsertSourceArguments = {
  /** A name that stays when the text changes. */
  "source_key": string;
  /** The text of the record. */
  "text": string;
  /** The kind of the record. */
  "kind"?: "user_prompt" | "normalized_query" | "assistant_answer" | "routing_decision" | "decision_trace" | "topic_pattern" | "research_plan" | "search_query" | "evidence_summary" | "research_report" | "research_finding" | "user_profile_note" | "decision_outcome" | "training_example";
  /** The reach of the record: this session, this user in all sessions, or all users. */
  "scope"?: "session" | "user" | "global";
  /** A heading; by default none. */
  "title"?: string;
  /** Words to find it by; by default none. */
  "tags"?: Array<string>;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type UpsertSourceResult = {
  "id": string | null;
  "kind": string | null;
  "scope": string | null;
  "title": string | null;
  "text": string | null;
  "source_key": string | null;
  "source_version": number;
  "source_status": string | null;
  "tags": Array<string>;
  "policy": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type UpdatePreferenceArguments = {
  /** A text that the user approved; only its telling phrases are stored. */
  "approved_text"?: string;
  /** The workflow; by default all. */
  "workflow"?: "reply" | "rewrite" | "code" | "draft" | "summarize" | "research" | "analyze" | "extract" | "plan" | "decide" | "update_record";
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
  "changed": boolean;
  "learned": Array<{
    "name": string;
    "value": string;
    "origin": string;
    "workflow": string | null;
    "phrase": string | null;
    "text": string | null;
    "at": string;
    [name: string]: unknown;
  }>;
  "removed": number;
  "preferences": {
    [name: string]: unknown;
  };
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
  "changed": boolean;
  "learned": Array<{
    "name": string;
    "value": string;
    "origin": string;
    "workflow": string | null;
    "phrase": string | null;
    "text": string | null;
    "at": string;
    [name: string]: unknown;
  }>;
  "removed": number;
  "preferences": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type DeleteSourceArguments = {
  /** A name that stays when the text changes. */
  "source_key": string;
  /** The reach of the record: this session, this user in all sessions, or all users. */
  "scope"?: "session" | "user" | "global";
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type DeleteSourceResult = {
  "source_key": string | null;
  "source_status": string | null;
  "reason": string | null;
  "deleted": number;
  "record_ids": Array<string>;
  "dry_run": boolean;
  [name: string]: unknown;
};

export type PruneSourcesArguments = {
  /** Keep this many of each owner, scope and kind, those used last. */
  "max_records"?: number;
  /** Delete older ones without a policy of their own. */
  "retention_days"?: number;
  /** Only list what would be deleted. */
  "dry_run"?: boolean;
  /** The user who asks or owns; by default the owner that the server serves. */
  "user_id"?: string;
  /** The session. */
  "session_id"?: string;
};
export type PruneSourcesResult = {
  "pruned_records": number;
  "receipts": Array<{
    "reason": string | null;
    "deleted": number;
    "record_ids": Array<string>;
    "dry_run": boolean;
    [name: string]: unknown;
  }>;
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
  /** The kind of text that ranks higher. */
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
  "hints": Array<{
    "type": string;
    "text": string;
    [name: string]: unknown;
  }>;
  "data": {
    "version": number;
    "query": string;
    "model_id": string;
    "profile": string;
    "items": Array<{
      "id": string;
      "role": string;
      "file": string;
      "start_line": number;
      "end_line": number;
      "score": number;
      "imports": Array<string>;
      "content": string;
      "type": string;
      "symbol"?: string;
      "variant"?: string;
      "relationship"?: Array<string>;
      "distance"?: number;
      "related_to"?: string;
      "ambiguous"?: boolean;
      "changed"?: boolean;
      [name: string]: unknown;
    }>;
    "budget": {
      "max_chars": number;
      "used_chars": number;
      "truncated": boolean;
      "dropped_items": number;
      "min_chars"?: number;
      [name: string]: unknown;
    };
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type CodeTraceArguments = {
  /** A stack trace, also in JSON, or output of a failing test. */
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
  /** A diff (`git diff`), names, also of packages, path:line, path:Name or a route. */
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
  /** A diff (`git diff`), names, also of packages, path:line, path:Name or a route. */
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
  /** A name (Cart, Cart.total, a package), path:line, path:Name or a route. */
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
  "kind"?: "function" | "method" | "class" | "struct" | "enum" | "interface" | "module" | "impl" | "type" | "const" | "variable";
  /** Maximum number of symbols. */
  "limit"?: number;
};
export type SymbolsResult = {
  "status": string;
  "hints": Array<{
    "type": string;
    "text": string;
    [name: string]: unknown;
  }>;
  "data": {
    "symbols": Array<{
      "symbol": string;
      "type": string;
      "file": string;
      "start_line": number;
      "end_line": number;
      "signature"?: string;
      "doc"?: string;
      [name: string]: unknown;
    }>;
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type RelatedArguments = {
  /** A name (Cart, Cart.total), path:line, path:Name, a file, or a route (POST /orders/{id}). */
  "reference": string;
  /** Up to one, two or three steps away. */
  "strategy"?: "direct" | "extended" | "deep";
  /** Maximum number of symbols. */
  "limit"?: number;
};
export type RelatedResult = {
  "status": string;
  "hints": Array<{
    "type": string;
    "text": string;
    [name: string]: unknown;
  }>;
  "data": {
    "related": Array<{
      "symbol": string;
      "type": string;
      "file": string;
      "start_line": number;
      "end_line": number;
      "signature"?: string;
      "doc"?: string;
      "relationship": Array<string>;
      "distance": number;
      "relevance"?: number;
      "at"?: string;
      "ambiguous"?: boolean;
      "through"?: string;
      [name: string]: unknown;
    }>;
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type CallersArguments = {
  /** A name (Cart, Cart.total), path:line, path:Name, a file, or a route (POST /orders/{id}). */
  "reference": string;
  /** Maximum number of callers. */
  "limit"?: number;
};
export type CallersResult = {
  "status": string;
  "hints": Array<{
    "type": string;
    "text": string;
    [name: string]: unknown;
  }>;
  "data": {
    "callers": Array<{
      "symbol": string;
      "type": string;
      "file": string;
      "start_line": number;
      "end_line": number;
      "signature"?: string;
      "doc"?: string;
      "relationship": Array<string>;
      "distance": number;
      "relevance"?: number;
      "at"?: string;
      "ambiguous"?: boolean;
      "through"?: string;
      [name: string]: unknown;
    }>;
    [name: string]: unknown;
  };
  "meta": {
    [name: string]: unknown;
  };
  [name: string]: unknown;
};

export type TestsForArguments = {
  /** A name (Cart, Cart.total), path:line, path:Name, a file, or a route (POST /orders/{id}). */
  "reference": string;
  /** Maximum number of tests. */
  "limit"?: number;
};
export type TestsForResult = {
  "status": string;
  "hints": Array<{
    "type": string;
    "text": string;
    [name: string]: unknown;
  }>;
  "data": {
    "tests": Array<{
      "symbol": string;
      "type": string;
      "file": string;
      "start_line": number;
      "end_line": number;
      "signature"?: string;
      "doc"?: string;
      "relationship": Array<string>;
      "distance": number;
      "relevance"?: number;
      "at"?: string;
      "ambiguous"?: boolean;
      "through"?: string;
      [name: string]: unknown;
    }>;
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
  /** Only this kind of text; by default both. */
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
  "sources": Array<{
    "label": string;
    "kind": string;
    "origin": string;
    "added": string;
    "checked": string;
    "bytes": number;
    "texts": number;
    "state": string;
    [name: string]: unknown;
  }>;
  "sessions": Array<{
    "session": string;
    "short": string;
    "client": string;
    "folder": string;
    "started": string;
    "last": string;
    "events": number;
    "evicted": number;
    "request": string | null;
    [name: string]: unknown;
  }>;
  "store": {
    [name: string]: unknown;
  };
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
  /** current, all, or a session; by default current, or all of a time. */
  "session"?: string;
  /** Number of events, the newest. */
  "limit"?: number;
  /** Only these kinds, as decision or error. */
  "category"?: Array<string>;
  /** Only from this moment on: 2026-10-01, yesterday, 3 days ago, last week. */
  "since"?: string;
  /** Only before this moment. */
  "before"?: string;
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
  "label"?: string | null;
  "uri"?: string | null;
  "replaced"?: boolean;
  "changed"?: boolean;
  "added"?: number;
  "updated"?: number;
  "unchanged"?: number;
  "removed"?: number;
  "chunks"?: number;
  "issues"?: Array<{
    "uri": string;
    "reason": string;
    "detail": string;
    [name: string]: unknown;
  }>;
  [name: string]: unknown;
};

export type CtxFetchAndIndexArguments = {
  /** An https:// address. */
  "url"?: string;
  /** The label; by default the address. */
  "source"?: string;
  /** Several at once, each with its label. */
  "requests"?: Array<{
    "url": string;
    "source"?: string;
    [name: string]: unknown;
  }>;
  /** Number of simultaneous fetches. */
  "concurrency"?: number;
  /** Fetch although it was fetched within a day. */
  "force"?: boolean;
};
export type CtxFetchAndIndexResult = {
  [name: string]: unknown;
};

export type CtxBatchExecuteArguments = {
  /** As [{"label": "tests", "command": ["pytest", "-q"]}]: lists of words, which no shell reads. */
  "commands": Array<{
    "label"?: string;
    "command": Array<string>;
    [name: string]: unknown;
  }>;
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
  "texts"?: number;
  "sessions"?: number;
  "events"?: number;
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
  "packing"?: "auto" | "skip" | "prefix";
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type ContextPackResult = {
  "query": string | null;
  "chunks": Array<{
    "id": unknown;
    "score": number;
    "tokens": number;
    "text": string;
    "span"?: Array<number>;
    [name: string]: unknown;
  }>;
  "citations": Array<unknown>;
  "budgetTokens": number;
  "usedTokens": number;
  "truncated": boolean;
  [name: string]: unknown;
};

export type VsearchArguments = {
  /** The collection. */
  "collection": string;
  /** The field, a dotted path, whose text is compared. */
  "field": string;
  /** The text that the documents should be near to. */
  "query": string;
  /** Maximum number of documents. */
  "limit"?: number;
  /** A MongoDB-style filter, as {"status": "open"}. */
  "filter"?: {
    [name: string]: unknown;
  };
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type VsearchResult = {
  "hits": Array<{
    "id": unknown;
    "score": number;
    "document": {
      [name: string]: unknown;
    };
    [name: string]: unknown;
  }>;
  "embedder": string | null;
  "stale": number;
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
  /** Maximum number of documents. */
  "limit"?: number;
  /** Number of matching documents to leave out first. */
  "skip"?: number;
  /** Another store, below the server's roots. */
  "path"?: string;
};
export type FindResult = {
  "documents": Array<{
    [name: string]: unknown;
  }>;
  "matched"?: number;
  "hint"?: string | null;
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
  "strategy": string | null;
  "indexes": Array<string>;
  "documents": number;
  "examined": number;
  "matched": number;
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
  "predicates": Array<{
    "path": string;
    "filter": {
      [name: string]: unknown;
    };
    "matched": number;
    "hint"?: string;
    [name: string]: unknown;
  }>;
  "matched": number;
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
  "collection": string | null;
  "inserted": number;
  "ids"?: Array<unknown>;
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
  "token": string | null;
  "matched": number;
  "changed": number;
  "sampleBeforeAfter": Array<{
    "before": {
      [name: string]: unknown;
    };
    "after": {
      [name: string]: unknown;
    };
    [name: string]: unknown;
  }>;
  "hint"?: string | null;
  [name: string]: unknown;
};

export type ApplyArguments = {
  /** From `plan_update`. */
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
  "deleted": number;
  "hint"?: string | null;
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
  /** Ask this first: what a task or question needs (to fix, add, change, explain, continue; how, why, which rules) from this project's code, documents, decisions and memories, in one answer within a token budget, cited as path:lines. */
  pack(args: PackArguments, options?: CallOptions): Promise<PackResult>;
  /** Find where a word, name, phrase or topic is mentioned: list ranked places (files, functions), a line of text for each hit. For exploring; `get` opens one, `pack` answers a task. */
  search(args: SearchArguments, options?: CallOptions): Promise<SearchResult>;
  /** Open and read the exact text or lines behind a reference (path, citation, result, id), the rest of a long text a page at a time; verify it, and whether the file has changed since it was indexed. */
  get(args: GetArguments, options?: CallOptions): Promise<GetResult>;
  /** Remember for later sessions and agents: note, save, record or keep a fact, decision, preference or lesson, or update it. The key's previous value stays in its history. */
  remember(args: RememberArguments, options?: CallOptions): Promise<RememberResult>;
  /** Forget one memory: delete, erase, remove or wipe a saved fact or note by its key, history included. */
  forget(args: ForgetArguments, options?: CallOptions): Promise<ForgetResult>;
  /** Status of the store: how many files, records, memories and documents, how big and fresh the index is, what changed on disk, and the skipped files. */
  status(args?: StatusArguments, options?: CallOptions): Promise<StatusResult>;
  /** Memories (notes, facts) about a topic as one Markdown block: as many as fit a token budget. */
  pack_context(args: PackContextArguments, options?: CallOptions): Promise<PackContextResult>;
  /** Search memories: saved facts and notes by words and by meaning, and why each matched: its scores. */
  search_memories(args: SearchMemoriesArguments, options?: CallOptions): Promise<SearchMemoriesResult>;
  /** List memories in the order of their keys, a page at a time; all saved notes, or those with a tag. */
  list_memories(args?: ListMemoriesArguments, options?: CallOptions): Promise<ListMemoriesResult>;
  /** List all tags (labels) that memories carry, and how many memories each has. */
  list_tags(args?: ListTagsArguments, options?: CallOptions): Promise<ListTagsResult>;
  /** Recall a memory: the value stored under a key, with its version, or when it was forgotten or redacted. */
  recall(args: RecallArguments, options?: CallOptions): Promise<RecallResult>;
  /** History of one memory: every earlier version and value of a key, before it was changed, newest first. */
  memory_history(args: MemoryHistoryArguments, options?: CallOptions): Promise<MemoryHistoryResult>;
  /** Memories near another: those that a memory links to, and the nearest neighbours of it by meaning. */
  relate_memories(args: RelateMemoriesArguments, options?: CallOptions): Promise<RelateMemoriesResult>;
  /** Remember a value only if its key has none yet, without overwriting; else return the existing value. */
  remember_if_absent(args: RememberIfAbsentArguments, options?: CallOptions): Promise<RememberIfAbsentResult>;
  /** Restore an older version of a memory: undo a change and put the old value back. */
  restore_memory(args: RestoreMemoryArguments, options?: CallOptions): Promise<RestoreMemoryResult>;
  /** Erase all memories with a tag at once: every memory that ever carried it. */
  forget_all(args: ForgetAllArguments, options?: CallOptions): Promise<ForgetAllResult>;
  /** Redact a memory: remove one key and make sure that it is never saved or remembered again. */
  redact_memory(args: RedactMemoryArguments, options?: CallOptions): Promise<RedactMemoryResult>;
  /** Ranked passages (parts) of stored records that answer a question, best first, for one user and session, with every part of each score. */
  retrieve_context(args: RetrieveContextArguments, options?: CallOptions): Promise<RetrieveContextResult>;
  /** Assemble one prompt text in sections from a user's stored records for a question, within a token budget, for one user and session. */
  assemble_context(args: AssembleContextArguments, options?: CallOptions): Promise<AssembleContextResult>;
  /** Separate blocks of records for a question, each with its record, version and checksum (hash), for an audit. */
  prepare_context(args: PrepareContextArguments, options?: CallOptions): Promise<PrepareContextResult>;
  /** Explain the selection: why each record would be in the assembled text for a question, or was left out. */
  explain_selection(args: ExplainSelectionArguments, options?: CallOptions): Promise<ExplainSelectionResult>;
  /** Parse a user's request into its intent (workflow, target, constraints, output contract), with its context and the user's preferences. */
  prepare_task_envelope(args: PrepareTaskEnvelopeArguments, options?: CallOptions): Promise<PrepareTaskEnvelopeResult>;
  /** A user's preferences of writing style, as learned or set, each with the phrase and the approved text that taught it. */
  get_preferences(args?: GetPreferencesArguments, options?: CallOptions): Promise<GetPreferencesResult>;
  /** Show one stored record by its id or number, with its version, status, policy and parts. */
  get_source(args: GetSourceArguments, options?: CallOptions): Promise<GetSourceResult>;
  /** List the active records that a user and session can see, the newest first; of a kind or scope. */
  list_sources(args?: ListSourcesArguments, options?: CallOptions): Promise<ListSourcesResult>;
  /** Count a user's records by kind, scope, type and status, and the pruned records by reason. */
  source_stats(args?: SourceStatsArguments, options?: CallOptions): Promise<SourceStatsResult>;
  /** Store a finished text as a user's record: a note, a decision, a summary. */
  store_source(args: StoreSourceArguments, options?: CallOptions): Promise<StoreSourceResult>;
  /** Ingest a new source with title, scope and structured data, for this session, this user or all users, and whether remote models may see it; under an existing key, as its next version. */
  ingest_source(args?: IngestSourceArguments, options?: CallOptions): Promise<IngestSourceResult>;
  /** Write a source under a key: create it, do nothing for the same content, else add a version. */
  upsert_source(args: UpsertSourceArguments, options?: CallOptions): Promise<UpsertSourceResult>;
  /** Learn a user's preferences (tone, style) from an approved text, or set one preference by name. */
  update_preference(args?: UpdatePreferenceArguments, options?: CallOptions): Promise<UpdatePreferenceResult>;
  /** Forget a user's learned and set preferences of style: clear one or all. */
  reset_preferences(args?: ResetPreferencesArguments, options?: CallOptions): Promise<ResetPreferencesResult>;
  /** Erase a user's record or source by its key, in every version; a tombstone without text stays. */
  delete_source(args: DeleteSourceArguments, options?: CallOptions): Promise<DeleteSourceResult>;
  /** Prune a user's records: erase those that are too old (days) or too many, by their policies and these bounds, with every version; dry_run=true lists them first and erases nothing. */
  prune_sources(args?: PruneSourcesArguments, options?: CallOptions): Promise<PruneSourcesResult>;
  /** Source code for a task with its neighbours in the graph: symbols, callers, users, subclasses and tests, as Context Pack v1 within a number of characters. */
  code_pack(args: CodePackArguments, options?: CallOptions): Promise<CodePackResult>;
  /** Find the code at fault for a traceback, stack trace or the output of a failed test: functions of its frames, and code near its words. */
  code_trace(args: CodeTraceArguments, options?: CallOptions): Promise<CodeTraceResult>;
  /** Changes that go with a diff or a renamed symbol: what else must change, callers, twins, tests, pages (docs), configuration. */
  code_impact(args: CodeImpactArguments, options?: CallOptions): Promise<CodeImpactResult>;
  /** Choose which tests to run, and to read, for a diff, patch or changed names. */
  code_tests(args: CodeTestsArguments, options?: CallOptions): Promise<CodeTestsResult>;
  /** Examples of how a symbol is used: real calls of it from different files and modules, programs before tests. */
  code_uses(args: CodeUsesArguments, options?: CallOptions): Promise<CodeUsesResult>;
  /** Outline of the repository at a glance, in a number of tokens: files, and the classes and functions in them that matter most. */
  code_map(args?: CodeMapArguments, options?: CallOptions): Promise<CodeMapResult>;
  /** Definitions of a class, function or other symbol by name: where it is defined, with signature, place and docstring; equal names first. */
  symbols(args?: SymbolsArguments, options?: CallOptions): Promise<SymbolsResult>;
  /** The neighbours of a symbol, file or route's handler in the graph: callers, callees, base classes, members, tests, pages. */
  related(args: RelatedArguments, options?: CallOptions): Promise<RelatedResult>;
  /** Callers of a function: who calls a symbol, its users and subclasses, with lines; resolved through imports, ambiguous ones marked; for a file those in other files. Ask before you change it. */
  callers(args: CallersArguments, options?: CallOptions): Promise<CallersResult>;
  /** Tests that cover or exercise one symbol: those that call or use it, its members, or, when none does, its callers. */
  tests_for(args: TestsForArguments, options?: CallOptions): Promise<TestsForResult>;
  /** Search what this session has already stored, read or run, and everything indexed. Ask before reading a file or running a command again. */
  ctx_search(args?: CtxSearchArguments, options?: CallOptions): Promise<CtxSearchResult>;
  /** Inventory of the labelled sources and the stored sessions, with their age and freshness. */
  ctx_stats(args?: CtxStatsArguments, options?: CallOptions): Promise<CtxStatsResult>;
  /** Resume a session after its context was compacted: its state, last request, open errors and tasks, constraints, decisions, each cited. */
  session_resume(args?: SessionResumeArguments, options?: CallOptions): Promise<SessionResumeResult>;
  /** Write a table of contents of a session, for the time after its context is compacted. */
  session_snapshot(args?: SessionSnapshotArguments, options?: CallOptions): Promise<SessionSnapshotResult>;
  /** Events of a session in order of time: what happened, step by step. */
  session_timeline(args?: SessionTimelineArguments, options?: CallOptions): Promise<SessionTimelineResult>;
  /** Index a text, a file or a folder as a source under a label, so that search finds it. */
  ctx_index(args: CtxIndexArguments, options?: CallOptions): Promise<CtxIndexResult>;
  /** Download (fetch) web pages from a URL (https://) and make them searchable, each as a source. Off unless the server runs with DAYPACK_WEB=1. */
  ctx_fetch_and_index(args?: CtxFetchAndIndexArguments, options?: CallOptions): Promise<CtxFetchAndIndexResult>;
  /** Run (execute) commands in the project's folder, keep their full output as sources, and show only the parts that answer the queries, such as failures. */
  ctx_batch_execute(args: CtxBatchExecuteArguments, options?: CallOptions): Promise<CtxBatchExecuteResult>;
  /** Delete everything stored from a session, from all sessions of the project, or of one labelled source. */
  ctx_purge(args: CtxPurgeArguments, options?: CallOptions): Promise<CtxPurgeResult>;
  /** The texts of a collection's field that a task needs, packed into a token budget and cited by _id. */
  context_pack(args: ContextPackArguments, options?: CallOptions): Promise<ContextPackResult>;
  /** Documents of a collection semantically closest to a query: nearest neighbours by cosine of embeddings, of those that match the filter. */
  vsearch(args: VsearchArguments, options?: CallOptions): Promise<VsearchResult>;
  /** Find (fetch, query) documents of a collection that match a filter, such as status or date, sorted and limited, as Extended JSON. */
  find(args: FindArguments, options?: CallOptions): Promise<FindResult>;
  /** Describe the collections: their fields (schema), types, frequencies, and a sample document. Ask this before filtering. */
  describe(args?: DescribeArguments, options?: CallOptions): Promise<DescribeResult>;
  /** Explain the plan of a filter: whether it uses an index or a scan, and the number of documents. */
  explain(args: ExplainArguments, options?: CallOptions): Promise<ExplainResult>;
  /** Find out why a filter matches no documents: how many each condition matches by itself. */
  diagnose(args: DiagnoseArguments, options?: CallOptions): Promise<DiagnoseResult>;
  /** Add one new document to a collection, which is created when it is new. */
  insert(args: InsertArguments, options?: CallOptions): Promise<InsertResult>;
  /** Preview an update of documents: what setting fields would change, with documents before and after. Nothing is changed; `apply` takes the token. */
  plan_update(args: PlanUpdateArguments, options?: CallOptions): Promise<PlanUpdateResult>;
  /** Carry out (commit) a planned update by its token, as a whole, or not at all when a document changed since. */
  apply(args: ApplyArguments, options?: CallOptions): Promise<ApplyResult>;
  /** Undo a planned update that was applied: restore the documents as they were before. */
  rollback(args: RollbackArguments, options?: CallOptions): Promise<RollbackResult>;
  /** Delete the documents of a collection that match a filter. It cannot be undone. */
  delete(args: DeleteArguments, options?: CallOptions): Promise<DeleteResult>;
  /** Index files and folders of the project, and remember them for later refreshes. */
  add(args?: AddArguments, options?: CallOptions): Promise<AddResult>;
  /** Make every vector that is missing, so that the model's vectors rank from the next question on. */
  embed(args?: EmbedArguments, options?: CallOptions): Promise<EmbedResult>;
}
