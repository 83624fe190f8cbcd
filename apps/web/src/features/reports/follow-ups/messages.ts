/** Texts about sessions that count some SKUs of another again. */
export const followUpMessages = {
  ofTitle: (skus: string) => `A follow-up of ${skus}`,
  of: (session: string) =>
    `It counts again what looked wrong in ${session}. Other products that were scanned are not in this report.`,
  laterTitle: (skus: string) => `${skus} of this count chosen to be counted again`,
  running: (session: string) => `They are being counted in ${session}.`,
  later: (session: string) =>
    `What was counted in ${session} is deployed from there, and left alone by this report.`,
  toReport: "Go to Its Report",
  toSessions: "Go to Sessions",
} as const;
