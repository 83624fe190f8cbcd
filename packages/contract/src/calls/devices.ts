import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { IdInput, Quantity, Sequence, Success } from "../primitives.ts";
import { deviceKeyInHeaders, queueReportInAddress } from "../queue-report.ts";
import { DeviceId, DeviceKey } from "../text.ts";

export const deviceMaxSequence = defineCall({
  method: "GET",
  path: "/api/device-max-seq",
  access: "signed-in",
  summary: "The highest sequence number stored for a device in a session, 0 when none",
  /** What a device says as it opens an area. */
  query: z.object({
    sessionId: IdInput,
    deviceId: DeviceId,
    /** Its reports are of undos, resets and finishes too. Absent from clients of earlier releases. */
    tellsQueue: z.optional(z.literal("true", "tellsQueue must be true.")),
    /** What it holds of the session by then, so that one with nothing to send is known by that. Both or neither. */
    ...queueReportInAddress,
  }),
  headers: deviceKeyInHeaders,
  answer: z.object({
    maxSeq: z.int(),
    /** True where the server has noted the report. Absent where there was none, and from an older server, which does not listen to it. */
    reportHeard: z.optional(z.boolean()),
  }),
  refusals: ["RATE_LIMITED"],
});

/** The news of a queue (docs/SYNC.md, S10) by itself. */
export const reportQueue = defineCall({
  method: "POST",
  path: "/api/device-queue",
  access: "signed-in",
  summary: "Tell how many rows of a session a device still holds, where nothing that is sent tells it",
  body: z.object({
    sessionId: IdInput,
    deviceId: DeviceId,
    pending: Quantity,
    pendingOrder: Sequence,
    deviceKey: z.optional(DeviceKey),
  }),
  answer: Success,
  refusals: ["RATE_LIMITED"],
  /** Of a session that has ended. */
  events: ["adjustment"],
});
