import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Timestamp } from "../primitives.ts";
import { SeenDescription, sessionDescription } from "../session-description.ts";
import { AreaStatus, OwnTotals, Recount } from "./areas.ts";
import { Operation } from "./operations.ts";
import { CountedAgain } from "./second-counts/second-counts.ts";
import { SkusToCountAgain } from "./second-counts/skus-to-count-again.ts";

export const SessionScope = z.enum(["full", "partial"]);
export type SessionScope = z.infer<typeof SessionScope>;

/**
 * Specification, section 4. `openAreas` are those that were never closed: empty while a session runs. `restored` while
 * the session came out of a backup and was not released since: nothing of it moves stock until then. `name` is what people
 * call the count, null where they gave it none; `note` is the administrator's own, and never shown to counters.
 */
export const CountingSession = z.object({
  _id: Id,
  storeId: z.object({ _id: Id, name: z.string() }),
  status: z.enum(["active", "closed"]),
  scope: SessionScope,
  startedAt: Timestamp,
  endedAt: z.nullable(Timestamp),
  snapshot: z.object({ status: z.enum(["complete", "ending"]), items: z.int() }),
  openAreas: z.array(z.object({ _id: Id, code: z.string(), name: z.string(), status: AreaStatus })),
  restored: z.optional(z.boolean()),
  name: z.optional(z.nullable(z.string())),
  note: z.optional(z.nullable(z.string())),
  /** The session that has ended of which it counts some SKUs again. Absent for others, and to counters. */
  followUpOf: z.optional(Id),
  /** The SKUs that it is of, where it is not of everything: no other is in its report. */
  only: z.optional(z.array(z.string())),
  /**
   * Since when its counts are in a file on the server, and its name; the units that count and the SKUs that have a count. Absent for
   * others, and to counters.
   */
  archived: z.optional(z.object({ at: Timestamp, file: z.string(), scans: z.int(), skus: z.int() })),
  /**
   * It ended when its Shopify location was gone: there is no end snapshot, its counts are compared with the start's stock, and nothing of
   * it is deployed. Absent otherwise.
   */
  withoutEndStock: z.optional(z.literal(true)),
});
export type CountingSession = z.infer<typeof CountingSession>;

export const AreaPass = z.object({
  areaId: Id,
  pass: z.int(),
  /** Units that count; of a pass that was voided those that counted until then. */
  scans: z.int(),
  declaredTotal: z.nullable(z.int()),
  serverTotal: z.nullable(z.int()),
  /** How the pass ended; null while it is the current one. */
  endedAs: z.nullable(
    z.enum(["closed", "reset", "reopened", "mismatched", "replaced", "restored", "session_ended"]),
  ),
  endedAt: z.nullable(Timestamp),
});
export type AreaPass = z.infer<typeof AreaPass>;

const SessionParams = z.object({ id: IdInput });

const SessionAnswer = z.object({ session: CountingSession });
/** Done within 25 s, or an operation to follow (answered with 202). */
export const SessionOrOperation = z.union([SessionAnswer, z.object({ operation: Operation })]);

/** Why a session can't be started. */
export const startRefusals = [
  "SESSION_ACTIVE",
  "SESSION_STARTING",
  "STORE_INACTIVE",
  "SHOP_CHANGED",
  "PLATFORM_ERROR",
  "PLATFORM_UNAVAILABLE",
] as const;

export const listSessions = defineCall({
  method: "GET",
  path: "/api/session",
  access: "signed-in",
  summary: "Counting sessions that the caller can access, newest first",
  query: z.object(pageQuery),
  answer: z.object({ sessions: z.array(CountingSession), ...pageAnswer }),
});

export const startSession = defineCall({
  method: "POST",
  path: "/api/session/start",
  access: "admin",
  summary: "Snapshot the store's inventory and open a counting session, all or nothing",
  status: 201,
  body: z.object({ storeId: IdInput, scope: z.optional(SessionScope), ...sessionDescription }),
  answer: SessionOrOperation,
  refusals: startRefusals,
  events: ["session", "area", "catalogue"],
});

export const startFollowUp = defineCall({
  method: "POST",
  path: "/api/session/:id/follow-up",
  access: "admin",
  summary: "Start a session of some SKUs of one that has ended; only these are in its report",
  status: 201,
  params: SessionParams,
  body: z.object({ skus: SkusToCountAgain }),
  answer: SessionOrOperation,
  refusals: startRefusals,
  events: ["session", "area", "catalogue"],
});

export const updateSession = defineCall({
  method: "PUT",
  path: "/api/session/:id",
  access: "admin",
  summary:
    "Give a session, running or ended, another name or note; absent leaves as it is, null or blank takes away",
  params: SessionParams,
  body: z.object({ ...sessionDescription, seen: z.optional(SeenDescription) }),
  answer: SessionAnswer,
  refusals: ["CHANGED_MEANWHILE"],
  events: ["session"],
});

export const endSession = defineCall({
  method: "POST",
  path: "/api/session/end",
  access: "admin",
  summary: "Take the end snapshot and close the session, all or nothing",
  body: z.object({
    sessionId: IdInput,
    /**
     * Close it also where its Shopify location was deleted or deactivated, without an end snapshot. Where the location is there it ends
     * as any other.
     */
    withoutEndStock: z.optional(z.boolean("withoutEndStock must be true or false.")),
  }),
  answer: SessionOrOperation,
  refusals: [
    "SESSION_CLOSED",
    "SESSION_ENDING",
    "DEPLOY_RUNNING",
    "SHOP_CHANGED",
    "PLATFORM_ERROR",
    "PLATFORM_UNAVAILABLE",
  ],
  events: ["session", "area", "invitation"],
});

export const ExceptionCounts = z.object({ unresolved: z.int(), late: z.int() });
export type ExceptionCounts = z.infer<typeof ExceptionCounts>;

export const sessionProgress = defineCall({
  method: "GET",
  path: "/api/session/:id/progress",
  access: "admin",
  summary: "Areas, devices and exceptions of a session while it counts",
  params: SessionParams,
  answer: z.object({
    areas: z.array(
      z.object({
        _id: Id,
        code: z.string(),
        name: z.string(),
        locationId: Id,
        locationName: z.string(),
        status: AreaStatus,
        pass: z.int(),
        /** Units that count, of every device. */
        scans: z.int(),
        usernames: z.array(z.string()),
        lastScanAt: z.nullable(Timestamp),
        recountNeeded: z.boolean(),
        /** Absent from an older server. */
        recount: z.optional(z.nullable(Recount)),
        /** Whose own totals an area in progress has and waits for; null elsewhere. Absent from an older server. */
        ownTotals: z.optional(z.nullable(OwnTotals)),
        /** Whom it is assigned to; empty for nobody, and once the session is over. Absent from an older server. */
        assignedTo: z.optional(z.array(z.string())),
        /** Who scanned in its pass although it was assigned to others alone. Absent from an older server. */
        countedByOthers: z.optional(z.array(z.string())),
        /** Its second and third counts; null where there is none. Absent from an older server. */
        countedAgain: z.optional(z.nullable(CountedAgain)),
      }),
    ),
    devices: z.array(
      z.object({
        deviceId: z.string(),
        username: z.string(),
        lastSeenAt: Timestamp,
        /** Units that count, of every area. */
        scans: z.int(),
        /**
         * Rows that the device said it still holds: scans, whatever their quantity, undos, resets and finishes; null when it never said.
         */
        pending: z.nullable(z.int()),
      }),
    ),
    /**
     * Devices that have opened an area and never sent anything: what was scanned on one without a network is on it alone. Absent
     * from an older server.
     */
    opened: z.optional(
      z.array(z.object({ deviceId: z.string(), username: z.string(), openedAt: Timestamp })),
    ),
    exceptions: ExceptionCounts,
    /** Since when Shopify's levels could not be read; null where they were read lately. What moves meanwhile is uncertain. */
    stockUnreadSince: z.optional(z.nullable(Timestamp)),
    /**
     * The time of this answer by the clock that says when a device was heard of or has opened an area: a browser's may be minutes off.
     * Absent once the session is over, and from an older server.
     */
    now: z.optional(Timestamp),
  }),
});

export const sessionPasses = defineCall({
  method: "GET",
  path: "/api/session/:id/passes",
  access: "admin",
  summary: "Every pass of every area of a session, how it ended and what it counted",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({ passes: z.array(AreaPass), ...pageAnswer }),
});

export const scanActivity = defineCall({
  method: "GET",
  path: "/api/session/activity",
  access: "admin",
  summary:
    "Units that count, by the hour of the last days in which they were scanned, or arrived where nobody knows that, over all stores",
  answer: z.object({
    /** False until the first scan of all: then there is nothing to draw. */
    begun: z.boolean(),
    /** When the first of `hours` began; the last one is still under way. */
    since: Timestamp,
    hours: z.array(z.int()),
  }),
});
