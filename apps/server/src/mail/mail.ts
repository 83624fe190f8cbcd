/** Mail to people: by SMTP, or into the outbox where no mail server is configured. */

export { findMailProblem, type MailProblem } from "./mail-problem.ts";
export { mailSecurityOf, mailSecurityWarning } from "./mail-security.ts";
export { escaped, onOneLine } from "./mail-text.ts";
export type { Mail, Mailer } from "./mailer.ts";
export { createOutboxMailer, putIntoOutbox, readOutbox } from "./outbox.ts";
export { clearOutboxOf, removeFromOutbox } from "./outbox-queries.ts";
export { createSmtpMailer } from "./smtp-mailer.ts";
