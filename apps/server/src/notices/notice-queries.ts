import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { visitorAddress } from "../kernel/visitor-address.ts";

/** What the administrator is told of by mail. Never a password or a token. */
export type NewNotice =
  | {
      readonly kind: "new_browser";
      readonly facts: {
        readonly username: string;
        readonly role: "admin" | "counter";
        readonly address: string;
      };
    }
  /**
   * The administrator's password was right, in a browser in which the account had not signed in; no second factor followed, or, where a
   * backup of meanwhile was restored, none had by then.
   */
  | {
      readonly kind: "factor_not_shown";
      readonly facts: { readonly address: string; readonly isRestored?: boolean };
    }
  | {
      readonly kind: "password_changed";
      /** `by` is who did it: the account itself, the administrator, or whoever has the server's shell. */
      readonly facts: { readonly username: string; readonly role: "admin" | "counter"; readonly by: string };
    }
  | { readonly kind: "counter_created"; readonly facts: { readonly username: string; readonly by: string } };

/**
 * Records what the administrator is to be told, in the transaction of what it is about; `at` is when it happened, where that was before.
 * The mail is sent later from this row, so whatever becomes of the mail server, nobody waits for it.
 */
export async function recordNotice(
  transaction: Transaction,
  notice: NewNotice,
  at: Date | null = null,
): Promise<void> {
  const moment = at === null ? sql<Date>`now()` : sql<Date>`${at}::timestamptz`;
  switch (notice.kind) {
    case "new_browser":
    case "factor_not_shown": {
      const from = visitorAddress(notice.facts.address);
      if (!(await isRepeated(transaction, notice, from, moment)))
        await insert(transaction, notice, moment, { from, times: 1 });
      return;
    }
    case "password_changed":
    case "counter_created":
      return insert(transaction, notice, moment, {});
  }
}

/** When what came again is mailed: now, where it is told late. */
export const endOfHour = sql<Date>`greatest(began_at + interval '1 hour', now())`;

/**
 * What an account did again from the same place within an hour of the first time is counted, and no further notice: a mail that has been
 * sent is followed by one at the end of the hour. What is told late may have been the first.
 */
async function isRepeated(
  transaction: Transaction,
  { kind, facts }: NewNotice,
  from: string,
  moment: RawBuilder<Date>,
): Promise<boolean> {
  const account = "username" in facts ? facts.username : null;
  // One of which the end is not known leaves it unknown of them all.
  const unknown = "isRestored" in facts ? { isRestored: facts.isRestored } : {};
  const { numAffectedRows } = await sql`
    update notices set last_at = greatest(last_at, ${moment}), began_at = least(began_at, ${moment}),
      facts = facts || ${JSON.stringify(unknown)}::jsonb
        || jsonb_build_object('times', coalesce((facts ->> 'times')::integer, 1) + 1),
      next_mail_at = case when mailed_at < began_at + interval '1 hour' and next_mail_at is null
        then ${endOfHour} else next_mail_at end,
      mail_attempts = case when next_mail_at is null then 0 else mail_attempts end
    where kind = ${kind} and last_at > ${moment} - interval '1 hour'
      and began_at > ${moment} - interval '1 hour' and began_at < ${moment} + interval '1 hour'
      and facts ->> 'from' = ${from} and facts ->> 'username' is not distinct from ${account}`.execute(
    transaction,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

/** How often it was, and from where, beside what it is about. */
interface Repeats {
  readonly from?: string;
  readonly times?: number;
}

async function insert(
  transaction: Transaction,
  { kind, facts }: NewNotice,
  moment: RawBuilder<Date>,
  repeats: Repeats,
): Promise<void> {
  await transaction
    .insertInto("notices")
    .values({ kind, facts: JSON.stringify({ ...facts, ...repeats }), beganAt: moment, lastAt: moment })
    .execute();
}
