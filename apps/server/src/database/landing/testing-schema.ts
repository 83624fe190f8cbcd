import pg from "pg";
import type { DatabaseConnection } from "../connection.ts";

/** A column as a server's statements depend on it. */
export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  /** A default, an identity or an expression: a row may be inserted without a value. */
  readonly filled: boolean;
  /** It is always worked out: a row may not be inserted with a value. */
  readonly always: boolean;
}

/** A function that statements or triggers call, with its arguments. */
interface Routine {
  readonly name: string;
  readonly result: string;
  /** SHA-256 of what it does. */
  readonly body: string;
}

/** A constraint, a unique index or a trigger of a table: what may refuse a row, or what ON CONFLICT names. */
export interface Rule {
  readonly table: string;
  readonly kind: "check" | "foreign key" | "key" | "trigger";
  readonly columns: readonly string[];
  readonly text: string;
}

export interface Schema {
  readonly columns: readonly Column[];
  readonly rules: readonly Rule[];
  readonly functions: readonly Routine[];
}

export async function readSchema(connection: DatabaseConnection): Promise<Schema> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    const columns = await client.query<Column>(
      `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
         a.attnotnull AS "notNull", (a.atthasdef OR a.attidentity <> '') AS filled,
         (a.attgenerated <> '' OR a.attidentity = 'a') AS always
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
         AND a.attnum > 0 AND NOT a.attisdropped
       ORDER BY c.relname, a.attnum`,
    );
    const rules = await client.query<Rule>(
      `WITH named AS (
         SELECT k.conrelid AS relation, CASE k.contype WHEN 'c' THEN 'check' WHEN 'f' THEN 'foreign key' ELSE 'key' END AS kind,
           k.conkey::smallint[] AS numbers, pg_get_constraintdef(k.oid) AS text
         FROM pg_constraint k WHERE k.contype IN ('c', 'f', 'p', 'u', 'x')
         UNION ALL
         SELECT i.indrelid, 'key', i.indkey::smallint[], regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', 'UNIQUE INDEX ')
         FROM pg_index i
         WHERE i.indisunique AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype <> 'f')
         UNION ALL
         SELECT t.tgrelid, 'trigger', '{}', regexp_replace(pg_get_triggerdef(t.oid), ' ON \\S+ ', ' ')
         FROM pg_trigger t WHERE NOT t.tgisinternal)
       SELECT c.relname AS table, named.kind, named.text,
         ARRAY(SELECT a.attname::text FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum = ANY (named.numbers) ORDER BY a.attname) AS columns
       FROM named JOIN pg_class c ON c.oid = named.relation
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relname <> 'schema_migrations'
       ORDER BY c.relname, named.kind, named.text`,
    );
    const functions = await client.query<Routine>(
      `SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS name,
         pg_get_function_result(p.oid) AS result,
         encode(sha256(convert_to(concat_ws(' ', l.lanname, p.provolatile, coalesce(pg_get_function_sqlbody(p.oid), p.prosrc)), 'UTF8')), 'hex') AS body
       FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
       WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
       ORDER BY 1`,
    );
    return {
      columns: columns.rows,
      rules: rules.rows,
      functions: functions.rows,
    };
  } finally {
    await client.end();
  }
}

const heading = "schema of migration ";

/** The text that is kept of a schema: a line a column, a rule and a function. */
export function writeSchema(version: number, { columns, rules, functions }: Schema): string {
  const lines = [
    `${heading}${version}`,
    ...columns.map(
      ({ table, name, type, notNull, filled, always }) =>
        `column ${table}.${name}: ${type}${notNull ? ", not null" : ""}${filled ? ", filled" : ""}${always ? ", always" : ""}`,
    ),
    ...rules.map(({ table, kind, columns: of, text }) => `${kind} ${table} (${of.join(" ")}): ${text}`),
    ...functions.map(({ name, result, body }) => `function ${name}: ${result}, ${body}`),
  ];
  return `${lines.join("\n")}\n`;
}

const columnLine = /^column (\w+)\.(\w+): (.*?)(, not null)?(, filled)?(, always)?$/;
const ruleLine = /^(check|foreign key|key|trigger) (\w+) \(([^)]*)\): (.*)$/;
const functionLine = /^function (.*\)): (.*), ([0-9a-f]{64})$/;

/** Reads what `writeSchema` has written. Throws where a line is none of it. */
export function parseSchema(text: string): Schema {
  const [, ...lines] = text.trimEnd().split("\n");
  const columns: Column[] = [];
  const rules: Rule[] = [];
  const functions: Routine[] = [];
  for (const line of lines) {
    const [column, rule, called] = [columnLine.exec(line), ruleLine.exec(line), functionLine.exec(line)];
    if (column !== null) {
      const [, table = "", name = "", type = "", notNull, filled, always] = column;
      const said = {
        notNull: notNull !== undefined,
        filled: filled !== undefined,
        always: always !== undefined,
      };
      columns.push({ table, name, type, ...said });
    } else if (rule !== null) {
      const [, kind, table = "", of = "", shown = ""] = rule;
      rules.push({ table, kind: kindOf(kind), columns: of === "" ? [] : of.split(" "), text: shown });
    } else if (called !== null) {
      const [, name = "", result = "", body = ""] = called;
      functions.push({ name, result, body });
    } else throw new Error(`This line says nothing of a schema: ${line}`);
  }
  return { columns, rules, functions };
}

function kindOf(text: string | undefined): Rule["kind"] {
  if (text === "check" || text === "foreign key" || text === "key" || text === "trigger") return text;
  throw new Error(`There is no kind of rule ${text}.`);
}
