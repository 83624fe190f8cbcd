import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { Id, IdInput, Timestamp } from "../../primitives.ts";
import { DeviceId, optionalParagraphs, Sku } from "../../text.ts";
import { productFilter } from "../searches/never-counted.ts";
import { requiresReason, Said } from "./statements.ts";

const SessionParams = z.object({ id: IdInput });
const Person = z.nullable(z.object({ username: z.string() }));

/**
 * What a session can leave open: areas that are neither counted nor void; areas closed with nothing in them that nobody has said twice;
 * stock that is neither counted, searched for nor left alone; devices that hold rows; devices of whose queue nothing certain is known;
 * count sheets that are out; second counts under way; differences to choose; second counts that the end cut off; SKUs beyond tolerance
 * that nobody has counted again; a control sample that is not finished; scans that wait for a decision; and that it came out of a backup and nobody has released it.
 */
export const CoverageKind = z.enum([
  "areas",
  "empty_areas",
  "stock",
  "devices",
  "unknown_devices",
  "sheets",
  "second_counts",
  "differences",
  "cut_off_counts",
  "beyond_tolerance",
  "samples",
  "exceptions",
  "restored",
]);
export type CoverageKind = z.infer<typeof CoverageKind>;

/** A kind of thing that is open: how many there are, and the first few by name. */
export const OpenCoverage = z.object({
  kind: CoverageKind,
  count: z.int(),
  names: z.array(z.string()),
});
export type OpenCoverage = z.infer<typeof OpenCoverage>;

/** The certificate of the highest version. */
export const CertificateInBrief = z.object({
  /** From 1 in each session. */
  version: z.int(),
  /** SHA-256 of its text, in hexadecimal digits. */
  hash: z.string(),
  issuedAt: Timestamp,
  /** Null where the server has issued it by itself. */
  issuedBy: Person,
  /** Nothing is open, and it says what is so now. */
  valid: z.boolean(),
});
export type CertificateInBrief = z.infer<typeof CertificateInBrief>;

export const readCoverage = defineCall({
  method: "GET",
  path: "/api/session/:id/coverage",
  access: "admin",
  summary:
    "What a session leaves open by now, kind by kind; nothing where all is accounted for. With its newest coverage certificate",
  params: SessionParams,
  answer: z.object({
    open: z.array(OpenCoverage),
    /** Of the kinds that are new to an older page, which an update leaves open, and which it could not show. */
    furtherOpen: z.optional(z.array(OpenCoverage)),
    certificate: z.nullable(CertificateInBrief),
    /** A certificate can be issued: the session has ended, nothing is open, and none says so yet. */
    canIssue: z.boolean(),
    /** The report is deployed: until that is rolled back nothing is counted by hand, decided or left alone, nor is that taken back. */
    deployed: z.optional(z.boolean()),
  }),
});

/** What became of an area: `left_out` of those that a plan has left out of the session, and nobody began to count. */
export const CoveredAreaState = z.enum(["counted", "empty", "empty_once", "void", "left_out", "not_counted"]);
export type CoveredAreaState = z.infer<typeof CoveredAreaState>;

export const CoveredArea = z.object({
  area: z.object({ _id: Id, code: z.string(), name: z.string(), locationName: z.string() }),
  state: CoveredAreaState,
  /** Something is counted in it, whatever its state. */
  counted: z.boolean(),
  /** A second count of it was asked for, and the end of the session cut it off. */
  cutOff: z.boolean(),
  /** What an administrator has said of it: that it is empty, void, or does without the second count. */
  said: z.array(
    z.object({
      as: z.enum(["empty", "void", "without_second_count"]),
      reason: z.nullable(z.string()),
      by: z.string(),
      at: Timestamp,
      /** It holds; otherwise something was counted since. */
      holds: z.boolean(),
    }),
  ),
});
export type CoveredArea = z.infer<typeof CoveredArea>;

export const listCoveredAreas = defineCall({
  method: "GET",
  path: "/api/session/:id/coverage/areas",
  access: "admin",
  summary:
    "The areas of a session with what became of them, or those alone that are to be worked off or were decided on",
  params: SessionParams,
  query: z.object({ which: z._default(z.enum(["all", "open", "decided"]), "all"), ...pageQuery }),
  answer: z.object({ areas: z.array(CoveredArea), ...pageAnswer }),
});

/** What can be said of an area: that it is empty, that it is not counted on purpose, that it does without a second count. */
export const AreaStatement = z.enum(["empty", "void", "without_second_count"]);
export type AreaStatement = z.infer<typeof AreaStatement>;

export const stateAreas = defineCall({
  method: "POST",
  path: "/api/session/:id/coverage/areas",
  access: "admin",
  summary:
    "Say of areas that they are empty (closed with nothing in them), void (not counted on purpose, with a reason), or do without a second count that the end cut off; or take that back",
  params: SessionParams,
  body: z
    .object({
      areaIds: z
        .array(IdInput, "areaIds must be a list.")
        .check(z.minLength(1, "Choose at least one area."), z.maxLength(limits.areasPerCall)),
      as: AreaStatement,
      /** False takes it back. */
      stated: z.boolean("stated must be true or false."),
      reason: optionalParagraphs("Reason", limits.reason),
    })
    .check(requiresReason(({ as, stated }) => stated && as !== "empty")),
  answer: z.object({
    /** How many of the areas it changed. */
    changed: z.int(),
  }),
  refusals: ["AREA_HAS_SCANS", "AREA_NOT_CLOSED", "AREA_CLOSED", "NO_SECOND_COUNT"],
  events: ["adjustment"],
});

/**
 * What is known of a device's queue: that it holds rows, or none; nothing of one that opened an area and was `never_heard` of, and not all of
 * one whose app tells of `scans_alone`.
 */
export const DeviceQueueState = z.enum(["empty", "holds", "never_heard", "scans_alone"]);
export type DeviceQueueState = z.infer<typeof DeviceQueueState>;

export const CoveredDevice = z.object({
  deviceId: z.string(),
  /** Who used it last. */
  username: z.string(),
  state: DeviceQueueState,
  /** How many rows it said last that it holds; null where it has never said. */
  pending: z.nullable(z.int()),
  /** When it opened its first area; null where it had no network then. */
  openedAt: z.nullable(Timestamp),
  /** When it was heard of last; null for never. */
  heardAt: z.nullable(Timestamp),
  /**
   * Why an administrator holds that it has nothing to send, as long as it sends no scan and does not say that it holds something; null where
   * nobody has said so.
   */
  said: z.nullable(Said),
});
export type CoveredDevice = z.infer<typeof CoveredDevice>;

export const listCoveredDevices = defineCall({
  method: "GET",
  path: "/api/session/:id/coverage/devices",
  access: "admin",
  summary:
    "The devices of a session with what is known of their queues, or those alone that are to be worked off or were accounted for",
  params: SessionParams,
  query: z.object({ which: z._default(z.enum(["all", "open", "decided"]), "all"), ...pageQuery }),
  answer: z.object({ devices: z.array(CoveredDevice), ...pageAnswer }),
});

export const stateDevices = defineCall({
  method: "POST",
  path: "/api/session/:id/coverage/devices",
  access: "admin",
  summary:
    "Account for devices of whose queue nothing certain is known, with a reason; or take that back. One that is known to hold nothing stays as it is",
  params: SessionParams,
  body: z
    .object({
      deviceIds: z
        .array(DeviceId, "deviceIds must be a list.")
        .check(z.minLength(1, "Choose at least one device."), z.maxLength(limits.devicesPerCall)),
      /** False takes it back. */
      stated: z.boolean("stated must be true or false."),
      reason: optionalParagraphs("Reason", limits.reason),
    })
    .check(requiresReason(({ stated }) => stated)),
  answer: z.object({
    /** How many of the devices it changed. */
    changed: z.int(),
  }),
  refusals: ["DEVICE_HOLDS_ROWS"],
  events: ["adjustment"],
});

/** Who left a SKU alone on purpose that nobody has counted, and why. */
export const LeftAlone = z.object({ reason: z.string(), by: z.string(), at: Timestamp });
export type LeftAlone = z.infer<typeof LeftAlone>;

/** Who has deployed what set a SKU to zero that nobody had counted; null where nobody is known to have. */
export const ZeroedByDeploy = z.object({ by: z.nullable(z.string()), at: Timestamp });
export type ZeroedByDeploy = z.infer<typeof ZeroedByDeploy>;

/** A SKU in stock that nobody has counted and nobody has said is not there. */
export const UncoveredRow = z.object({
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  vendor: z.string(),
  productType: z.string(),
  onHand: z.int(),
  /** Who left it alone, and why; null while it is open. */
  leftAlone: z.nullable(LeftAlone),
  /** The deploy that set it to zero; absent where none has. */
  zeroed: z.optional(ZeroedByDeploy),
});
export type UncoveredRow = z.infer<typeof UncoveredRow>;

export const listUncoveredStock = defineCall({
  method: "GET",
  path: "/api/session/:id/coverage/stock",
  access: "admin",
  summary:
    "What Shopify has in stock of a session that nobody has counted or searched for in vain: what is open, left alone on purpose, or was set to zero by a deploy",
  params: SessionParams,
  query: z.object({
    ...productFilter,
    state: z._default(z.enum(["open", "left_alone", "zeroed"]), "open"),
    ...pageQuery,
  }),
  answer: z.object({ rows: z.array(UncoveredRow), ...pageAnswer }),
});

export const leaveStockAlone = defineCall({
  method: "POST",
  path: "/api/session/:id/coverage/stock",
  access: "admin",
  summary:
    "Leave SKUs that nobody has counted alone on purpose, those that are named or all that fit, with a reason; or take that back. Their stock stays as it is",
  params: SessionParams,
  body: z
    .object({
      skus: z.optional(z.array(Sku).check(z.minLength(1), z.maxLength(limits.skusPerCall))),
      /** All that fit. */
      every: z.optional(z.object(productFilter)),
      /** False takes it back. */
      leftAlone: z.boolean("leftAlone must be true or false."),
      reason: optionalParagraphs("Reason", limits.reason),
    })
    .check(
      z.refine(({ skus, every }) => (skus === undefined) !== (every === undefined), {
        error: "Give either the SKUs or what fits.",
        path: ["skus"],
      }),
      requiresReason(({ leftAlone }) => leftAlone),
    ),
  answer: z.object({
    /** How many SKUs it changed. */
    changed: z.int(),
  }),
  refusals: ["REPORT_DEPLOYED"],
  events: ["adjustment"],
});
