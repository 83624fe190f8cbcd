/** Mail to people: by SMTP, or into the outbox where no mail server is configured. */

export type { Mail, Mailer } from "./mailer.ts";
export { putIntoOutbox, readOutbox, takeFromOutbox } from "./outbox.ts";
export { createOutboxMailer } from "./outbox-mailer.ts";
export { createSmtpMailer } from "./smtp-mailer.ts";
