import { groupBy } from "@stocktake/contract";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Transaction } from "../database/pool.ts";
import type { AuditFact, AuditFacts } from "../database/tables.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import type { StoredCertificate } from "./certificate-queries.ts";
import type { Facts } from "./facts.ts";

const Figures = z.object({ figures: z.record(z.string(), z.number()) });

/** A SKU's line in the list of a certificate. */
const Line = z.tuple([z.string(), z.string(), z.number()]);

/** SKUs that one version lists as changed; beyond these only their number is told. */
const listedAtMost = 1_000;

/** What is not as the version before says: figures of each kind, and the SKUs with what they were, are, and why. */
export async function changesBetween(
  transaction: Transaction,
  session: SessionRow,
  previous: StoredCertificate,
  { body, stock }: Facts,
): Promise<AuditFacts> {
  const { gone, come } = await readChangedLines(transaction, previous, stock.items);
  const [from, to] = [linesBySku(gone), linesBySku(come)];
  const skus = [...new Set([...from.keys(), ...to.keys()])].toSorted();
  const listed = skus.slice(0, listedAtMost);
  const whyOf = await readReasons(transaction, session.id, listed);
  return {
    figures: changedFigures(previous.body, body),
    skus: skus.length,
    listed: listed.map((sku) => ({
      sku,
      from: from.get(sku) ?? null,
      to: to.get(sku) ?? null,
      why: whyOf(sku),
    })),
  };
}

function changedFigures(before: string, after: AuditFacts): AuditFacts {
  const earlier = Figures.parse(JSON.parse(before)).figures;
  const later = Figures.parse(after).figures;
  // A version of an earlier release has fewer figures.
  const of = (figures: Record<string, number>, name: string) => figures[name] ?? 0;
  const names = Object.keys({ ...earlier, ...later }).filter((name) => of(earlier, name) !== of(later, name));
  return Object.fromEntries(names.map((name) => [name, { from: of(earlier, name), to: of(later, name) }]));
}

/** The lines that only the earlier list has, and those that only the later one has. */
async function readChangedLines(
  transaction: Transaction,
  { sessionId, version }: StoredCertificate,
  items: string,
): Promise<{ readonly gone: readonly string[]; readonly come: readonly string[] }> {
  const { items: earlier } = await transaction
    .selectFrom("coverageCertificates")
    .select("items")
    .where("sessionId", "=", sessionId)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  // Here and not in the database, which takes several times as long for a hundred thousand lines.
  return { gone: linesWithout(earlier, items), come: linesWithout(items, earlier) };
}

function linesWithout(list: string, other: string): readonly string[] {
  const known = new Set(other.split("\n"));
  return list.split("\n").filter((line) => line !== "" && !known.has(line));
}

function linesBySku(lines: readonly string[]): ReadonlyMap<string, AuditFacts> {
  return new Map(
    lines.map((line) => {
      const [sku, state, units] = Line.parse(JSON.parse(line));
      return [sku, { state, units }];
    }),
  );
}

interface ReasonRow {
  readonly sku: string;
  readonly action: string;
  readonly by: string;
  readonly reason: string | null;
}

/** What the log says of SKUs since the version before. An undo of a device's is no entry of the log: then there is none. */
async function readReasons(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
): Promise<(sku: string) => readonly AuditFact[]> {
  const { rows } = await sql<ReasonRow>`
    select * from (
      select coalesce(case when subject_kind = 'product' then subject_id end, after ->> 'sku', before ->> 'sku') as sku,
        action, actor_name as by, coalesce(after ->> 'reason', after ->> 'note') as reason, position
      from audit_entries
      where chain = ${sessionId} and position > (
        select max(position) from audit_entries where chain = ${sessionId} and action = 'certificate.issued')) said
    where sku = any(${skus}::text[])
    order by position`.execute(transaction);
  const bySku = groupBy(rows, ({ sku }) => sku);
  return (sku) => (bySku.get(sku) ?? []).map(({ action, by, reason }) => ({ action, by, reason }));
}
