import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Id, IdInput, Success, Timestamp } from "../primitives.ts";

/**
 * Guessing at passwords that goes on, or went on: at the administrator's, at those of permanent counters, at the current one where it is
 * asked for again, or at the administrator's second factors. After an hour without wrong ones it is another one.
 */
export const GuessingNotice = z.object({
  _id: Id,
  login: z.enum(["admin", "counter", "password_change", "second_factor"]),
  /** In one browser in which somebody had signed in before, of which no address is told; absent of strangers. */
  knownBrowser: z.optional(z.boolean()),
  wrongPasswords: z.int(),
  addresses: z.int(),
  beganAt: Timestamp,
  lastAt: Timestamp,
});
export type GuessingNotice = z.infer<typeof GuessingNotice>;

/**
 * Work that waits for the administrator in a count, as it is now: nobody puts it away, it is gone once it is done. Of `count`
 * areas, devices, people, or scans; of a deploy SKUs. `at`: since when, or when a deploy ended.
 */
export const WorkNotice = z.object({
  kind: z.enum([
    /** Areas whose total did not match, or that an administrator wants counted again. */
    "recounts",
    /** Devices that hold scans and have not been heard of for five minutes, also of a session that ended lately and is not deployed. */
    "silent_devices",
    /** Devices with work in an area in progress that hold nothing as far as anybody knows, and have not been heard of for five minutes. */
    "unheard_devices",
    /** People who have asked to join a session that runs, by its code, and wait to be admitted. */
    "join_requests",
    /** People of a planned session, now running, whose invitation could not be sent and is not tried any more. */
    "not_invited",
    /** Areas in which somebody scanned although they were assigned to others alone, of a session that runs. */
    "counted_by_others",
    /** Scans that need a decision: of a session that runs, or ended lately and is not deployed. */
    "exceptions",
    /** Rows of a deploy or a rollback that somebody has to look at. */
    "deploy_partial",
    /** Ended within the last day. */
    "deploy_done",
    "deploy_failed",
  ]),
  sessionId: Id,
  /** Of a deploy alone. */
  adjustmentId: z.nullable(Id),
  /** Of a deploy of which a part is not rolled back; absent of all else. */
  isRollback: z.optional(z.boolean()),
  storeName: z.string(),
  sessionName: z.nullable(z.string()),
  count: z.int(),
  /** Areas or people by name, the first few. */
  names: z.array(z.string()),
  at: z.nullable(Timestamp),
});
export type WorkNotice = z.infer<typeof WorkNotice>;

export const listNotices = defineCall({
  method: "GET",
  path: "/api/notices",
  access: "admin",
  summary:
    "What the administrator is warned of and has not put away, newest first, and the work that waits in counts",
  answer: z.object({
    notices: z.array(GuessingNotice),
    /** Absent from an older server. */
    work: z.optional(z.array(WorkNotice)),
    /** Of the kinds that are new to an older page, which an update leaves open, and which it could not show. */
    furtherNotices: z.optional(z.array(GuessingNotice)),
    furtherWork: z.optional(z.array(WorkNotice)),
  }),
});

export const dismissNotice = defineCall({
  method: "POST",
  path: "/api/notices/:id/dismiss",
  access: "admin",
  summary: "Put a notice away",
  params: z.object({ id: IdInput }),
  answer: Success,
  events: [],
});
