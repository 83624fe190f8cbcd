/** Who changed what: recording, reading and verifying the audit log. */

export { type AuditActor, actorOf, serverActor, shellActor } from "./actors.ts";
export { canonicalJson } from "./chain.ts";
export { readAll, readLastHash } from "./queries.ts";
export { type NewAuditEntry, recordAudit, recordAudits, skusNamedAtMost } from "./record-audit.ts";
export { auditRoutes } from "./routes.ts";
export {
  actorNamed,
  areaName,
  areaNames,
  areaSubject,
  productSubject,
  sessionSubject,
} from "./subject-queries.ts";
export { verifyChain } from "./verify.ts";
export { runVerifyAudit } from "./verify-command.ts";
