import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, NumericIdInput, Timestamp } from "../primitives.ts";
import { DeviceId, optionalParagraphs, Sku } from "../text.ts";
import { InputType, ScanReason, ScanStatus } from "./scanning.ts";

/** A device's scan beside another one in the walk. */
export const NeighbourScan = z.object({
  _id: Id,
  input: z.string(),
  sku: z.nullable(z.string()),
  productTitle: z.nullable(z.string()),
  size: z.nullable(z.string()),
  scannedAt: Timestamp,
});

/** Where the item of its RFID tag counts by another scan. Null for any other scan; absent from an older server. */
const TagCountedIn = z.optional(z.nullable(z.object({ _id: Id, code: z.string(), name: z.string() })));

/**
 * How many units count of what it was to take the place of (×N on a phone, whose undo came too late): accepted, it counts beside them.
 * Absent from an older server.
 */
const ReplacedUnits = z.optional(z.int());

/**
 * What has become of the counts that scans came too late for (PASS_OVER, also of `lateFor`), each once: `counted_again`: a later count from zero; `restored`: that
 * very count, which the administrator brought back without them; `other_restored`: another count that was brought back; `not_begun`: the count that
 * a device had reset before them, as the server has not carried that out. Absent where no scan is late for that, and from an older server.
 */
const CountsSince = z.optional(z.array(z.enum(["counted_again", "restored", "other_restored", "not_begun"])));

/**
 * Of scans that came after the session's end (SESSION_CLOSED): what they had been late for already, each once; SESSION_CLOSED for nothing
 * else. Absent where none came after the end, and from an older server.
 */
const LateFor = z.optional(z.array(z.enum(["PASS_OVER", "AREA_CLOSED", "SESSION_CLOSED"])));

/** A scan that waits for an administrator, with the device's scans before and after it. */
export const ExceptionScan = z.object({
  _id: Id,
  status: ScanStatus,
  reason: z.nullable(ScanReason),
  input: z.string(),
  inputType: InputType,
  /** Units. Absent from an older server: 1. */
  quantity: z.optional(z.int()),
  sku: z.nullable(z.string()),
  productTitle: z.nullable(z.string()),
  size: z.nullable(z.string()),
  area: z.object({ _id: Id, code: z.string(), name: z.string() }),
  pass: z.int(),
  deviceId: z.string(),
  username: z.string(),
  scannedAt: Timestamp,
  /** It was, or may have been, made after the end stock was read: accepted, its row may become uncertain. */
  afterEnd: z.boolean(),
  tagCountedIn: TagCountedIn,
  replacedUnits: ReplacedUnits,
  before: z.nullable(NeighbourScan),
  after: z.nullable(NeighbourScan),
});
export type ExceptionScan = z.infer<typeof ExceptionScan>;

export const sessionExceptions = defineCall({
  method: "GET",
  path: "/api/session/:id/exceptions",
  access: "admin",
  summary: "Unresolved and late scans of a session, in the order in which they arrived",
  params: z.object({ id: IdInput }),
  query: z.object(pageQuery),
  answer: z.object({ scans: z.array(ExceptionScan), ...pageAnswer }),
});

/** What a scan is after a decision on it. */
const scanState = {
  _id: Id,
  status: ScanStatus,
  reason: z.nullable(ScanReason),
  sku: z.nullable(z.string()),
  areaId: Id,
  pass: z.int(),
};

export const resolveScan = defineCall({
  method: "POST",
  path: "/api/scans/:id/resolve",
  access: "admin",
  summary: "Accept an unresolved or late scan (as a SKU, in an area) or dismiss it",
  params: z.object({ id: NumericIdInput }),
  body: z.object({
    action: z.enum(["accept", "dismiss"]),
    sku: z.optional(z.nullable(Sku)),
    areaId: z.optional(z.nullable(IdInput)),
  }),
  answer: z.object({ scan: z.object(scanState) }),
  refusals: ["REPORT_DEPLOYED", "SCAN_NOT_OPEN", "SECOND_COUNT_MADE", "TAG_COUNTED"],
  events: ["scan"],
});

/** What waits: a scan without a product, or one that came too late. */
const OpenStatus = z.enum(["unresolved", "late"]);

/** Waiting scans of one code, all unresolved or all late and of one product. */
export const ExceptionGroup = z.object({
  input: z.string(),
  inputType: InputType,
  status: OpenStatus,
  reasons: z.array(ScanReason),
  sku: z.nullable(z.string()),
  productTitle: z.nullable(z.string()),
  size: z.nullable(z.string()),
  scans: z.int(),
  units: z.int(),
  /** Where they were scanned: the first `limits.groupedNames` of them, and how many there are. */
  areas: z.array(z.object({ _id: Id, code: z.string(), name: z.string() })),
  areaCount: z.int(),
  /** Who scanned them, as far as `limits.groupedNames`, and how many did. */
  people: z.array(z.string()),
  peopleCount: z.int(),
  firstScannedAt: Timestamp,
  lastScannedAt: Timestamp,
  tagCountedIn: TagCountedIn,
  replacedUnits: ReplacedUnits,
  countsSince: CountsSince,
  lateFor: LateFor,
  /**
   * Of how many accepting is refused, as a count has their items (SECOND_COUNT_MADE): they came too late for a second count, or one has
   * settled how many of their SKU are in the area. Absent for none, and from an older server.
   */
  ofSecondCounts: z.optional(z.int()),
  /**
   * The product of each is known, its area was not deleted, and the item of its RFID tag does not count by another scan; nor are all of them
   * of second counts: they can be accepted without a further choice.
   */
  acceptable: z.boolean(),
  /** One of them was, or may have been, made after the end stock was read. */
  afterEnd: z.boolean(),
  /** The device's scans beside the one that arrived first. */
  before: z.nullable(NeighbourScan),
  after: z.nullable(NeighbourScan),
  /** The scans that arrived first, as many as one decision takes. */
  scanIds: z.array(Id),
  /** The scan that arrived last. */
  lastScanId: Id,
});
export type ExceptionGroup = z.infer<typeof ExceptionGroup>;

/** A device of which late scans wait. */
export const LateDevice = z.object({ deviceId: z.string(), username: z.string(), late: z.int() });
export type LateDevice = z.infer<typeof LateDevice>;

export const exceptionGroups = defineCall({
  method: "GET",
  path: "/api/session/:id/exceptions/groups",
  access: "admin",
  summary: "Unresolved and late scans of a session by code, in the order in which the first of each arrived",
  params: z.object({ id: IdInput }),
  query: z.object({
    ...pageQuery,
    /** Only the late scans of this device. */
    lateOf: z.optional(DeviceId),
    /** Only the scans of this SKU; a code that fits no product is of none. */
    sku: z.optional(Sku),
  }),
  answer: z.object({
    groups: z.array(ExceptionGroup),
    /**
     * Whatever is asked for: the devices of which late scans wait, those with most of them first: of each sender
     * `limits.devicesPerPerson`, and `limits.devicesPerSession` in all.
     */
    devices: z.array(LateDevice),
    /** How many devices late scans wait of. Absent from an older server, which lists them all. */
    deviceCount: z.optional(z.int()),
    /** How many scans wait in the session. */
    waiting: z.int(),
    ...pageAnswer,
  }),
});

/** Up to as many as a batch of scans. */
const ScanIds = z
  .array(NumericIdInput)
  .check(
    z.minLength(1, "Name at least one scan."),
    z.maxLength(limits.scansPerCall, `Name at most ${limits.scansPerCall} scans at once.`),
  );

/**
 * `settled_meanwhile`: it had been settled already, by somebody else or by an earlier call of one's own. `needs_product`: it is not clear
 * what it should count as. `of_second_count`: it came too late for a second count, and accepted it would count twice what the first count
 * has. `tag_counted`: the item of its RFID tag counts by another scan.
 */
const DecisionOutcome = z.enum([
  "done",
  "settled_meanwhile",
  "needs_product",
  "of_second_count",
  "tag_counted",
]);

export const decideExceptions = defineCall({
  method: "POST",
  path: "/api/session/:id/exceptions/decide",
  access: "admin",
  summary:
    "Accept or dismiss several waiting scans at once, each in the area where it was scanned unless one is named",
  params: z.object({ id: IdInput }),
  body: z.object({
    action: z.enum(["accept", "dismiss"]),
    scanIds: ScanIds,
    sku: z.optional(z.nullable(Sku)),
    areaId: z.optional(z.nullable(IdInput)),
    /** Why they are dismissed. */
    reason: optionalParagraphs("Reason", limits.reason),
  }),
  answer: z.object({ scans: z.array(z.object({ ...scanState, outcome: DecisionOutcome })) }),
  refusals: ["REPORT_DEPLOYED"],
  events: ["scan"],
});

/**
 * Why an accepted scan can't be taken back: `waiting`: it waits already. `voided_since`: it was undone, or its count was
 * reset or did not match, so it does not count. `not_recorded`: what it was before was not kept, or nobody decided on it.
 */
const TakeBackOutcome = z.enum(["done", "waiting", "voided_since", "not_recorded"]);

export const takeBackDecisions = defineCall({
  method: "POST",
  path: "/api/session/:id/exceptions/take-back",
  access: "admin",
  summary:
    "Take decisions on scans back, so that they wait again as before, while the report is not deployed",
  params: z.object({ id: IdInput }),
  body: z.object({ scanIds: ScanIds }),
  answer: z.object({ scans: z.array(z.object({ ...scanState, outcome: TakeBackOutcome })) }),
  refusals: ["REPORT_DEPLOYED"],
  events: ["scan"],
});

/** A scan that an administrator decided on. */
export const DecidedScan = z.object({
  _id: Id,
  decision: z.enum(["accepted", "dismissed"]),
  input: z.string(),
  quantity: z.int(),
  sku: z.nullable(z.string()),
  productTitle: z.nullable(z.string()),
  size: z.nullable(z.string()),
  area: z.object({ _id: Id, code: z.string(), name: z.string() }),
  username: z.string(),
  decidedBy: z.string(),
  decidedAt: Timestamp,
  /** Why it was dismissed. */
  reason: z.nullable(z.string()),
  /** It can be taken back while the report is not deployed; otherwise the scan was voided since. */
  canBeTakenBack: z.boolean(),
});
export type DecidedScan = z.infer<typeof DecidedScan>;

export const decidedExceptions = defineCall({
  method: "GET",
  path: "/api/session/:id/exceptions/decided",
  access: "admin",
  summary: "The scans of a session that an administrator accepted or dismissed, the last decision first",
  params: z.object({ id: IdInput }),
  query: z.object(pageQuery),
  answer: z.object({ scans: z.array(DecidedScan), ...pageAnswer }),
});
