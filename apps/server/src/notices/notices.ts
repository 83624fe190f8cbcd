/** What the administrator is told of the safety of the accounts: on the dashboard, and by mail. */

export { type GuessingFacts, raiseGuessing } from "./guessing.ts";
export { type NewNotice, recordNotice } from "./notice-queries.ts";
export { noticeRoutes } from "./routes.ts";
export { readUnsentMails, resetMailsAhead, sendNotices, type UnsentMails } from "./send-notices.ts";
