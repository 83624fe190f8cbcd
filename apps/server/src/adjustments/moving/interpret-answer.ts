import type { AdjustmentRowsTable, ChunkChange } from "../../database/tables.ts";
import type { AdjustError, AdjustErrorCode, AdjustOutcome, RecordedChange } from "../../shopify/shopify.ts";
import type { ChunkRow } from "./chunk-queries.ts";
import {
  type Comparison,
  compareReading,
  compareWithSend,
  type Levels,
  type SendWindow,
  unbounded,
} from "./stock-readings.ts";

/** What is settled about a row. */
export type RowOutcome =
  /** `byReading` where no answer says so and the shop's stock does. */
  | { readonly state: "confirmed"; readonly note?: string; readonly byReading?: true }
  /** Not applied; it goes again. Doubtful where a reading alone shows that, stale where Shopify named it as moved. */
  | { readonly state: "waiting"; readonly doubtful: boolean; readonly stale: boolean }
  | { readonly state: "unclear"; readonly note: string; readonly doubtful?: true }
  | {
      readonly state: "not_moved";
      readonly note: string;
      readonly unmovable: AdjustmentRowsTable["unmovable"];
    };

/** What Shopify answered to a send, or that nothing more is to be sent. */
export interface Answer {
  /** Whether it is certain that the send did nothing beyond `recorded`. */
  readonly certain: boolean;
  /** The group that Shopify named. Without one nothing was applied: what is applied is recorded in a group. */
  readonly groupId: string | null;
  readonly recorded: readonly RecordedChange[];
  readonly errors: readonly AdjustError[];
  /** Why no row of the chunk is sent again; null where rows may be. */
  readonly refusal: string | null;
  /** Whether a send may still be applied, although none follows. */
  readonly mayStillCome: boolean;
}

/** What came of a send. */
export type SendResult =
  | { readonly kind: "answered"; readonly answer: Answer }
  /** It may have run or not: no answer came, or Shopify itself asks for the same send again. */
  | {
      readonly kind: "lost";
      readonly reason: Extract<AdjustOutcome, { kind: "unknown" }>["reason"];
      readonly message: string;
      /** Shopify says that another send with the key is under way. */
      readonly underWay: boolean;
    }
  /** It certainly did not run, and may go again. */
  | {
      readonly kind: "not-run";
      readonly reason: Exclude<Extract<AdjustOutcome, { kind: "notApplied" }>["reason"], "rejected">;
      readonly message: string;
      readonly retryAfterMs: number | null;
    };

/** Nothing was sent, or the answer settles nothing: only readings decide. `refusal`: why rows are not sent again either. */
export function noAnswer(refusal: string | null): Answer {
  return { certain: false, groupId: null, recorded: [], errors: [], refusal, mayStillCome: false };
}

/** Shopify keeps a key for 24 hours; an hour is left for clocks that disagree. */
const keyTrustedMs = 23 * 60 * 60 * 1000;

const stillUnderWay =
  "Shopify said that it was working on this change and reported no result within 23 hours. It will not be sent again.";

/**
 * What replaces the answer, where one was lost and the same bytes may not go again; null where they may: while no row
 * has moved. Of rows of which one has, some may be applied, and a shop that respects neither the key nor the compare
 * values would apply them once more: each is settled by what was read, and what did not move goes again without them.
 */
export function answerInsteadOfResending(
  { changes, sentAt, underWay }: Pick<ChunkRow, "changes" | "sentAt" | "underWay">,
  readAgain: Levels,
  now: number,
): Answer | null {
  if (now - (sentAt?.getTime() ?? 0) >= keyTrustedMs) {
    if (underWay) return { ...noAnswer(stillUnderWay), mayStillCome: true };
    return noAnswer(
      "Shopify did not respond for 23 hours and its stock was not moved. It will not be sent again.",
    );
  }
  const allUnmoved = changes.every((change) => compareReading(change, readAgain) === "unmoved");
  return allUnmoved ? null : noAnswer(null);
}

/** What came of a send, by what the platform returned. */
export function interpretAnswer(outcome: AdjustOutcome): SendResult {
  switch (outcome.kind) {
    case "unknown":
      return { kind: "lost", reason: outcome.reason, message: outcome.message, underWay: false };
    case "notApplied": {
      const { reason, message, retryAfterMs } = outcome;
      if (reason !== "rejected") return { kind: "not-run", reason, message, retryAfterMs };
      return answered({ refusal: refusedBecause(message) });
    }
    case "noop":
      // Deltas of zero are never sent, so nothing was confirmed and nothing denied.
      return { kind: "answered", answer: noAnswer(null) };
    case "applied":
      return answered({ groupId: outcome.groupId, recorded: outcome.changes });
    case "userErrors": {
      const { errors, changes: recorded, groupId } = outcome;
      const repeated = groupId === null ? errors.find(({ code }) => isAmong(REPEATED, code)) : undefined;
      if (repeated === undefined) {
        return answered({ groupId, recorded, errors, refusal: generalRefusal(errors) });
      }
      const underWay = repeated.code === "IDEMPOTENCY_CONCURRENT_REQUEST";
      return { kind: "lost", reason: "server-error", message: repeated.message, underWay };
    }
  }
}

function answered(given: Partial<Answer>): SendResult {
  return { kind: "answered", answer: { ...noAnswer(null), certain: true, ...given } };
}

/** Codes after which the same bytes go again with the same key: another send is under way, or it asks to try again. */
const REPEATED: readonly AdjustErrorCode[] = [
  "IDEMPOTENCY_CONCURRENT_REQUEST",
  "SERVICE_UNAVAILABLE",
  "ADJUST_QUANTITIES_FAILED",
];

const STALE: AdjustErrorCode = "CHANGE_FROM_QUANTITY_STALE";

/** Not applied, and nothing wrong with the rows. The second code is a burnt key: a new one is all they need. */
const NO_REFUSAL: readonly AdjustErrorCode[] = [STALE, "IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED"];

function isAmong(codes: readonly AdjustErrorCode[], code: AdjustErrorCode | null): boolean {
  return code !== null && codes.includes(code);
}

function generalRefusal(errors: readonly AdjustError[]): string | null {
  const error = errors.find(({ code, changeIndex }) => changeIndex === null && !isAmong(NO_REFUSAL, code));
  return error === undefined ? null : refusedBecause(error.message);
}

function refusedBecause(message: string): string {
  return `Refused by Shopify: ${message}`;
}

const GONE_FOR_GOOD: Partial<Record<AdjustErrorCode, AdjustmentRowsTable["unmovable"]>> = {
  INVALID_INVENTORY_ITEM: "DELETED",
  NON_MUTABLE_INVENTORY_ITEM: "BUNDLE",
};

export interface Evidence {
  readonly changes: readonly ChunkChange[];
  /** Whether the answer of an earlier send of the same bytes was lost. */
  readonly answerLost: boolean;
  /** Whether Shopify has answered to one of them that another was under way. */
  readonly underWay: boolean;
  /** The SKUs that a reading after the last send that may have run showed as not moved. */
  readonly stoodStill: ReadonlySet<string>;
  /** When the last send that may have run was applied, if it was. */
  readonly window: SendWindow | null;
  /** The SKUs of which an earlier attempt may still arrive. */
  readonly doubtful: ReadonlySet<string>;
  readonly answer: Answer;
  /** Read right before the send; null for a first send, whose compare values are that reading. */
  readonly beforeSend: Levels | null;
  readonly now: Levels;
}

/**
 * Settles every row of a chunk, by SKU. What Shopify recorded is confirmed. Where every answer so far arrived, the rest
 * was not applied. Where one was lost, only readings decide: a row that did not move was not applied, one that moved by
 * just its delta while the send was under way was, and any other is for a person. Nothing is guessed.
 */
export function classifyRows(evidence: Evidence): Map<string, RowOutcome> {
  const believed = believeItsWord(evidence);
  const together = movedTogether(believed);
  return new Map(
    evidence.changes.map((change, index) => [change.sku, classifyRow(change, index, believed, together)]),
  );
}

/**
 * A send that Shopify says it is working on may be applied at any time in the pauses that follow, which are longer than a
 * send is waited for: many rows that moved together are that send, whenever it was. A few may as well be sales.
 */
function believeItsWord(evidence: Evidence): Evidence {
  const atAnyTime = { ...evidence, window: unbounded };
  return evidence.underWay && movedTogether(atAnyTime) === "many" ? atAnyTime : evidence;
}

function classifyRow(
  change: ChunkChange,
  index: number,
  evidence: Evidence,
  together: MovedTogether,
): RowOutcome {
  const { answer, stoodStill } = evidence;
  const recorded = answer.recorded.find((row) => row.inventoryItemId === change.inventoryItemId);
  if (recorded !== undefined) return recordedOutcome(change, recorded);
  const refused = refusedRow(index, answer);
  const read = doubtfulComparison(change, evidence);
  if (read === null) return refused ?? refusedWholly(answer) ?? answeredOutcome(change, index, evidence);
  const credible = together === "many" || (together === "few" && !stoodStill.has(change.sku));
  return readOutcome(read, credible, refused ?? refusedAfterLoss(answer));
}

/** What readings show of a row that only they can decide; null where the answer does. */
function doubtfulComparison(change: ChunkChange, evidence: Evidence): Comparison | null {
  const { answer, answerLost, doubtful, window, beforeSend, now } = evidence;
  if (!answer.certain) return compareWithSend(change, now, window);
  if (!answerLost && !doubtful.has(change.sku)) return null;
  const earlier = beforeSend === null ? "unmoved" : compareWithSend(change, beforeSend, window);
  // The last send did nothing to it: a row that had moved by then was moved by an earlier one. One that had not moved
  // then and has by now was moved by something that was still under way, or by a sale.
  if (earlier === "moved-by-delta") return earlier;
  return earlier === "unmoved" && compareReading(change, now) === "unmoved" ? "unmoved" : "other";
}

/** So many rows do not move by just their deltas at once unless the call was applied. */
const tooManyForChance = 3;

/** How many rows that look applied may be believed. */
type MovedTogether = "none" | "few" | "many";

/**
 * Whether rows that look applied may be believed. A call is applied as a whole: a few that moved by just their delta
 * among more that did not move are sales (`none`), many are the adjustment though they had not moved yet when they were
 * read after it had been sent, a few without others are it unless they had not. Each has moved while it was under way.
 */
function movedTogether({ changes, answer, window, beforeSend, now }: Evidence): MovedTogether {
  const levels = answer.certain && beforeSend !== null ? beforeSend : now;
  const comparisons = changes.map((change) => compareWithSend(change, levels, window));
  const count = (wanted: Comparison) => comparisons.filter((comparison) => comparison === wanted).length;
  if (count("moved-by-delta") <= count("unmoved")) return "none";
  return count("moved-by-delta") >= tooManyForChance ? "many" : "few";
}

function recordedOutcome(change: ChunkChange, recorded: RecordedChange): RowOutcome {
  if (recorded.delta === change.delta) return { state: "confirmed" };
  return { state: "unclear", note: `Shopify recorded ${recorded.delta} instead of ${change.delta}.` };
}

/** A row that Shopify refuses itself. It would refuse the same row of a lost send too, if that still came. */
function refusedRow(index: number, { errors }: Answer): RowOutcome | null {
  const named = errors.find(({ changeIndex, code }) => changeIndex === index && !isAmong(NO_REFUSAL, code));
  if (named === undefined) return null;
  const unmovable = (named.code !== null && GONE_FOR_GOOD[named.code]) || null;
  return { state: "not_moved", note: refusedBecause(named.message), unmovable };
}

function refusedWholly({ refusal }: Answer): RowOutcome | null {
  return refusal === null ? null : { state: "not_moved", note: refusal, unmovable: null };
}

/**
 * What Shopify refuses as a whole it may refuse for a reason of this moment (a shop that is frozen, something between us
 * and it): the lost send may still come, and nothing is sent after it that would show it. Where nothing was sent because
 * the key is a day old, nothing comes any more, unless Shopify itself said that it is working on it.
 */
function refusedAfterLoss(answer: Answer): RowOutcome | null {
  const mayCome = answer.certain || answer.mayStillCome;
  if (!mayCome || answer.refusal === null) return refusedWholly(answer);
  const note = `One answer was lost: look in Shopify whether it was applied. ${answer.refusal}`;
  return { state: "unclear", note };
}

const confirmedByReading: RowOutcome = {
  state: "confirmed",
  byReading: true,
  note: "Confirmed by reading: Shopify's answer was lost, and its stock had moved by just this much.",
};

function readOutcome(comparison: Comparison, credible: boolean, refused: RowOutcome | null): RowOutcome {
  if (comparison === "unmoved") return refused ?? { state: "waiting", doubtful: true, stale: false };
  if (comparison === "moved-by-delta" && credible) return confirmedByReading;
  return {
    state: "unclear",
    note: "Shopify's response was lost and the stock has moved for other reasons too. Check in Shopify whether it was applied.",
  };
}

/** Every answer arrived and this one neither records nor refuses the row: by what it names, the send did nothing. */
function answeredOutcome(change: ChunkChange, index: number, { answer, now }: Evidence): RowOutcome {
  const stale = answer.errors.some(({ changeIndex, code }) => changeIndex === index && code === STALE);
  // Whether a group that holds some rows names all of them that went through, no source settles: one that looks applied
  // is not sent again. Without a group none went through, and what looks applied is a sale.
  if (answer.groupId !== null && !stale && compareReading(change, now) === "moved-by-delta") {
    const note =
      "Shopify did not confirm the change, but its stock has moved by exactly that much. Check in Shopify.";
    return { state: "unclear", note };
  }
  return { state: "waiting", doubtful: false, stale };
}
