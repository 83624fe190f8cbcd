import {
  type CallAnswer,
  type CallRequest,
  type ErrorDetail,
  limits,
  packKey,
  type savePacks,
} from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import type { EventBus } from "../../events/events.ts";
import { ApiError, invalidField, invalidFields } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { ownersOf } from "./pack-queries.ts";

type Line = CallRequest<typeof savePacks>["body"]["packs"][number];
type Saved = CallAnswer<typeof savePacks>;

interface PackServices {
  readonly database: Database;
  readonly events: EventBus;
}

/**
 * Adds codes of packs, changes those that are there, and takes out those with 0 units, all or none; what is as it is stays.
 * Refused are codes that a product has as its own, SKUs that no product has, and a code that is given twice.
 * @throws ApiError VALIDATION, PACK_CODE_TAKEN, each with a detail for every line that is wrong.
 */
export async function savePackCodes(
  { database, events }: PackServices,
  caller: AdminCaller,
  lines: readonly Line[],
): Promise<Saved> {
  const saved = await database.transaction().execute(async (transaction) => {
    // Several who save wait for one another here; devices are told by the version.
    await sql`update installation set packs_version = packs_version + 1`.execute(transaction);
    await requireRight(transaction, lines);
    const before = await packsOf(transaction, lines);
    const changed = lines.filter((line) => isNews(before, line));
    await write(transaction, caller, changed);
    const asText = ({ code, sku, units }: Line) => `${code}: ${units} x ${sku}`;
    await recordAudit(transaction, {
      sessionId: null,
      actor: actorOf(caller),
      action: "packs.saved",
      subject: { kind: "product", id: null, name: changed.length === 1 ? (changed[0]?.code ?? "") : "packs" },
      before: { packs: changed.flatMap((line) => before.get(packKey(line.code)) ?? []).map(asText) },
      after: { packs: changed.filter(({ units }) => units > 0).map(asText) },
    });
    return tally(before, changed);
  });
  events.publish({ type: "catalogue" });
  return saved;
}

async function requireRight(transaction: Transaction, lines: readonly Line[]): Promise<void> {
  const kept = lines.map((line, index) => ({ line, index })).filter(({ line }) => line.units > 0);
  const twice = repeated(lines);
  if (twice.length > 0) throw invalidFields(twice);
  const known = await knownSkus(
    transaction,
    kept.map(({ line }) => line.sku),
  );
  const unknown = kept.filter(({ line }) => !known.has(line.sku));
  if (unknown.length > 0) {
    throw invalidFields(
      unknown.map(({ line, index }) => ({
        field: `packs.${index}.sku`,
        message: `No product of the shop has the SKU ${line.sku}.`,
      })),
    );
  }
  const owners = await ownersOf(
    transaction,
    kept.map(({ line }) => line.code),
  );
  const taken = kept.filter(({ line }) => owners.has(line.code));
  if (taken.length > 0) throw codesTaken(taken, owners);
}

function repeated(lines: readonly Line[]): ErrorDetail[] {
  const seen = new Set<string>();
  return lines.flatMap(({ code }, index) => {
    const key = packKey(code);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ field: `packs.${index}.code`, message: `The code ${code} is given twice.` }];
  });
}

async function knownSkus(transaction: Transaction, skus: readonly string[]): Promise<ReadonlySet<string>> {
  if (skus.length === 0) return new Set();
  const rows = await transaction
    .selectFrom("catalogueItems")
    .select("sku")
    .where("sku", "in", [...new Set(skus)])
    .execute();
  return new Set(rows.map(({ sku }) => sku));
}

function codesTaken(
  taken: readonly { readonly line: Line; readonly index: number }[],
  owners: ReadonlyMap<string, readonly string[]>,
): ApiError {
  const details = taken.map(({ line: { code }, index }) => ({
    field: `packs.${index}.code`,
    message: `The code ${code} is the own code of ${owners.get(code)?.join(", ")}.`,
  }));
  const sentences = details.map(({ message }) => message).join(" ");
  return new ApiError("PACK_CODE_TAKEN", `Nothing was saved. ${sentences}`, { details });
}

type Before = ReadonlyMap<string, Line>;

async function packsOf(transaction: Transaction, lines: readonly Line[]): Promise<Before> {
  const rows = await transaction
    .selectFrom("packs")
    .select(["codeKey", "code", "sku", "units"])
    .where(
      "codeKey",
      "in",
      lines.map(({ code }) => packKey(code)),
    )
    .execute();
  return new Map(rows.map(({ codeKey, ...pack }) => [codeKey, pack]));
}

function isNews(before: Before, { code, sku, units }: Line): boolean {
  const present = before.get(packKey(code));
  if (present === undefined) return units > 0;
  return units === 0 || present.sku !== sku || present.units !== units;
}

async function write(
  transaction: Transaction,
  { userId }: AdminCaller,
  lines: readonly Line[],
): Promise<void> {
  const removed = lines.filter(({ units }) => units === 0).map(({ code }) => packKey(code));
  if (removed.length > 0) await transaction.deleteFrom("packs").where("codeKey", "in", removed).execute();
  const kept = lines.filter(({ units }) => units > 0);
  const rows = kept.map(({ code, sku, units }) => ({ code_key: packKey(code), code, sku, units }));
  await sql`
    insert into packs (code_key, code, sku, units, changed_by)
    select given.*, (select username from users where id = ${userId})
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (code_key text, code text, sku text, units integer)
    on conflict (code_key) do update
    set code = excluded.code, sku = excluded.sku, units = excluded.units, changed_at = now(),
      changed_by = excluded.changed_by`.execute(transaction);
  const { rows: counts } = await sql<{ packs: number }>`select count(*) as packs from packs`.execute(
    transaction,
  );
  if (Number(counts[0]?.packs ?? 0) > limits.packs) {
    throw invalidField("packs", `At most ${limits.packs.toLocaleString("en")} codes of packs can be kept.`);
  }
}

function tally(before: Before, changed: readonly Line[]): Saved {
  const removed = changed.filter(({ units }) => units === 0).length;
  const added = changed.filter(({ code }) => !before.has(packKey(code))).length;
  return { added, changed: changed.length - added - removed, removed };
}
