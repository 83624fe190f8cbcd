import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { permanentLoginDays } from "./login-queries.ts";
import { challengeMinutes } from "./second-factor/challenges.ts";
import { passkeyMinutes } from "./second-factor/passkey-challenges.ts";

/**
 * After the database's clock was set back: what was wrong or counted at a time to come was so now, or it would keep people out until the
 * clock is as late again; a proof from a time to come is asked for once more; and what was made then opens something for no longer than if
 * it were made now. Challenges are kept: of a stranger's that nobody meets the administrator is told.
 */
export async function resetSignInsAhead(database: Database): Promise<void> {
  await sql`
    update authenticator_apps set wrong_since = clock_timestamp() where wrong_since > clock_timestamp()`.execute(
    database,
  );
  await sql`update users set sign_ins_since = clock_timestamp() where sign_ins_since > clock_timestamp()`.execute(
    database,
  );
  await sql`update logins set proved_at = null where proved_at > clock_timestamp()`.execute(database);
  for (const column of ["created_at", "last_seen_at"].map((name) => sql.ref(name))) {
    await sql`update logins set ${column} = clock_timestamp() where ${column} > clock_timestamp()`.execute(
      database,
    );
  }
  await takeBackEnds(database, "logins", sql`make_interval(days => ${permanentLoginDays})`);
  await takeBackEnds(database, "sign_in_challenges", sql`make_interval(mins => ${challengeMinutes})`);
  await takeBackEnds(database, "passkey_challenges", sql`make_interval(mins => ${passkeyMinutes})`);
}

async function takeBackEnds(database: Database, table: string, life: RawBuilder<unknown>): Promise<void> {
  await sql`
    update ${sql.table(table)} set expires_at = clock_timestamp() + ${life}
    where expires_at > clock_timestamp() + ${life}`.execute(database);
}
