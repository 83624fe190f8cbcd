import type { OpenDatabase } from "@stocktake/server/database/pool.ts";

type Pool = OpenDatabase["pool"];

/** A closed session whose snapshot is copied, and how many rows that is. */
export interface Model {
  readonly sessionId: string;
  readonly rows: number;
}

/** Snapshot rows in one statement: some seconds' work. */
const rowsAtOnce = 2_000_000;

/**
 * Adds closed sessions like the model, each with all rows of its snapshot, until so many snapshot rows are there. The database makes
 * them, so that a hundred million take minutes; what is measured has a store of its own. Their pages are full, without the room that a
 * start leaves for its end, so that more rows fit on the disk.
 */
export async function growTo(pool: Pool, model: Model, rows: number): Promise<void> {
  await pool.query("set statement_timeout = 0");
  const room = await fillFactorOf(pool, "session_items");
  await pool.query("alter table session_items set (fillfactor = 100)");
  await addSessions(pool, model, rows);
  await pool.query(`alter table session_items set (fillfactor = ${room})`);
  await pool.query("vacuum analyze session_items");
  await pool.query("vacuum analyze sessions");
  await pool.query("checkpoint");
}

async function addSessions(pool: Pool, model: Model, rows: number): Promise<void> {
  const items = await columnsOf(pool, "session_items");
  const sessions = await columnsOf(pool, "sessions");
  for (let missing = rows - (await countRows(pool)); missing > 0; ) {
    const copies = Math.ceil(Math.min(missing, rowsAtOnce) / model.rows);
    await pool.query(
      `with copy as (
         insert into sessions (id, ${sessions})
         select gen_random_uuid(), ${sessions} from sessions, generate_series(1, $2::integer) where id = $1
         returning id)
       insert into session_items (session_id, ${items})
       select copy.id, ${items} from copy, session_items item where item.session_id = $1`,
      [model.sessionId, copies],
    );
    missing -= copies * model.rows;
  }
}

async function fillFactorOf(pool: Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ fillFactor: number }>(
    `select option_value::integer as "fillFactor" from pg_class, pg_options_to_table(reloptions)
     where oid = $1::regclass and option_name = 'fillfactor'`,
    [table],
  );
  return rows[0]?.fillFactor ?? 100;
}

/** Every column but the one that says which session it is. */
async function columnsOf(pool: Pool, table: "sessions" | "session_items"): Promise<string> {
  const { rows } = await pool.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
     from information_schema.columns
     where table_schema = 'public' and table_name = $1 and column_name not in ('id', 'session_id')`,
    [table],
  );
  return rows[0]?.columns ?? "";
}

async function countRows(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ rows: number }>("select sum(items)::bigint as rows from sessions");
  return Number(rows[0]?.rows ?? 0);
}

/** What the snapshots take on the disk with their indexes, in gigabytes. */
export async function gigabytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    "select pg_total_relation_size('session_items') as bytes",
  );
  return Number(rows[0]?.bytes ?? 0) / 1e9;
}
