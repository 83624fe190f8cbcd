import { sql } from "kysely";
import type { Database } from "../database/pool.ts";

/**
 * After the database's clock was set back: what was wrong or counted at a time to come was so now, or it would keep people out until the
 * clock is as late again; a proof from a time to come is asked for once more.
 */
export async function takeBackSignIns(database: Database): Promise<void> {
  await sql`
    update authenticator_apps set wrong_since = clock_timestamp() where wrong_since > clock_timestamp()`.execute(
    database,
  );
  await sql`update users set sign_ins_since = clock_timestamp() where sign_ins_since > clock_timestamp()`.execute(
    database,
  );
  await sql`update logins set proved_at = null where proved_at > clock_timestamp()`.execute(database);
}
