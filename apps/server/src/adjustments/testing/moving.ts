import { type Adjustment, type AdjustmentRow, type Operation, readAllPages } from "@stocktake/contract";
import { expect } from "vitest";
import type { AssembledServices } from "../../assembly/assembly.ts";
import { listAdjustmentsOf } from "../history/history.ts";
import { listRowsOf } from "../history/rows.ts";
import { requestDeploy } from "../moving/request-deploy.ts";
import { requestRollback } from "../moving/request-rollback.ts";
import { requestResume } from "../moving/resume-deploy.ts";
import type { Direction } from "../queries.ts";
import type { Life } from "./mortal.ts";
import { adjustedSince, type ProcessOptions, type StockRoom } from "./stock-room.ts";

/** Longer than any of these tests: the work is waited for, not its time. */
const timeoutMs = 600_000;

/** A session's adjustments as a client sees them, newest first. */
export async function adjustmentsOf({ database }: StockRoom, sessionId: string): Promise<Adjustment[]> {
  return (await listAdjustmentsOf(database.database, sessionId)).items;
}

/** What was asked for moves nothing. */
export class NothingToMoveError extends Error {
  override readonly name = "NothingToMoveError";
}

export interface MoveOptions extends ProcessOptions {
  /** Whether a deploy stocks what was found at a location that does not stock it. */
  readonly stockFound?: boolean;
}

/** Asks for a deploy or a rollback without starting it; resolves to its operation. */
export async function request(
  { context }: AssembledServices,
  room: StockRoom,
  sessionId: string,
  direction: Direction,
  { stockFound = false }: MoveOptions = {},
): Promise<string> {
  if (direction === "rollback") return (await requestRollback(context, room.admin, sessionId)).operationId;
  const { operationId } = await requestDeploy(context, room.admin, sessionId, {
    zeroUncounted: false,
    stockFound,
    confirmUnits: undefined,
  });
  if (operationId === null) throw new NothingToMoveError();
  return operationId;
}

/** Deploys or rolls back, in a process of its own where `options` ask for one, and waits for the end. */
export function moveOnce(
  room: StockRoom,
  sessionId: string,
  direction: Direction,
  options?: MoveOptions,
): Promise<Operation> {
  return carryOut(room, (services) => request(services, room, sessionId, direction, options), options);
}

/** Resumes a deploy or a rollback, likewise. */
export function resumeOnce(room: StockRoom, adjustmentId: string, options?: MoveOptions): Promise<Operation> {
  const ask = async ({ context }: AssembledServices) => {
    const { operationId } = await requestResume(context, room.admin, adjustmentId);
    if (operationId === null) throw new NothingToMoveError();
    return operationId;
  };
  return carryOut(room, ask, options);
}

async function carryOut(
  room: StockRoom,
  ask: (services: AssembledServices) => Promise<string>,
  options: MoveOptions | undefined,
): Promise<Operation> {
  const services = options === undefined ? room.server : await room.process(options);
  try {
    const operationId = await ask(services);
    await options?.onceRequested?.();
    services.context.operations.wake(operationId);
    return await services.context.operations.waitForEnd(operationId, timeoutMs);
  } finally {
    if (options !== undefined) await services.close();
  }
}

/** Begins an operation in a process with that life and resolves when it has ended or the process has died. */
export async function moveMortally(
  room: StockRoom,
  operationId: string,
  life: Life,
): Promise<"ended" | "died"> {
  const { context, close } = await room.process({ life });
  await context.operations.sweep("alone");
  const ended = context.operations.waitForEnd(operationId, timeoutMs).then(
    () => "ended" as const,
    // The dead can't read how it ended.
    () => "died" as const,
  );
  const how = await Promise.race([ended, life.death.then(() => "died" as const)]);
  await close();
  return how;
}

/** What the running server makes of an operation that a dead process has left behind. */
export async function takeOver({ server }: StockRoom, operationId: string): Promise<Operation> {
  await server.context.operations.sweep("alone");
  return server.context.operations.waitForEnd(operationId, timeoutMs);
}

async function allRowsOf({ database }: StockRoom, sessionId: string): Promise<AdjustmentRow[]> {
  const { items } = await readAllPages((cursor) =>
    listRowsOf(database.database, { sessionId }, { cursor: cursor ?? undefined }),
  );
  return items;
}

/** The rows of the session in one direction, by SKU; of several adjustments the newest. */
export async function rowsOf(room: StockRoom, sessionId: string, direction: Direction) {
  const rows = await allRowsOf(room, sessionId);
  const oldestFirst = rows.filter((row) => row.direction === direction).toReversed();
  return new Map(oldestFirst.map((row) => [row.sku, row]));
}

/**
 * The promise: what is recorded as moved was moved by exactly its delta and once; what is recorded as not moved was not;
 * what is unclear was moved once or not at all. Nothing is still on its way. Resolves to the SKUs that are open, by
 * their state; the ledger books exactly what is confirmed.
 */
export async function expectTruth(
  room: StockRoom,
  sessionId: string,
  direction: Direction,
  since: number,
): Promise<Record<string, string>> {
  const rows = await rowsOf(room, sessionId, direction);
  const adjusted = await adjustedSince(room, since);
  const open: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [sku, { delta, state }] of rows) {
    const moved = adjusted.get(sku) ?? [];
    const allowed =
      { confirmed: [[delta]], not_moved: [[]], unclear: [[], [delta]] }[recordedState(state)] ?? [];
    if (!allowed.some((deltas) => JSON.stringify(deltas) === JSON.stringify(moved))) {
      wrong.push(`${sku} ${state} ${delta}: the shop moved ${JSON.stringify(moved)}`);
    }
    if (recordedState(state) !== "confirmed") open[sku] = state;
  }
  const strangers = [...adjusted.keys()].filter((sku) => !rows.has(sku));
  expect({ wrong, strangers }).toEqual({ wrong: [], strangers: [] });
  const confirmed = [...rows].filter(([, row]) => recordedState(row.state) === "confirmed");
  expect(await ledgerOf(room, sessionId, direction)).toEqual(
    new Map(confirmed.map(([sku, row]) => [sku, row.delta])),
  );
  return open;
}

function recordedState(state: string): string {
  return state === "rolled_back" ? "confirmed" : state;
}

async function ledgerOf(room: StockRoom, sessionId: string, direction: Direction) {
  const rows = await room.database.database
    .selectFrom("stockLedger")
    .select(["sku", "delta"])
    .where("sessionId", "=", sessionId)
    .where("direction", "=", direction)
    .orderBy("sku")
    .execute();
  return new Map(rows.map(({ sku, delta }) => [sku, delta]));
}
