import { countText, minuteText, quantityText } from "../kernel/formats.ts";
import { escaped, type Mail, onOneLine } from "../mail/mail.ts";
import type { GuessingFacts } from "./guessing.ts";
import type { NewNotice } from "./notice-queries.ts";

/** A notice as it was stored. */
export type StoredNotice = (NewNotice | { readonly kind: "guessing"; readonly facts: GuessingFacts }) & {
  readonly facts: { readonly times?: number };
  readonly beganAt: Date;
};

type OfKind<Kind extends StoredNotice["kind"]> = Extract<StoredNotice, { kind: Kind }>["facts"];

/** Where a mail goes and where its link leads. */
interface Recipient {
  readonly to: string;
  readonly publicUrl: URL;
}

interface Message {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/** The mail that tells the administrator of a notice, as text and as HTML. */
export function noticeMail(notice: StoredNotice, { to, publicUrl }: Recipient): Mail {
  const { subject, paragraphs } = messageOf(notice);
  const link = new URL("/admin/audit", publicUrl).href;
  const closing = "Who signed in and what was changed is in the audit log:";
  return {
    to,
    subject: `Stocktake: ${subject}`,
    text: `${[...paragraphs, `${closing}\n${link}`].join("\n\n")}\n`,
    html: htmlOf(paragraphs, closing, link),
    link,
  };
}

function messageOf(notice: StoredNotice): Message {
  switch (notice.kind) {
    case "guessing":
      return guessing(notice.facts, notice.beganAt);
    case "new_browser":
      return newBrowser(notice.facts, notice.beganAt);
    case "factor_not_shown":
      return factorNotShown(notice.facts, notice.beganAt);
    case "password_changed":
      return passwordChanged(notice.facts, notice.beganAt);
    case "counter_created":
      return counterCreated(notice.facts, notice.beganAt);
  }
}

const guessed: Readonly<Record<GuessingFacts["login"], string>> = {
  admin: "the administrator's password",
  counter: "passwords of counters",
  password_change: "the administrator's password where it is asked for again",
  second_factor:
    "the administrator's second factors, after the right password or where one is asked for again,",
};

function guessing(facts: GuessingFacts, at: Date): Message {
  const { login, wrongPasswords, addresses, knownBrowser } = facts;
  const wrong = `${quantityText(wrongPasswords)} wrong ${login === "second_factor" ? "ones" : "passwords"}`;
  const where =
    knownBrowser === true
      ? "in a browser in which somebody has signed in before"
      : `from ${countText(addresses, "address", "addresses")}`;
  const told = `Somebody has been guessing ${guessed[login]} since ${minuteText(at)}: ${wrong} ${where} so far.`;
  if (login === "second_factor") {
    return {
      subject: "Somebody is guessing second factors",
      paragraphs: [
        told,
        "If that was not you, somebody knows your password, or uses a browser in which you are signed in: change the password now under Settings, which ends every other login of the administrator.",
      ],
    };
  }
  return knownBrowser === true ? inKnownBrowser(told) : byStrangers(told);
}

function inKnownBrowser(told: string): Message {
  return {
    subject: "Somebody is guessing passwords in a known browser",
    paragraphs: [
      told,
      "Somebody uses that browser, or has copied what it keeps. It may try ten passwords in 15 minutes; nobody is locked out.",
      "If nobody of yours forgot the password, change it under Settings, or the counter's under Counters: every browser that knew the old one is then a stranger's. Counting goes on as usual.",
    ],
  };
}

function byStrangers(told: string): Message {
  return {
    subject: "Somebody is guessing passwords",
    paragraphs: [
      told,
      "Nobody is locked out: strangers are slowed down, and browsers in which somebody has signed in before are not. A long password that is used nowhere else can't be guessed at this pace.",
      "If the password is short or used elsewhere, change it now under Settings. Counting goes on as usual.",
    ],
  };
}

function newBrowser({ username, role, address, times }: OfKind<"new_browser">, at: Date): Message {
  const who = role === "admin" ? "as the administrator" : `as the counter ${onOneLine(username)}`;
  return {
    subject: "New sign-in from a new browser",
    paragraphs: [
      `Somebody signed in ${who} at ${minuteText(at)} from the address ${address}, in a browser that is new to Stocktake or was not used since the password is the present one${timesText(times)}.`,
      "If that was expected there is nothing to do.",
      role === "admin"
        ? "If not, somebody knows your password: change it at once under Settings, which ends every other login of the administrator. Where you can't sign in any more, whoever runs Stocktake sets a new password with the command admin-password."
        : "If not, somebody knows that password: give the counter another one under Counters, which ends the counter's logins.",
    ],
  };
}

function factorNotShown({ address, times, isRestored }: OfKind<"factor_not_shown">, at: Date): Message {
  const outcome =
    isRestored === true
      ? `${timesText(times)}. No second factor had been shown when the backup was made from which Stocktake was restored since; whether one followed is not known.`
      : `, and did not show the second factor${timesText(times)}. Nobody was signed in.`;
  return {
    subject: "The right password without the second factor",
    paragraphs: [
      `At ${minuteText(at)} somebody entered the administrator's right password from the address ${address}, in a browser that is new to Stocktake or was not used since the password is the present one${outcome}`,
      "If that was you there is nothing to do.",
      "If not, somebody knows your password: change it at once under Settings, which ends every other login of the administrator.",
    ],
  };
}

/** How often, where it was more than once. */
function timesText(times = 1): string {
  return times === 1 ? "" : `, ${quantityText(times)} times within the hour`;
}

function passwordChanged(
  { username, role, by }: Extract<NewNotice, { kind: "password_changed" }>["facts"],
  at: Date,
): Message {
  const whose = role === "admin" ? "The administrator's password" : `The password of ${onOneLine(username)}`;
  return {
    subject: "A password was changed",
    paragraphs: [
      `${whose} was changed at ${minuteText(at)} by ${onOneLine(by)}. The logins that it opened have ended.`,
      "If you did not do this, have whoever runs Stocktake set a new administrator's password with the command admin-password.",
    ],
  };
}

function counterCreated(
  { username, by }: Extract<NewNotice, { kind: "counter_created" }>["facts"],
  at: Date,
): Message {
  return {
    subject: "A new permanent counter",
    paragraphs: [
      `The permanent counter ${onOneLine(username)} was created at ${minuteText(at)} by ${onOneLine(by)}, and can sign in with a password.`,
      "If you did not do this, delete the account under Counters and change your own password under Settings.",
    ],
  };
}

function htmlOf(paragraphs: readonly string[], closing: string, link: string): string {
  const body = [...paragraphs, closing].map((text) => `<p>${escaped(text)}</p>`).join("\n");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Stocktake</title></head>
<body style="margin:0;padding:24px 16px;color:#1c2321;font:16px/1.5 Helvetica,Arial,sans-serif">
${body}
<p><a href="${escaped(link)}">${escaped(link)}</a></p>
</body></html>
`;
}
