import { escaped, type Mail, onOneLine } from "../mail/mail.ts";

/** What an invitation's mail contains. */
export interface InvitationMailFacts {
  readonly to: string;
  readonly counterName: string;
  readonly storeName: string;
  readonly link: string;
}

/** The mail to somebody who may be counting for the first time, as text and as HTML. */
export function invitationMail({ to, counterName, storeName, link }: InvitationMailFacts): Mail {
  const name = onOneLine(counterName);
  const store = onOneLine(storeName);
  const messages = {
    greeting: `Hello ${name},`,
    opening: `you are on the counting team at ${store}. Thank you for helping!`,
    ask: "Open this link on the phone or scanner that you will count with:",
    explanation:
      "That is all you need: the link signs you in, without an account and without a password. Then choose your location and your area, and start scanning. The screen tells you what to do at each step, and nothing you scan is lost if the connection drops.",
    rules:
      "The link is for you alone, so please do not pass it on. You may open it on a second device too. It stops working when the count ends.",
    closing: "See you on the shop floor!",
  };
  return {
    to,
    subject: `Your counting link for ${store}`,
    text: textOf(messages, link),
    html: htmlOf(messages, link, store),
    link,
  };
}

interface Messages {
  readonly greeting: string;
  readonly opening: string;
  readonly ask: string;
  readonly explanation: string;
  readonly rules: string;
  readonly closing: string;
}

function textOf({ greeting, opening, ask, explanation, rules, closing }: Messages, link: string): string {
  return `${[greeting, opening, `${ask}\n${link}`, explanation, rules, closing].join("\n\n")}\n`;
}

// Mail programs support neither style sheets nor grids reliably: tables and styles on the elements are what all of them show.
function htmlOf(messages: Messages, link: string, store: string): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(store)}</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f5f4;color:#1c2321;font:16px/1.5 Helvetica,Arial,sans-serif">
<table role="presentation" align="center" width="100%" style="max-width:560px;border-collapse:collapse;background:#ffffff"><tr><td style="padding:32px 24px">
${paragraph(messages.greeting)}
${paragraph(messages.opening)}
${paragraph(messages.ask)}
<p style="margin:24px 0"><a href="${escaped(link)}" style="display:inline-block;padding:14px 28px;background:#0b5d4e;color:#ffffff;font-weight:bold;text-decoration:none;border-radius:8px">Start counting</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#4a5551">If the button does nothing, copy this address into your browser:<br><a href="${escaped(link)}" style="color:#0b5d4e;word-break:break-all">${escaped(link)}</a></p>
${paragraph(messages.explanation)}
${paragraph(messages.rules)}
${paragraph(messages.closing)}
</td></tr></table>
</body>
</html>
`;
}
