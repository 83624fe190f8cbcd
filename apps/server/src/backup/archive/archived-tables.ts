import pg from "pg";
import { type CopiedTable, readTables } from "../transfer-schema.ts";

/** What goes into the file: read by nothing but the session's own pages. All have a column session_id. */
export const archivedTables: ReadonlySet<string> = new Set([
  "area_assignments",
  "area_statements",
  "compared_counts",
  "control_samples",
  "count_adjustments",
  "count_sheets",
  "coverage_certificates",
  "device_statements",
  "included_figures",
  "left_alone_items",
  "moved_codes",
  "own_totals",
  "sample_areas",
  "scan_decisions",
  "scan_totals",
  "scans",
  "search_answers",
  "search_decisions",
  "search_items",
  "search_lists",
  "session_items",
  "session_left_out_areas",
  "stock_gaps",
  "stock_readings",
  "tags",
  "tolerance_statements",
  "uncertain_figures",
]);

/** What of a session stays in the database, and why. */
export const keptTables: Readonly<Record<string, string>> = {
  adjustments: "What was moved in Shopify is read by the reports of other sessions of the location.",
  archived_counts: "What other sessions' figures read of archived ones.",
  area_passes: "A scan that comes late names no pass: its area's last one in the session is looked up here.",
  device_operations: "Results kept for repeats are removed 14 days after the end in any case.",
  device_work: "The database works it out from the scans, when they go and when they come back.",
  invitations: "Accounts and logins are of them.",
  opened_devices: "With session_devices it says which devices there are, and what these tell.",
  operations: "The list of long work has those of every session.",
  sample_commitments: "Secrets are of them.",
  sample_secrets: "No file ever holds them.",
  second_counts: "The passes of an area go on from the numbers of its second counts, over all sessions.",
  session_archives: "It says where the archive is.",
  session_codes: "Whoever asked to join is of them.",
  session_devices: "Devices go on saying what they hold.",
  session_plans: "The planned sessions of a store are listed without regard to what became of them.",
  sessions: "A follow-up or a plan names the session that it is of.",
  stock_ledger: "What was moved in Shopify is read by the reports of other sessions of the location.",
  tolerances: "A change of a store's tolerance gives each of its ended sessions the one that it had.",
  waiting_invitations: "Mails of them are sent without regard to their session.",
};

/** A table as an archive has it: its columns, and those of them that its rows are in the order of. */
export interface ArchivedForm extends CopiedTable {
  readonly key: readonly string[];
}

export interface ArchivedTable extends ArchivedForm {
  /** Rows of it can't be put back without holding rows of others, such as areas, which nobody can finish or reset meanwhile. */
  readonly holdsOthers: boolean;
}

/** Those of `archivedTables`, each after the tables that it refers to, and at the end those that hold rows of others. */
export async function readArchivedTables(client: pg.Client): Promise<ArchivedTable[]> {
  const keys = await readKeys(client);
  const tables = (await readTables(client))
    .filter(({ name }) => archivedTables.has(name))
    .map((table) => ({ ...table, key: keys.get(table.name) ?? table.columns }));
  const references = await readReferences(client);
  const placed: ArchivedTable[] = [];
  const place = (table: ArchivedForm): ArchivedTable => {
    const present = placed.find(({ name }) => name === table.name);
    if (present !== undefined) return present;
    const parents = references
      .filter(({ from, to }) => from === table.name && to !== table.name)
      .map(({ to }) => to);
    const archived = tables.filter(({ name }) => parents.includes(name)).map(place);
    const holdsOthers =
      archived.some((parent) => parent.holdsOthers) ||
      parents.some((parent) => parent !== "sessions" && !archivedTables.has(parent));
    const made = { ...table, holdsOthers };
    placed.push(made);
    return made;
  };
  for (const table of tables) place(table);
  return [
    ...placed.filter(({ holdsOthers }) => !holdsOthers),
    ...placed.filter(({ holdsOthers }) => holdsOthers),
  ];
}

async function readKeys(client: pg.Client): Promise<ReadonlyMap<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY k.place) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (attnum, place)
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
     WHERE i.indisprimary AND c.relnamespace = current_schema()::regnamespace
     GROUP BY c.relname`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** A foreign key. */
interface Reference {
  readonly from: string;
  readonly to: string;
}

export async function readReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `SELECT DISTINCT c.relname AS "from", r.relname AS "to"
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`,
  );
  return rows;
}

/** The statement that copies a session's rows of a table out, in one order whoever runs it. */
export function copyOut({ name, columns, key }: ArchivedForm, sessionId: string): string {
  const order = listed(key);
  return `COPY (SELECT ${listed(columns)} FROM ${pg.escapeIdentifier(name)}
    WHERE session_id = ${pg.escapeLiteral(sessionId)} ORDER BY ${order}) TO STDOUT`;
}

/** The columns as SQL lists them. */
export function listed(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(", ");
}
