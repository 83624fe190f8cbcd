import type { AdjustmentRowsTable, ChunkChange } from "../database/tables.ts";
import type { AdjustError, AdjustErrorCode, AdjustOutcome, RecordedChange } from "../shopify/shopify.ts";
import { type Levels, type Sighting, sightingOf } from "./sightings.ts";

/** What is settled about a row. */
export type RowFate =
  | { readonly state: "confirmed" }
  /** Not applied; it goes again. Doubtful where a reading alone says so, stale where Shopify named it as moved. */
  | { readonly state: "waiting"; readonly doubtful: boolean; readonly stale: boolean }
  | { readonly state: "unclear"; readonly note: string }
  | {
      readonly state: "not_moved";
      readonly note: string;
      readonly unmovable: AdjustmentRowsTable["unmovable"];
    };

/** What came back from a send, or that nothing more is to be sent. */
export interface Answer {
  /** Whether it is certain that the send did nothing beyond `recorded`. */
  readonly certain: boolean;
  /** Whether Shopify named a group. Without one nothing was applied: what is applied is recorded in a group. */
  readonly grouped: boolean;
  readonly recorded: readonly RecordedChange[];
  readonly errors: readonly AdjustError[];
  /** Why no row of the chunk is sent again; null where rows may be. */
  readonly refusal: string | null;
}

/** Nothing was sent: only the reading speaks. `refusal` says why the rows are not sent again either. */
export function noAnswer(refusal: string | null): Answer {
  return { certain: false, grouped: false, recorded: [], errors: [], refusal };
}

/** Shopify turned the whole request away before it ran. */
export function turnedAway(message: string): Answer {
  return { certain: true, grouped: false, recorded: [], errors: [], refusal: refusedBecause(message) };
}

/** Codes after which the same bytes go again with the same key: another send is under way, or it says try again. */
const REPEATED: readonly AdjustErrorCode[] = [
  "IDEMPOTENCY_CONCURRENT_REQUEST",
  "SERVICE_UNAVAILABLE",
  "ADJUST_QUANTITIES_FAILED",
];

/** The error for which the same send is to be repeated; null where the answer can be judged. */
export function repeatedError(outcome: AdjustOutcome): AdjustError | null {
  if (outcome.kind !== "userErrors" || outcome.groupId !== null) return null;
  return outcome.errors.find(({ code }) => code !== null && REPEATED.includes(code)) ?? null;
}

/** What an answer that arrived says about the rows. */
export function answerOf(
  outcome: Extract<AdjustOutcome, { kind: "applied" | "noop" | "userErrors" }>,
): Answer {
  switch (outcome.kind) {
    case "applied":
      return { certain: true, grouped: true, recorded: outcome.changes, errors: [], refusal: null };
    case "noop":
      // Deltas of zero are never sent, so nothing was confirmed and nothing denied.
      return noAnswer(null);
    case "userErrors": {
      const { errors, changes, groupId } = outcome;
      const grouped = groupId !== null;
      return { certain: true, grouped, recorded: changes, errors, refusal: generalRefusal(errors) };
    }
  }
}

const STALE: AdjustErrorCode = "CHANGE_FROM_QUANTITY_STALE";
/** Not applied, and nothing wrong with the rows: a new key is all they need. */
const BURNT: AdjustErrorCode = "IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED";

function generalRefusal(errors: readonly AdjustError[]): string | null {
  const error = errors.find(
    ({ code, changeIndex }) => changeIndex === null && code !== STALE && code !== BURNT,
  );
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
  /** The SKUs that stood still right after the last answer was lost. */
  readonly stoodStill: ReadonlySet<string>;
  /** The SKUs of which an earlier attempt may still arrive. */
  readonly doubtful: ReadonlySet<string>;
  readonly answer: Answer;
  /** Read right before the send; null for a first send, whose compare values are that reading. */
  readonly beforeSend: Levels | null;
  readonly now: Levels;
}

/**
 * Settles every row of a chunk, by SKU. What Shopify recorded is confirmed. Where every answer so far arrived, the rest
 * was not applied. Where one was lost, only readings decide: a row that stood still was not applied, one that had moved
 * by just its delta before the last send was, and any other is for a person. Nothing is guessed.
 */
export function judgeAnswer(evidence: Evidence): Map<string, RowFate> {
  const together = movedTogether(evidence);
  return new Map(
    evidence.changes.map((change, index) => {
      const sighting = doubtfulSighting(change, evidence);
      const recorded = evidence.answer.recorded.find((row) => row.inventoryItemId === change.inventoryItemId);
      if (recorded !== undefined) return [change.sku, recordedFate(change, recorded)];
      const refused = refusedRow(index, evidence.answer);
      if (sighting !== null) {
        const credible = together === "many" || (together === "few" && !evidence.stoodStill.has(change.sku));
        return [change.sku, readFate(sighting, credible, refused ?? refusedAfterLoss(evidence.answer))];
      }
      return [change.sku, refused ?? refusedWholly(evidence.answer) ?? answeredFate(change, index, evidence)];
    }),
  );
}

/** What readings say of a row that only they can decide; null where the answer does. */
function doubtfulSighting(change: ChunkChange, evidence: Evidence): Sighting | null {
  const { answer, answerLost, doubtful, beforeSend, now } = evidence;
  if (answer.recorded.some((row) => row.inventoryItemId === change.inventoryItemId)) return null;
  if (!answer.certain) return sightingOf(change, now);
  if (!answerLost && !doubtful.has(change.sku)) return null;
  const earlier = beforeSend === null ? "before" : sightingOf(change, beforeSend);
  // The last send did nothing to it: a row that was moved by then was moved by an earlier one. One that stood still
  // then and does not any more was moved by something that was still under way, or by a sale.
  if (earlier === "after") return "after";
  return earlier === "before" && sightingOf(change, now) === "before" ? "before" : "other";
}

/** So many rows do not move by just their deltas at once unless the call was applied. */
const tooManyForChance = 3;

/**
 * Whether rows that look applied may be believed. A call is applied as a whole: a few that moved by just their delta
 * among more that stood still are sales (`none`), many are the adjustment whenever it came, a few without others are it
 * unless they stood still after it had been sent.
 */
function movedTogether({ changes, answer, beforeSend, now }: Evidence): "none" | "few" | "many" {
  const levels = answer.certain && beforeSend !== null ? beforeSend : now;
  const sightings = changes.map((change) => sightingOf(change, levels));
  const count = (wanted: Sighting) => sightings.filter((sighting) => sighting === wanted).length;
  if (count("after") <= count("before")) return "none";
  return count("after") >= tooManyForChance ? "many" : "few";
}

function recordedFate(change: ChunkChange, recorded: RecordedChange): RowFate {
  if (recorded.delta === change.delta) return { state: "confirmed" };
  return { state: "unclear", note: `Shopify recorded ${recorded.delta} instead of ${change.delta}.` };
}

/** A row that Shopify refuses itself. It would refuse the same row of a lost send too, if that still came. */
function refusedRow(index: number, { errors }: Answer): RowFate | null {
  const named = errors.find(
    ({ changeIndex, code }) => changeIndex === index && code !== STALE && code !== BURNT,
  );
  if (named === undefined) return null;
  const unmovable = (named.code !== null && GONE_FOR_GOOD[named.code]) || null;
  return { state: "not_moved", note: refusedBecause(named.message), unmovable };
}

function refusedWholly({ refusal }: Answer): RowFate | null {
  return refusal === null ? null : { state: "not_moved", note: refusal, unmovable: null };
}

/**
 * What Shopify refuses as a whole it may refuse for a reason of this moment (a shop that is frozen, something between us
 * and it): the lost send may still come, and nobody would send after it to be told. Where nothing was sent for that
 * reason, the key is a day old and nothing comes any more.
 */
function refusedAfterLoss(answer: Answer): RowFate | null {
  if (!answer.certain || answer.refusal === null) return refusedWholly(answer);
  const note = `One answer was lost: look in Shopify whether it was applied. ${answer.refusal}`;
  return { state: "unclear", note };
}

function readFate(sighting: Sighting, credible: boolean, refused: RowFate | null): RowFate {
  if (sighting === "before") return refused ?? { state: "waiting", doubtful: true, stale: false };
  if (sighting === "after" && credible) return { state: "confirmed" };
  return {
    state: "unclear",
    note: "Shopify's response was lost and the stock has moved for other reasons too. Check in Shopify whether it was applied.",
  };
}

/** Every answer arrived and this one neither records nor refuses the row: by all the platform says it did nothing. */
function answeredFate(change: ChunkChange, index: number, { answer, now }: Evidence): RowFate {
  const stale = answer.errors.some(({ changeIndex, code }) => changeIndex === index && code === STALE);
  // Whether a group that holds some rows names all of them that went through, no source settles: one that looks applied
  // is not sent again. Without a group none went through, and what looks applied is a sale.
  if (answer.grouped && !stale && sightingOf(change, now) === "after") {
    const note =
      "Shopify did not confirm the change, but its stock has moved by exactly that much. Check in Shopify.";
    return { state: "unclear", note };
  }
  return { state: "waiting", doubtful: false, stale };
}
