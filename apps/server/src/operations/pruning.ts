import { sql } from "kysely";
import { lateScanDays } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";

/**
 * Removes what is no longer needed: logins that open nothing any more, wrong passwords that no limit counts, and results
 * stored for repeats of devices that may send no more.
 */
export async function prune(database: Database): Promise<void> {
  await database
    .deleteFrom("failedLogins")
    .where("failedAt", "<", sql<Date>`now() - interval '1 day'`)
    .execute();
  await sql`
    delete from logins login using users person
    where person.id = login.user_id and (
      login.expires_at < now() or person.deleted_at is not null
      or exists (
        select from invitations invitation join sessions session on session.id = invitation.session_id
        where invitation.id = person.invitation_id
          and (invitation.revoked_at is not null or ${isOver})))`.execute(database);
  await sql`
    delete from device_operations operation using sessions session
    where session.id = operation.session_id and ${isOver}`.execute(database);
}

const isOver = sql`session.ended_at < now() - make_interval(days => ${lateScanDays})`;
