import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Config } from "../kernel/config.ts";
import type { Mailer } from "../mail/mail.ts";
import { noticeMail, type StoredNotice } from "./notice-mail.ts";
import { endOfHour } from "./notice-queries.ts";

interface NoticeMailServices {
  readonly config: Config;
  readonly database: Database;
  readonly mailer: Mailer;
  readonly logger: FastifyBaseLogger;
}

/** The pauses between attempts double, from a minute to an hour; then it is given up. */
const mostAttempts = 12;
const longestPause = sql`interval '1 hour'`;
const atOnce = 20;
/** What nobody can have many of by having a password waits for no other. */
const isUrgent = sql`(kind in ('guessing', 'password_changed'))`;

/**
 * Sends the mails that wait. Each is taken for a while before it is sent, so that of several nodes one sends it, and one that is
 * lost with its process is sent again. Without a mail server or an address for it nothing is sent, and what could not be sent for a day is
 * not sent any more: nobody needs to hear then of what happened before.
 */
export async function sendNotices({ config, database, mailer, logger }: NoticeMailServices): Promise<void> {
  const { adminEmail: to, publicUrl } = config;
  if (mailer.kind !== "smtp" || to === null || publicUrl === null) return;
  for (const { id, mailAttempts, ...notice } of await claimDue(database)) {
    try {
      await mailer.send(noticeMail(notice, { to, publicUrl }));
      await noteSent(database, id, timesTold(notice));
    } catch (error) {
      logger.warn({ err: error, notice: notice.kind }, "The administrator could not be told by mail");
      if (mailAttempts >= mostAttempts) {
        await sql`update notices set next_mail_at = null where id = ${id}`.execute(database);
      }
    }
  }
}

const timesTold = ({ facts }: StoredNotice) => ("times" in facts ? (facts.times ?? 1) : 1);

/** What came again while its mail was under way is told at the end of its hour. */
async function noteSent(database: Database, id: string, told: number): Promise<void> {
  await sql`
    update notices set mailed_at = now(), mail_attempts = 0,
      next_mail_at = case when coalesce((facts ->> 'times')::integer, 1) > ${told} and mailed_at is null
        then ${endOfHour} end
    where id = ${id}`.execute(database);
}

/** Of the last week: mails that the mail server has not taken, whether they are tried again or not. */
export interface UnsentMails {
  readonly count: number;
  /** When what the first of them tells of began; null where there is none. */
  readonly since: Date | null;
}

/** One whose first attempt failed is tried again within a minute, and is no trouble yet. */
export async function readUnsentMails(database: Database): Promise<UnsentMails> {
  const { rows } = await sql<UnsentMails>`
    select count(*)::integer as count, min(began_at) as since from notices
    where mail_attempts > 1 and last_at > now() - interval '7 days'`.execute(database);
  return rows[0] ?? { count: 0, since: null };
}

type DueNotice = StoredNotice & { readonly id: string; readonly mailAttempts: number };

/** After the database's clock was set back no mail waits for more than the longest pause. */
export async function resetMailsAhead(database: Database): Promise<void> {
  await sql`
    update notices set next_mail_at = now() + ${longestPause}
    where next_mail_at > now() + ${longestPause}`.execute(database);
}

async function claimDue(database: Database): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    update notices set mail_attempts = mail_attempts + 1,
      next_mail_at = now() + least(${longestPause}, interval '1 minute' * 2 ^ mail_attempts)
    where id in (
      select id from notices where next_mail_at <= now() and next_mail_at > now() - interval '1 day'
      order by ${isUrgent} desc, began_at limit ${atOnce} for update skip locked)
    returning id, kind, facts, began_at, mail_attempts`.execute(database);
  return rows;
}
