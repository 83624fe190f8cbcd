/** How mails travel to the mail server, going by its address. */
export type MailSecurity = "tls" | "if_offered" | "never" | "this_machine";

const thisMachine = /^(?:localhost|127\..*|\[::1\])$/;

/** By the rules of nodemailer's addresses: smtps:// is TLS from the first byte, smtp:// takes STARTTLS where it is offered. */
export function mailSecurityOf(url: string): MailSecurity {
  const { protocol, hostname, searchParams } = new URL(url);
  if (protocol === "smtps:" || searchParams.get("secure") === "true") return "tls";
  if (searchParams.get("ignoreTLS") === "true") return thisMachine.test(hostname) ? "this_machine" : "never";
  if (searchParams.get("requireTLS") === "true") return "tls";
  return thisMachine.test(hostname) ? "this_machine" : "if_offered";
}

export interface MailWarning {
  readonly message: string;
  readonly advice: string;
}

/** What an operator is told of it; null where mails are safe on their way. */
export function mailSecurityWarning(url: string): MailWarning | null {
  const readable = "whoever is on the way can read invitation links and the mail server's password";
  switch (mailSecurityOf(url)) {
    case "tls":
    case "this_machine":
      return null;
    case "never":
      return {
        message: `Mails are sent without TLS: ${readable}.`,
        advice: "Take ignoreTLS out of SMTP_URL.",
      };
    case "if_offered":
      return {
        message: `Mails are sent with TLS only where the mail server offers it; else ${readable}.`,
        advice: "Add ?requireTLS=true to SMTP_URL, or use smtps://.",
      };
  }
}
