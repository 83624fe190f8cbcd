import type { Tolerance, ToleranceLimits } from "@stocktake/contract";
import { actorOf, recordAudit, sessionSubject } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import type { AuditFacts } from "../database/tables.ts";
import { ApiError, requireAsSeen } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { findSession, lockSession } from "../sessions/sessions.ts";
import { lockStoreToChange, requireStore } from "../stores/stores.ts";
import type { HeldLimits } from "./beyond-tolerance.ts";
import type { CountAgainServices } from "./services.ts";
import {
  isToleranceOf,
  keepForEnded,
  readTolerance,
  type StoredTolerance,
  type ToleranceOf,
} from "./tolerance-queries.ts";

type Services = Pick<CountAgainServices, "database" | "events">;

/** A store's tolerance. @throws ApiError NOT_FOUND. */
export async function readStoreTolerance(
  { database }: Services,
  caller: AdminCaller,
  storeId: string,
): Promise<Tolerance | null> {
  await requireStore(database, caller, storeId);
  return present(await readTolerance(database, { storeId }));
}

/** A session's own tolerance, and its store's. @throws ApiError NOT_FOUND. */
export async function readSessionTolerance({ database }: Services, caller: AdminCaller, sessionId: string) {
  const { storeId } = await findSession(database, caller, sessionId);
  return {
    session: present(await readTolerance(database, { sessionId })),
    store: present(await readTolerance(database, { storeId })),
  };
}

interface ToleranceEdit {
  readonly tolerance: Tolerance | null;
  /** What it began with; absent from apps that don't say. */
  readonly seen?: Tolerance | null | undefined;
}

/** @throws ApiError NOT_FOUND, CHANGED_MEANWHILE. */
export async function changeStoreTolerance(
  { database, events }: Services,
  caller: AdminCaller,
  storeId: string,
  edit: ToleranceEdit,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // The end of a session holds the store's row too: what a session ended under is kept with it before it changes.
    const { name } = await lockStoreToChange(transaction, storeId);
    await keepForEnded(transaction, storeId);
    const facts = await replace(transaction, { storeId }, edit);
    const subject = { kind: "store", id: storeId, name } as const;
    const entry = { sessionId: null, actor: actorOf(caller), action: "tolerance.changed" } as const;
    if (facts !== null) await recordAudit(transaction, { ...entry, subject, ...facts });
  });
  events.publish({ type: "adjustment", storeId });
}

/** @throws ApiError NOT_FOUND, CHANGED_MEANWHILE, SESSION_CLOSED: it is judged by what held when it ended. */
export async function changeSessionTolerance(
  { database, events }: Services,
  caller: AdminCaller,
  sessionId: string,
  edit: ToleranceEdit,
): Promise<void> {
  const { storeId } = await findSession(database, caller, sessionId);
  await database.transaction().execute(async (transaction) => {
    const { status } = await lockSession(transaction, sessionId);
    if (status === "closed") {
      throw new ApiError(
        "SESSION_CLOSED",
        "This session has ended. Its tolerance can't be changed any more.",
      );
    }
    const facts = await replace(transaction, { sessionId }, edit);
    const subject = await sessionSubject(transaction, sessionId);
    const entry = { sessionId, actor: actorOf(caller), action: "tolerance.changed" } as const;
    if (facts !== null) await recordAudit(transaction, { ...entry, subject, ...facts });
  });
  events.publish({ type: "adjustment", sessionId, storeId });
}

/** The caller holds the store's or the session's row. Returns what it was and is, as the log keeps it; null: it had none and has none. */
async function replace(transaction: Transaction, of: ToleranceOf, { tolerance, seen }: ToleranceEdit) {
  const before = await readTolerance(transaction, of);
  const after = tolerance === null ? null : stored(tolerance);
  requireAsSeen("The tolerance", { seen, before: present(before), after: present(after) });
  if (before === null && after === null) return null;
  await transaction.deleteFrom("tolerances").where(isToleranceOf(of)).execute();
  if (after !== null) {
    const { over, short } = after;
    const ofWhom = { storeId: null, sessionId: null, ...of };
    await transaction
      .insertInto("tolerances")
      .values({
        ...ofWhom,
        ...{ overUnits: over.units, overCents: over.cents },
        ...{ overStockShare: over.stockShare, overMoneyShare: over.moneyShare },
        ...{ shortUnits: short.units, shortCents: short.cents },
        ...{ shortStockShare: short.stockShare, shortMoneyShare: short.moneyShare },
      })
      .execute();
  }
  return { before: factsOf(before), after: factsOf(after) };
}

const hundredths = (value: number | null) => (value === null ? null : Math.round(value * 100));
const fromHundredths = (value: number | null) => (value === null ? null : value / 100);

function storedLimits({ units, money, stockPercent, moneyPercent }: ToleranceLimits): HeldLimits {
  return {
    units,
    cents: hundredths(money),
    stockShare: hundredths(stockPercent),
    moneyShare: hundredths(moneyPercent),
  };
}

function stored({ over, short }: Tolerance): StoredTolerance {
  return { over: storedLimits(over), short: storedLimits(short) };
}

function presentLimits({ units, cents, stockShare, moneyShare }: HeldLimits): ToleranceLimits {
  return {
    units,
    money: fromHundredths(cents),
    stockPercent: fromHundredths(stockShare),
    moneyPercent: fromHundredths(moneyShare),
  };
}

function present(tolerance: StoredTolerance | null): Tolerance | null {
  if (tolerance === null) return null;
  return { over: presentLimits(tolerance.over), short: presentLimits(tolerance.short) };
}

function factsOf(tolerance: StoredTolerance | null): AuditFacts | null {
  const presented = present(tolerance);
  return presented === null ? null : { over: { ...presented.over }, short: { ...presented.short } };
}
