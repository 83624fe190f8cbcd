import type { FastifyBaseLogger } from "fastify";
import { createTransport } from "nodemailer";
import { ApiError } from "../kernel/api-error.ts";
import type { Mailer } from "./mailer.ts";

/** How long the mail server may take, in milliseconds. */
export interface MailTimeouts {
  /** For looking up its name, for connecting, and for its greeting, each. */
  readonly connectMs: number;
  /** For any response at all while a mail is handed over. */
  readonly silenceMs: number;
  /** For the whole mail, however many responses it sends. */
  readonly wholeMs: number;
}

const defaultTimeouts: MailTimeouts = { connectMs: 8000, silenceMs: 10_000, wholeMs: 20_000 };

export interface SmtpMailerOptions {
  /** `smtps://` speaks TLS from the start, `smtp://` as soon as the server offers it; `?requireTLS=true` insists. */
  readonly url: string;
  /** The sender, with or without a name: `Stocktake <stocktake@example.com>`. */
  readonly from: string;
  readonly logger: Pick<FastifyBaseLogger, "warn">;
  readonly timeouts?: MailTimeouts;
}

/** Hands mails to the mail server at `url`, each over a connection of its own. */
export function createSmtpMailer({
  url,
  from,
  logger,
  timeouts = defaultTimeouts,
}: SmtpMailerOptions): Mailer {
  const transport = createTransport({
    url,
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    // A mail's text never makes this server read a file or call an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    kind: "smtp",
    async send({ to, subject, text, html }) {
      const signal = AbortSignal.timeout(timeouts.wholeMs);
      try {
        await transport.sendMail({ from, to: { name: "", address: to }, subject, text, html, signal });
      } catch (error) {
        const failure = failureOf(error);
        logger.warn(failure, "The mail server did not take a mail");
        throw new ApiError("MAIL_FAILED", sentenceFor(failure));
      }
    },
    async check() {
      try {
        return await transport.verify();
      } catch (error) {
        logger.warn(failureOf(error), "The mail server can't be used");
        return false;
      }
    },
  };
}

interface MailFailure {
  /** Nodemailer's: EENVELOPE, EAUTH, ECONNECTION, ETIMEDOUT and others. */
  readonly code: string;
  /** The SMTP status, where the server gave one. */
  readonly status: number | null;
  readonly detail: string;
}

function failureOf(error: unknown): MailFailure {
  if (!(error instanceof Error)) return { code: "UNKNOWN", status: null, detail: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
  const status =
    "responseCode" in error && typeof error.responseCode === "number" ? error.responseCode : null;
  return { code, status, detail: error.message };
}

const notSent = "The invitation was neither created nor sent.";

/** Nodemailer's where no server was met. Of any other end without an answer nobody can say whether the mail was taken. */
const neverLeft = ["EDNS", "ECONNECTION"];

function sentenceFor({ code, status }: MailFailure): string {
  if (code === "EENVELOPE" && status !== null && status >= 500) {
    return `The mail server refused this email address. ${notSent} Check the address and try again.`;
  }
  if (code === "EAUTH" || code === "ENOAUTH" || code === "ETLS") {
    return `The mail server rejected Stocktake's login. ${notSent} Have whoever runs Stocktake check its mail settings.`;
  }
  if (status !== null) return `The mail server refused the mail. ${notSent} Try again in a few minutes.`;
  if (!neverLeft.includes(code)) {
    return (
      "The mail server can't be reached, or took too long to answer. The invitation was not created: should its mail arrive all the " +
      "same, its link does not work. Try again in a few minutes."
    );
  }
  return `The mail server can't be reached. ${notSent} Try again in a few minutes.`;
}
