import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Timestamp } from "../primitives.ts";
import { UncertainReason } from "../rules/uncertain-reasons.ts";
import { Sku } from "../text.ts";
import { AdjustmentRow } from "./adjustments.ts";
import { NeighbourScan } from "./exceptions.ts";
import { Basis, CountAdjustment, ReportItem, SkipReason } from "./reports.ts";
import { InputType, ScanMethod, ScanReason, ScanStatus } from "./scanning.ts";
import { SearchHistory } from "./searches/search-answers.ts";
import { ComparedCount } from "./second-counts/second-counts.ts";

const Person = z.nullable(z.object({ username: z.string() }));
const Range = z.object({ low: z.int(), high: z.int() });

/** Who counted a SKU in one pass of an area on one device, in units: what counts, and what was taken out or waits. */
const PassCounter = z.object({
  username: z.string(),
  deviceId: z.string(),
  scans: z.int(),
  units: z.int(),
  leftOut: z.int(),
  /** Of those left out, what is compared with another count. Absent from an older server. */
  compared: z.optional(z.int()),
  firstAt: Timestamp,
  lastAt: Timestamp,
  /** Of the scans: made at any moment of the session, whatever their times say, so that the two above say nothing of them. */
  unknownTimes: z.int(),
});

/** What was scanned of a SKU in one pass of an area. */
export const ExplainedPass = z.object({
  area: z.object({ _id: Id, code: z.string(), name: z.string(), location: z.string() }),
  pass: z.int(),
  /** How the pass ended: closed, reset, reopened, mismatched, replaced, restored, session_ended; null where it did not. */
  endedAs: z.nullable(z.string()),
  endedAt: z.nullable(Timestamp),
  endedBy: Person,
  /** 2 or 3: a second or third count, beside the pass that counts. Absent or null: the area's own count. */
  round: z.optional(z.nullable(z.int())),
  units: z.int(),
  leftOut: z.int(),
  /** Of those left out, what is compared with another count; the rest was undone, reset or late. Absent from an older server. */
  compared: z.optional(z.int()),
  /** Those who counted most, as far as `limits.explainedCounters`. */
  counters: z.array(PassCounter),
  /** How many there are. Absent from an older server, which names them all. */
  counterCount: z.optional(z.int()),
});
export type ExplainedPass = z.infer<typeof ExplainedPass>;

/** What the counts of an area came to for the SKU, also of a count that the area has left behind since. */
export const ExplainedComparison = z.extend(ComparedCount, {
  /** False: the area was reopened and counted anew, so that it is neither in the report nor to be settled. Absent from an older server. */
  isOfPresentCount: z.optional(z.boolean()),
});
export type ExplainedComparison = z.infer<typeof ExplainedComparison>;

/** A scan of a SKU, whatever became of it, with the device's scans before and after it. */
export const ExplainedScan = z.object({
  _id: Id,
  areaId: Id,
  pass: z.int(),
  deviceId: z.string(),
  seq: z.int(),
  username: z.string(),
  input: z.string(),
  inputType: InputType,
  method: ScanMethod,
  quantity: z.int(),
  /** The units of one pack, where the code was one of a pack: `quantity` is a multiple of it. Absent from an older server. */
  packUnits: z.optional(z.nullable(z.int())),
  status: ScanStatus,
  reason: z.nullable(ScanReason),
  scannedAt: Timestamp,
  /** False: it may have been made at any moment of the session. */
  timeKnown: z.boolean(),
  receivedAt: Timestamp,
  /** Who took it out of the count, and when the server heard of it. */
  voidedAt: z.nullable(Timestamp),
  voidedBy: Person,
  /** Who accepted or dismissed it, and when. */
  resolvedAt: z.nullable(Timestamp),
  resolvedBy: Person,
  /** Why it was dismissed, in the administrator's words. Absent from an older server. */
  note: z.optional(z.nullable(z.string())),
  before: z.nullable(NeighbourScan),
  after: z.nullable(NeighbourScan),
});
export type ExplainedScan = z.infer<typeof ExplainedScan>;

/** What Shopify said was on hand: in the snapshots, and whenever it was seen to change between them. */
export const StockReading = z.object({
  at: Timestamp,
  onHand: z.int(),
  kind: z.enum(["start", "during", "end"]),
});
export type StockReading = z.infer<typeof StockReading>;

/**
 * The variance in parts. `fromStart` (counted less start) is `naturalMovement` plus the variance. The variance is
 * `afterCount` (what was on hand when it was counted, less the end) plus `atCount` (counted less what was on hand then);
 * both are ranges where the readings leave one: the low end of one belongs to the high end of the other.
 */
export const VarianceParts = z.object({
  fromStart: z.int(),
  naturalMovement: z.int(),
  variance: z.int(),
  afterCount: Range,
  atCount: Range,
});
export type VarianceParts = z.infer<typeof VarianceParts>;

/** Another session of the same Shopify location. */
const OtherSession = z.object({
  _id: Id,
  storeName: z.string(),
  status: z.enum(["active", "closed"]),
  startedAt: Timestamp,
  endedAt: z.nullable(Timestamp),
});

/** What another session of the same Shopify location counted of the item. */
export const OtherCount = z.object({
  session: OtherSession,
  counted: z.int(),
  manual: z.boolean(),
  /** Null until it has ended, and where its Shopify location was gone by then. */
  variance: z.nullable(z.int()),
  /** Units by which its deploy has moved the stock. */
  deployed: z.int(),
});
export type OtherCount = z.infer<typeof OtherCount>;

/** By how much another session's deploy or rollback has moved the item's stock, whether or not that session counted it. */
export const MoveByOther = z.object({
  session: OtherSession,
  direction: z.enum(["deploy", "rollback"]),
  /** When Shopify had answered. */
  at: Timestamp,
  /** Null where it is unclear whether it was moved. */
  delta: z.nullable(z.int()),
});
export type MoveByOther = z.infer<typeof MoveByOther>;

/** What a deploy would do with the row, by what is known here: Shopify is asked again when it is deployed. */
export const RowDeploy = z.object({
  basis: Basis,
  /** The variance that it applies. */
  variance: Range,
  /** Units moved already for this report. */
  moved: z.int(),
  /** Units that other sessions have moved since the stock was read, once the report is deployed until then; null where nobody can tell. */
  movedByOthers: z.nullable(z.int()),
  /** The moves that these units are the sum of, newest first, at most twenty. Absent from an older server. */
  movesByOthers: z.optional(z.array(MoveByOther)),
  /** How many moves came before those, and their sum, null where one of them is unclear. Absent where every move is listed. */
  earlierByOthers: z.optional(z.object({ moves: z.int(), delta: z.nullable(z.int()) })),
  /** Units that a deploy would move now; null where it leaves the row out, and where the report is deployed. */
  wouldMove: z.nullable(z.int()),
  skipReason: z.nullable(SkipReason),
  /** What the session's adjustments did with it, in the order in which they were made; `appliedAt` of a rollback's row is the rollback's. */
  rows: z.array(
    z.extend(z.omit(AdjustmentRow, { sku: true }), {
      appliedAt: Timestamp,
      /**
       * On hand as Shopify kept it unseen at a location that did not stock the item when the session ended: the report has none of it, so
       * that the deploy moves the variance less this. Absent where there was none, and from an older server.
       */
      keptUnseen: z.optional(z.int()),
    }),
  ),
});
export type RowDeploy = z.infer<typeof RowDeploy>;

export const explainRow = defineCall({
  method: "GET",
  path: "/api/report/explanation/:sessionId",
  access: "admin",
  summary:
    "Why a row of the report is what it is: who counted it where, every scan, Shopify's readings, its cost and its deploy",
  params: z.object({ sessionId: IdInput }),
  query: z.object({ sku: Sku, ...pageQuery }),
  answer: z.object({
    /** As the report has it. */
    item: ReportItem,
    startedAt: Timestamp,
    endedAt: Timestamp,
    currency: z.string(),
    /**
     * In the natural order of the areas' codes, their passes in the order of their numbers; as far as `limits.explainedPasses`,
     * and then those in which most of it was counted.
     */
    passes: z.array(ExplainedPass),
    /** How many there are. Absent from an older server, which names them all. */
    passCount: z.optional(z.int()),
    /** Units that were scanned and count: the sum of all passes. The row's count, unless it was set by hand. */
    scanned: z.int(),
    /** Set by hand, newest first; the newest is the row's count. */
    counts: z.array(CountAdjustment),
    /** What second counts of the areas it is in came to. Absent from an older server. */
    compared: z.optional(z.array(ExplainedComparison)),
    /** What was said of it by those who looked for it. Absent from an older server. */
    searched: z.optional(SearchHistory),
    parts: VarianceParts,
    readings: z.array(StockReading),
    /** Newest first, at most twenty. */
    otherCounts: z.array(OtherCount),
    /** Whose snapshot the unit cost is of; null where Shopify has none. */
    costFrom: z.nullable(z.enum(["start", "end"])),
    mark: z.nullable(
      z.object({ reason: UncertainReason, includedBy: Person, includedAt: z.nullable(Timestamp) }),
    ),
    deploy: RowDeploy,
    /** A page of the scans, in the order in which they were made. */
    scans: z.array(ExplainedScan),
    ...pageAnswer,
  }),
  refusals: ["SESSION_ACTIVE"],
});
