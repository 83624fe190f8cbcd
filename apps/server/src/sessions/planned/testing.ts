import { ApiError } from "../../kernel/api-error.ts";
import type { Mail, Mailer } from "../../mail/mail.ts";

/** A mail server that refuses some addresses; what it took is in `sent`. */
export function refusingMailer() {
  const refused = new Set<string>();
  const sent: Mail[] = [];
  const mailer: Mailer = {
    kind: "smtp",
    check: async () => true,
    send: async (mail) => {
      if (refused.has(mail.to)) throw new ApiError("MAIL_FAILED", "The mail server refused the address.");
      sent.push(mail);
    },
  };
  return { mailer, refused, sent };
}
