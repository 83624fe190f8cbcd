/** What a session leaves open, and the certificate that nothing is. */

export { followChanges } from "./follow-changes.ts";
export { createDueIssuer } from "./issue-due.ts";
export { certificateRoutes } from "./routes.ts";
