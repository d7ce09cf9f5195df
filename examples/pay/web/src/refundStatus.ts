/** What support sees beside a refund. */

export type RefundState = "requested" | "sent" | "settled" | "failed";

export interface RefundRow {
  id: string;
  state: RefundState;
  reason?: string;
  attempts: number;
  nextAttemptAt?: Date;
}

/** A label in plain words. A refund that waits for its next attempt says when that is. */
export function statusLabel(row: RefundRow, now: Date = new Date()): string {
  switch (row.state) {
    case "requested":
      return row.attempts > 0 ? `waiting, attempt ${row.attempts + 1} ${inSeconds(row.nextAttemptAt, now)}` : "waiting to be sent";
    case "sent":
      return "with the provider";
    case "settled":
      return "paid back";
    case "failed":
      return row.reason === "attempts_exhausted" ? "failed after 5 attempts: ask on-call" : `refused: ${row.reason ?? "no reason given"}`;
  }
}

function inSeconds(when: Date | undefined, now: Date): string {
  if (!when) return "soon";
  return `in ${Math.max(0, Math.round((when.getTime() - now.getTime()) / 1000))} s`;
}
