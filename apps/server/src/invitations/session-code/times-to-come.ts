import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { admittingMinutes } from "./admit.ts";

/**
 * After the database's clock was set back: a code whose door would stand open for longer than it is ever opened admits nobody unseen any
 * more, and who asked at a time to come has asked now.
 */
export async function resetAskingAhead(database: Database): Promise<void> {
  await sql`
    update session_codes set admit_until = null
    where admit_until > clock_timestamp() + make_interval(mins => ${admittingMinutes})`.execute(database);
  await sql`
    update join_requests set asked_at = least(asked_at, clock_timestamp()), heard_at = least(heard_at, clock_timestamp())
    where asked_at > clock_timestamp() or heard_at > clock_timestamp()`.execute(database);
}
