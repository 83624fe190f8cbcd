import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Timestamp } from "../primitives.ts";
import { AreaStatus } from "./areas.ts";
import { Operation } from "./operations.ts";

export const SessionScope = z.enum(["full", "partial"]);
export type SessionScope = z.infer<typeof SessionScope>;

/**
 * Specification, section 4. `openAreas` are those that were never closed: empty while a session runs. `restored` while
 * the session came out of a backup and was not released since: nothing of it moves stock until then.
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
});
export type CountingSession = z.infer<typeof CountingSession>;

export const AreaPass = z.object({
  areaId: Id,
  pass: z.int(),
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
const SessionOrOperation = z.union([SessionAnswer, z.object({ operation: Operation })]);

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
  body: z.object({ storeId: IdInput, scope: z.optional(SessionScope) }),
  answer: SessionOrOperation,
  refusals: [
    "SESSION_ACTIVE",
    "SESSION_STARTING",
    "STORE_INACTIVE",
    "SHOP_CHANGED",
    "PLATFORM_ERROR",
    "PLATFORM_UNAVAILABLE",
  ],
  events: ["session", "area", "catalogue"],
});

export const endSession = defineCall({
  method: "POST",
  path: "/api/session/end",
  access: "admin",
  summary: "Take the end snapshot and close the session, all or nothing",
  body: z.object({ sessionId: IdInput }),
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
        scans: z.int(),
        usernames: z.array(z.string()),
        lastScanAt: z.nullable(Timestamp),
        recountNeeded: z.boolean(),
      }),
    ),
    devices: z.array(
      z.object({
        deviceId: z.string(),
        username: z.string(),
        lastSeenAt: Timestamp,
        scans: z.int(),
        /** Scans that the device said it still holds; null when it never said. */
        pending: z.nullable(z.int()),
      }),
    ),
    exceptions: ExceptionCounts,
    /** Since when Shopify's levels could not be read; null where they were read lately. What moves meanwhile is uncertain. */
    stockUnreadSince: z.optional(z.nullable(Timestamp)),
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
  summary: "Scans per hour of the last days, over all stores",
  answer: z.object({
    /** False until the first scan of all: then there is nothing to draw. */
    begun: z.boolean(),
    /** When the first of `hours` began; the last one is still under way. */
    since: Timestamp,
    hours: z.array(z.int()),
  }),
});
