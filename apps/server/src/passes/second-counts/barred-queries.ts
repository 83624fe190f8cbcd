import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { isOfPass, type Pass } from "../queries.ts";
import { hasTakenPart } from "./attempt-queries.ts";

interface Barred {
  /** The pass is one that the area itself has had. */
  readonly isOwn: boolean;
  /** Those of the people who have counted what it is compared with, so that the area is closed to them; null where it is no second count. */
  readonly barred: readonly string[] | null;
}

/** What a pass is to people, who may hear of it or not. */
export async function readBarred(database: Database, pass: Pass, people: readonly string[]): Promise<Barred> {
  const { rows } = await sql<Barred>`
    select exists (select from area_passes where ${isOfPass(pass)}) as is_own,
      (select array(select person::text from unnest(${people}::uuid[]) person where ${hasTakenPart("attempt", sql`person`)})
        from second_counts attempt where ${isOfPass(pass, "attempt")}) as barred`.execute(database);
  return rows[0] ?? { isOwn: false, barred: null };
}
