/** Who changed what: recording, reading and verifying the audit log. */

export { type AuditActor, actorNamed, actorOf, serverActor, shellActor } from "./actors.ts";
export { readLastHash } from "./queries.ts";
export { type NewAuditEntry, recordAudit } from "./record-audit.ts";
export { auditRoutes } from "./routes.ts";
export { areaName, areaSubject, productSubject, sessionSubject } from "./subjects.ts";
export { runVerifyAudit } from "./verify-command.ts";
