/** Where an administrator reads the report of an ended session. */
export function reportPath(sessionId: string): string {
  return `/admin/reports?session=${encodeURIComponent(sessionId)}`;
}
