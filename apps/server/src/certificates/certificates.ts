/** What a session leaves open, and the certificate that nothing is. */

export { followChanges } from "./follow-changes.ts";
export { certificateRoutes } from "./routes.ts";
