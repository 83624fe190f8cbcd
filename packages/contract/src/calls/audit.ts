import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Timestamp, TimestampInput } from "../primitives.ts";
import { optionalLine } from "../text.ts";

/** Everything that the audit log records; scans and their undoing are records of their own. */
export const AuditAction = z.enum([
  "store.created",
  "store.changed",
  "store.deleted",
  "location.created",
  "location.renamed",
  "location.deleted",
  "areas.created",
  "area.renamed",
  "area.deleted",
  "area.merged",
  "areas.copied",
  "areas.assigned",
  "plan.created",
  "plan.changed",
  "plan.deleted",
  "session.started",
  "session.renamed",
  "session.ended",
  "session.released",
  "session.archived",
  "session.brought_back",
  "counts.loaded",
  "sheets.printed",
  "sheet.returned",
  "sheet.voided",
  "area.finished",
  "area.total_declared",
  "area.reset",
  "area.reopened",
  "area.restored",
  "second_count.asked",
  "second_count.cancelled",
  "second_count.settled",
  "search.created",
  "search.withdrawn",
  "search.answered",
  "search.decided",
  "coverage.area_stated",
  "coverage.area_taken_back",
  "coverage.device_stated",
  "coverage.device_taken_back",
  "coverage.difference_stated",
  "coverage.difference_taken_back",
  "coverage.left_alone",
  "coverage.taken_up",
  "certificate.issued",
  "tolerance.changed",
  "sample.committed",
  "sample.drawn",
  "sample.voided",
  "invitation.created",
  "invitation.revoked",
  "invitation.accepted",
  "session_code.opened",
  "session_code.revoked",
  "session_code.admitting",
  "counter.admitted",
  "counter.declined",
  "account.created",
  "account.changed",
  "account.deleted",
  "admin_password.changed",
  "logins.ended",
  "second_factor.added",
  "second_factor.removed",
  "recovery_codes.renewed",
  "recovery_code.used",
  "proof.chosen",
  "login.opened",
  "login.ended",
  "count.adjusted",
  "figure.included",
  "figure.left_out",
  "auditors_file.written",
  "exception.accepted",
  "exception.dismissed",
  "exception.taken_back",
  "basis.chosen",
  "deploy.requested",
  "deploy.resumed",
  "deploy.cancelled",
  "deploy.concluded",
  "deploy.rows_left",
  "rollback.requested",
  "rollback.concluded",
  "rollback.resumed",
  "rollback.cancelled",
  "row.settled",
  "packs.saved",
  "installation.restored",
]);
export type AuditAction = z.infer<typeof AuditAction>;

/** Who acted: `system` is the server itself, or whoever has its shell. */
export const AuditActorKind = z.enum(["admin", "counter", "system"]);
export type AuditActorKind = z.infer<typeof AuditActorKind>;

/** What was acted on. */
export const AuditSubjectKind = z.enum([
  "store",
  "location",
  "area",
  "session",
  "plan",
  "invitation",
  "account",
  "product",
  "scan",
  "adjustment",
  "installation",
]);
export type AuditSubjectKind = z.infer<typeof AuditSubjectKind>;

const AuditFacts = z.nullable(z.record(z.string(), z.unknown()));

/**
 * One entry of the audit log. Names are as they were. Entries of one session form a chain, those that concern none
 * (`sessionId` null) another; `position` counts from 1 in the chain, `hash` is the SHA-256 of everything in the entry
 * and of the hash before it. `action` and the subject's kind are of the closed sets above, unless somebody changed the
 * entry by hand: then it must be shown all the same.
 */
export const AuditEntry = z.object({
  _id: Id,
  sessionId: z.nullable(Id),
  position: z.int(),
  at: Timestamp,
  actor: z.object({ kind: AuditActorKind, _id: z.nullable(Id), name: z.string() }),
  action: z.string(),
  subject: z.object({ kind: z.string(), _id: z.nullable(z.string()), name: z.string() }),
  before: AuditFacts,
  after: AuditFacts,
  previousHash: z.nullable(z.string()),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const filter = {
  sessionId: z.optional(IdInput),
  /** A part of the actor's name, without regard to case. */
  actor: optionalLine("Actor", limits.name),
  action: z.optional(AuditAction),
  /** From this moment on. */
  from: z.optional(TimestampInput),
  /** Before this moment. */
  to: z.optional(TimestampInput),
};

export const listAudit = defineCall({
  method: "GET",
  path: "/api/audit",
  access: "admin",
  summary: "The audit log, newest first",
  query: z.object({ ...filter, ...pageQuery }),
  answer: z.object({ entries: z.array(AuditEntry), ...pageAnswer }),
});

export const exportAudit = defineCall({
  method: "GET",
  path: "/api/audit/export",
  access: "admin",
  summary:
    "The audit log as a CSV file (RFC 4180), oldest first, with everything that its hashes are made of",
  media: "text/csv",
  query: z.object(filter),
});
