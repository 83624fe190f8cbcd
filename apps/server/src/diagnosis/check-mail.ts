import type { Finding } from "@stocktake/contract";
import type { Config } from "../kernel/config.ts";
import { countText, timeText } from "../kernel/formats.ts";
import { findMailProblem, type MailProblem, mailSecurityOf, mailSecurityWarning } from "../mail/mail.ts";
import { failed, notConfigured, ok, warning } from "./finding.ts";
import type { Installation } from "./queries.ts";

const adviceFor: Readonly<Record<MailProblem["about"], string>> = {
  login: "Make sure that user and password in SMTP_URL are right, each special character written as %XX.",
  tls: "Use the host name that the mail server's certificate is for. For one of its own making add ?tls.rejectUnauthorized=false.",
  connection: "Make sure that host and port in SMTP_URL are right and that this machine may connect to them.",
  server: "Ask whoever runs the mail server what it means.",
};

const nobodyIsTold = notConfigured(
  "mail",
  "Nobody is told by mail of sign-ins from new browsers, changed passwords, new counters and guessing.",
  "Set ADMIN_EMAIL to the administrator's address.",
);

const noServer = notConfigured(
  "mail",
  `No mail server is configured: invitations wait in the outbox, and the administrator passes the links on. ${nobodyIsTold.message}`,
  "Set SMTP_URL and PUBLIC_URL to send them by mail.",
);

/** Signs in to the mail server, sends nothing, and says how mails travel to it. */
export async function checkMail(
  { smtp, adminEmail, mailFrom }: Pick<Config, "smtp" | "adminEmail" | "mailFrom">,
  installation: Installation | null,
): Promise<Finding[]> {
  if (smtp === null) return [noServer, ...setForNothing({ ADMIN_EMAIL: adminEmail, MAIL_FROM: mailFrom })];
  const { host } = new URL(smtp.url);
  const unsent = adminEmail === null || installation === null ? [] : unsentTo(adminEmail, installation);
  const problem = await findMailProblem(smtp.url);
  if (problem !== null)
    return [
      failed("mail", `The mail server ${host} can't be used: ${problem.detail}`, adviceFor[problem.about]),
      ...unsent,
    ];
  return [
    ok("mail", `The mail server ${host} lets Stocktake in; mails are from ${smtp.from}.`),
    ...(await securityOf(smtp.url)),
    adminEmail === null
      ? nobodyIsTold
      : ok(
          "mail",
          `New sign-ins and guessing are to be told to ${adminEmail}; whether mail arrives there can't be seen from here.`,
        ),
    ...unsent,
  ];
}

/** A mail server that lets Stocktake in may still refuse the administrator's address. */
function unsentTo(adminEmail: string, { unsentMails: { count, since } }: Installation): Finding[] {
  if (since === null) return [];
  const mails = countText(count, `mail to ${adminEmail}`, `mails to ${adminEmail}`);
  const first = count === 1 ? `of ${timeText(since)}` : `the first one of ${timeText(since)}`;
  return [
    warning(
      "mail",
      `${mails} of the last week could not be sent, ${first}. Who signed in and what was changed is in the audit log all the same.`,
      'Make sure that ADMIN_EMAIL is right and that the mail server takes mails to it. "The administrator could not be told by mail" in ' +
        "the log says why. Each is tried again for about six hours, and then no more.",
    ),
  ];
}

/** What is set of mail where there is no mail server. */
function setForNothing(variables: Readonly<Record<string, string | null>>): Finding[] {
  const names = Object.keys(variables).filter((name) => variables[name] !== null);
  if (names.length === 0) return [];
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return [
    warning(
      "mail",
      `${names.join(" and ")} ${are} set without SMTP_URL, and so for nothing: nobody is sent any mail.`,
      `Set SMTP_URL and PUBLIC_URL too, or remove ${them}.`,
    ),
  ];
}

async function securityOf(url: string): Promise<Finding[]> {
  const found = mailSecurityWarning(url);
  if (found === null) return [];
  const offersTls =
    mailSecurityOf(url) === "never" || (await findMailProblem(url, { requireTls: true })) === null;
  if (offersTls) return [warning("mail", found.message, found.advice)];
  return [
    warning(
      "mail",
      "The mail server offers no TLS: whoever is on the way can read invitation links and its password.",
      "Have it offer TLS, or use another mail server.",
    ),
  ];
}
