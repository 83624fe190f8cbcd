import type { OutboxMail } from "@stocktake/contract";
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { OutboxMailsTable } from "../database/tables.ts";
import { newestFirst, type Page, type PageRequest, pageOf } from "../kernel/paging.ts";
import type { Mail, Mailer } from "./mailer.ts";

/** Where no mail server is configured: mails wait in the table outbox_mails for an administrator to pass them on. */
export function createOutboxMailer(): Mailer {
  return { kind: "outbox", send: async () => undefined, check: async () => true };
}

/** Adds a mail to the outbox, together with what it is about. */
export async function putIntoOutbox(
  transaction: Transaction,
  invitationId: string,
  { to, subject, text, link }: Mail,
): Promise<void> {
  await transaction
    .insertInto("outboxMails")
    .values({ invitationId, recipient: to, subject, body: text, link })
    .execute();
}

/** The mails that wait to be passed on by hand, newest first. */
export async function readOutbox(database: Database, page: PageRequest): Promise<Page<OutboxMail>> {
  const rows = await database.selectFrom("outboxMails").selectAll().execute();
  const mails = pageOf(
    page,
    rows,
    newestFirst(({ createdAt }) => createdAt),
  );
  return { ...mails, items: mails.items.map(presentMail) };
}

function presentMail(row: Selectable<OutboxMailsTable>): OutboxMail {
  return {
    _id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.body,
    link: row.link,
    createdAt: row.createdAt.toISOString(),
  };
}
