import { createTransport } from "nodemailer";

/** Why mails can't be handed over: what the server or the network said, and what it is about. */
export interface MailProblem {
  readonly about: "login" | "tls" | "connection" | "server";
  readonly detail: string;
}

const loginCodes = ["EAUTH", "ENOAUTH", "EOAUTH2"];
const connectionCodes = ["EDNS", "ECONNECTION", "ETIMEDOUT", "ESOCKET"];
const certificate = /certificate|self.signed|altname|wrong version number/i;

const timeoutMs = 5_000;

/** Connects, signs in and leaves, without a mail. Resolves to null where that works. */
export async function findMailProblem(
  url: string,
  { requireTls = false }: { readonly requireTls?: boolean } = {},
): Promise<MailProblem | null> {
  const address = new URL(url);
  if (requireTls) address.searchParams.set("requireTLS", "true");
  const transport = createTransport({
    url: address.href,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): MailProblem {
  if (!(error instanceof Error)) return { about: "server", detail: String(error) };
  const detail = error.message;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "ETLS" || certificate.test(detail)) return { about: "tls", detail };
  if (loginCodes.includes(code)) return { about: "login", detail };
  return { about: connectionCodes.includes(code) ? "connection" : "server", detail };
}
