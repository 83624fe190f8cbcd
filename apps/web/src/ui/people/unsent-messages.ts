/** What becomes of scans where a login ends that a device has: said on the pages of accounts and of one's own logins. */
export const unsentMessages = {
  stay: "Scans that a device has not sent yet stay on it, and are sent after the next login there.",
} as const;
