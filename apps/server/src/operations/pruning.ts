import { sql } from "kysely";
import { lateScanDays } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";

/**
 * Removes what is no longer needed: logins that have opened nothing for a long time, wrong passwords that no limit counts,
 * notices of long ago, who asked to join and from where, and results stored for repeats of devices that may send no more.
 */
export async function prune(database: Database): Promise<void> {
  await database
    .deleteFrom("failedLogins")
    .where("failedAt", "<", sql<Date>`now() - interval '1 day'`)
    .execute();
  await sql`delete from notices where last_at < now() - make_interval(days => ${toldDays})`.execute(database);
  await sql`
    delete from logins login using users person
    where person.id = login.user_id and (
      login.expires_at < ${longOver} or person.deleted_at is not null
      or exists (
        select from invitations invitation join sessions session on session.id = invitation.session_id
        where invitation.id = person.invitation_id
          and (invitation.revoked_at < ${longOver} or session.ended_at < now() - make_interval(days => ${lateScanDays + toldDays}))))`.execute(
    database,
  );
  await sql`
    delete from join_requests request using session_codes code, sessions session
    where code.id = request.code_id and session.id = code.session_id and ${isOver}`.execute(database);
  await sql`
    delete from device_operations operation using sessions session
    where session.id = operation.session_id and ${isOver}`.execute(database);
}

/** So long the holder of a login that is over is told why. */
const toldDays = 60;
const longOver = sql`now() - make_interval(days => ${toldDays})`;
const isOver = sql`session.ended_at < now() - make_interval(days => ${lateScanDays})`;
