/** Mail to people: by SMTP, or into the outbox where no mail server is configured. */

export type { Mail, Mailer } from "./mailer.ts";
export { createOutboxMailer, putIntoOutbox, readOutbox, removeFromOutbox } from "./outbox.ts";
export { createSmtpMailer } from "./smtp-mailer.ts";
