import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { ErrorBody } from "../errors.ts";
import { limits } from "../limits.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import {
  Id,
  IdInput,
  OperationKey,
  Pass,
  Quantity,
  ScanQuantity,
  Sequence,
  Timestamp,
  TimestampInput,
} from "../primitives.ts";
import { queueReport, queueReportOfDevice } from "../queue-report.ts";
import { DeviceId, requiredKey, ScannedCode, scanInputProblem } from "../text.ts";
import { Area, AreaDevice } from "./areas.ts";

export const InputType = z.enum(["barcode", "sku"]);
export type InputType = z.infer<typeof InputType>;

export const ScanMethod = z.enum(["scan", "manual"]);
export type ScanMethod = z.infer<typeof ScanMethod>;

/**
 * What became of a stored scan. Only `counted` scans are in totals. `compared`: of a second count; its device is never told so, only
 * that it was counted or unresolved.
 */
export const ScanStatus = z.enum(["counted", "unresolved", "late", "voided", "compared"]);
export type ScanStatus = z.infer<typeof ScanStatus>;

/** Why a scan is not, or no longer, counted. */
export const ScanReason = z.enum([
  "UNKNOWN_CODE",
  "AMBIGUOUS_CODE",
  "AREA_CLOSED",
  "AREA_DELETED",
  "PASS_OVER",
  "SESSION_CLOSED",
  "UNDONE",
  "AREA_RESET",
  "AREA_REOPENED",
  "COUNT_MISMATCHED",
  "PASS_REPLACED",
  "DISMISSED",
  "SUPERSEDED",
  "TAG_COUNTED",
  "TAG_ELSEWHERE",
]);
export type ScanReason = z.infer<typeof ScanReason>;

/** As the list of areas has it: a code from before codes were read as people see them has to be found as well. */
const StoredAreaCode = requiredKey("Area code", limits.areaCode);

/** The pass in which a row was made on a device, and the key by which a repeat of it is known. */
const ofPass = { pass: z.optional(Pass), opId: z.optional(OperationKey) };

const ScanFields = z.object({
  sessionId: IdInput,
  storeId: IdInput,
  locationId: IdInput,
  areaCode: StoredAreaCode,
  input: ScannedCode,
  inputType: InputType,
  deviceId: DeviceId,
  seq: Sequence,
  method: z._default(ScanMethod, "scan"),
  /** How many units it counts: twelve socks by one scan. */
  quantity: z._default(ScanQuantity, 1),
  /** When the device scanned, in the server's time as the device estimates it. Shown and used for movement only. */
  scannedAt: z.optional(TimestampInput),
  /** True where the device can't tell when it scanned: `scannedAt` is then its guess. */
  timeUnknown: z.optional(z.boolean("timeUnknown must be true or false.")),
  ...ofPass,
  /** Who scanned, where another login sends it. */
  scannedById: z.optional(IdInput),
  /**
   * The scan that it takes the place of (×N), by its `opId`, or by its device's number where only the server has it. What undoes that one is
   * sent before it; where that came too late, whoever decides on this one is told what still counts.
   */
  replaces: z.optional(OperationKey),
  replacesSeq: z.optional(Sequence),
});
export const ScanPayload = ScanFields.check((scan) => {
  const { input, inputType } = scan.value;
  const message = scanInputProblem(input, inputType);
  if (message !== null) scan.issues.push({ code: "custom", message, path: ["input"], input });
});
export type ScanPayload = z.input<typeof ScanPayload>;
export type ScanRequest = z.output<typeof ScanPayload>;

export const ScanAnswer = z.object({
  scan: z.object({
    _id: Id,
    seq: z.int(),
    sku: z.nullable(z.string()),
    productTitle: z.nullable(z.string()),
    size: z.nullable(z.string()),
    areaCode: z.string(),
    pass: z.int(),
    /** Units. Absent from an older server: 1. */
    quantity: z.optional(z.int()),
  }),
  status: ScanStatus,
  reason: z.nullable(ScanReason),
  /**
   * The item of an RFID tag counts by another read of it: in this area, or in another. Beside a `reason` of null, as devices of earlier
   * releases can't read an answer with a reason that is new to them.
   */
  tag: z.optional(z.enum(["TAG_COUNTED", "TAG_ELSEWHERE"])),
  duplicate: z.boolean(),
});
export type ScanAnswer = z.infer<typeof ScanAnswer>;

export const postScan = defineCall({
  method: "POST",
  path: "/api/scan",
  access: "signed-in",
  summary: "Store one scan: 201 the first time, 200 for a repeat",
  status: 201,
  body: ScanPayload,
  answer: ScanAnswer,
  refusals: ["SEQ_CONFLICT", "TOO_MANY_UNRESOLVED", "RATE_LIMITED", "OVERLOADED"],
  events: ["scan", "area"],
});

/** One scan's outcome in a batch: the status and body that POST /api/scan would have returned. */
export const ScanResult = z.union([
  z.extend(ScanAnswer, { httpStatus: z.int() }),
  z.extend(ErrorBody, { httpStatus: z.int() }),
]);
export type ScanResult = z.infer<typeof ScanResult>;

export const postScanBatch = defineCall({
  method: "POST",
  path: "/api/scan/batch",
  access: "signed-in",
  summary: "Store several scans, each on its own, with the results in the same order",
  body: z.object({
    // Each scan is validated on its own, so that one bad scan does not hold up the others.
    scans: z
      .array(z.unknown(), "scans must be a list.")
      .check(
        z.minLength(1, "At least one scan is required."),
        z.maxLength(limits.scansPerCall, `At most ${limits.scansPerCall} scans can be sent at a time.`),
      ),
    ...queueReport,
  }),
  answer: z.object({ results: z.array(ScanResult) }),
  refusals: ["RATE_LIMITED", "OVERLOADED"],
  events: ["scan", "area"],
});

/** Of a reset or a finish also who made it, by whom it is judged where another login sends it. Absent from devices of earlier releases. */
const ofEnding = { ...ofPass, madeById: z.optional(IdInput) };

const passRefusals = ["AREA_CLOSED", "SESSION_CLOSED", "PASS_OVER", "OPERATION_REUSED"] as const;

export const undoScan = defineCall({
  method: "POST",
  path: "/api/undo",
  access: "signed-in",
  summary: "Void the device's newest scan of the pass, or the one with the given seq",
  body: z.object({
    sessionId: IdInput,
    deviceId: DeviceId,
    areaCode: StoredAreaCode,
    locationId: z.optional(IdInput),
    seq: z.optional(Sequence),
    ...ofPass,
    ...queueReport,
  }),
  answer: z.object({
    undone: z.object({
      seq: z.int(),
      sku: z.nullable(z.string()),
      /** The units that the scan had counted, all of them taken back. Absent for one. */
      quantity: z.optional(z.int()),
    }),
  }),
  refusals: ["NOTHING_TO_UNDO", "AREA_AMBIGUOUS", ...passRefusals],
  events: ["scan"],
});

export const resetArea = defineCall({
  method: "POST",
  path: "/api/area/reset",
  access: "signed-in",
  summary: "Start an area again from zero; its pass is voided, not erased",
  body: z.object({
    sessionId: IdInput,
    areaCode: StoredAreaCode,
    locationId: IdInput,
    ...ofEnding,
    ...queueReportOfDevice,
  }),
  answer: z.object({ area: Area, deletedScans: z.int() }),
  refusals: ["AREA_ASSIGNED", ...passRefusals],
  events: ["area"],
});

export const finishArea = defineCall({
  method: "POST",
  path: "/api/area/finish",
  access: "signed-in",
  summary: "Declare an area's total: equal closes it, unequal voids the pass",
  body: z.object({
    sessionId: IdInput,
    areaCode: StoredAreaCode,
    declaredTotal: Quantity,
    deviceId: DeviceId,
    locationId: IdInput,
    ...ofEnding,
    /** The total is of what one person counted: it is kept until everybody who counted in the pass has given theirs. */
    own: z.optional(z.boolean("own must be true or false.")),
    /** Whose own total it is, where another login sends it. */
    declaredById: z.optional(IdInput),
    /** How many accepted scans of the pass the device had when the total was declared. */
    knownAccepted: z.optional(Quantity),
    /** When the total was declared, by the device's estimate of the server's time: a finish may wait long for a network. */
    declaredAt: z.optional(TimestampInput),
    /** True where the device can't tell when that was. */
    timeUnknown: z.optional(z.boolean("timeUnknown must be true or false.")),
    /** When the total was declared, the device had reads of RFID tags in the pass that the server had not answered. */
    tagsUnheard: z.optional(z.boolean("tagsUnheard must be true or false.")),
    ...queueReport,
  }),
  answer: z.object({
    matched: z.boolean(),
    serverTotal: z.int(),
    /**
     * For an own total that was kept: who has still to give theirs. Nothing was compared then: `matched` is false, and
     * `serverTotal` 0, whatever was counted.
     */
    waitingFor: z.optional(z.array(z.string())),
    /** Of own totals that were compared and did not match: their sum, and how many people's they are. Absent from an older server. */
    together: z.optional(z.object({ declared: z.int(), people: z.int() })),
  }),
  refusals: ["AREA_ASSIGNED", "COUNT_CHANGED", ...passRefusals],
  events: ["area"],
});

/** True where nobody can say when it was scanned: `scannedAt` is a guess, or what is written on paper. Absent elsewhere, and from an older server. */
const unknownTime = { timeUnknown: z.optional(z.boolean()) };

export const AreaScan = z.object({
  _id: Id,
  sku: z.nullable(z.string()),
  productTitle: z.nullable(z.string()),
  size: z.nullable(z.string()),
  deviceId: z.string(),
  seq: z.int(),
  method: ScanMethod,
  scannedAt: Timestamp,
  ...unknownTime,
  username: z.string(),
  /** Units. Absent from an older server: 1. */
  quantity: z.optional(z.int()),
  /** An administrator accepted it into the pass. Absent from an older server. */
  accepted: z.optional(z.boolean()),
});
export type AreaScan = z.infer<typeof AreaScan>;

/** A scan of the pass that no product was found for: in no total, but undone and declared like any other. */
export const UnresolvedScan = z.object({
  _id: Id,
  input: z.string(),
  deviceId: z.string(),
  seq: z.int(),
  /** Units. Absent from an older server: 1. */
  quantity: z.optional(z.int()),
  scannedAt: Timestamp,
  ...unknownTime,
});
export type UnresolvedScan = z.infer<typeof UnresolvedScan>;

export const areaScans = defineCall({
  method: "GET",
  path: "/api/area/:sessionId/:areaCode",
  access: "signed-in",
  summary:
    "The counted scans of an area's current pass, newest first, and the unresolved ones; `total` is of the counted",
  params: z.object({ sessionId: IdInput, areaCode: StoredAreaCode }),
  query: z.object({ locationId: z.optional(IdInput), ...pageQuery }),
  answer: z.object({
    scans: z.array(AreaScan),
    /** Absent from an older server. */
    unresolved: z.optional(z.array(UnresolvedScan)),
    /** Who counted in the pass, by device; on the first page alone. Absent from an older server. */
    devices: z.optional(z.array(AreaDevice)),
    pass: z.int(),
    /** True where an earlier count was restored, which counts in the pass; on the first page alone. Absent from an older server. */
    restored: z.optional(z.boolean()),
    ...pageAnswer,
  }),
  /** PASS_OVER: for a cursor of a pass that is over by now. AREA_ASSIGNED: only those it is assigned to may open it. */
  refusals: ["AREA_AMBIGUOUS", "AREA_ASSIGNED", "PASS_OVER"],
});
