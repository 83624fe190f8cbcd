import { expect } from "vitest";
import { ApiError } from "../../kernel/api-error.ts";
import { findSession } from "../../sessions/sessions.ts";
import { requestDeploy } from "../moving/request-deploy.ts";
import { leaveUnmovedRows, settleUnclearRow } from "../moving/settle-rows.ts";
import { findActiveAdjustment } from "../queries.ts";
import { type QuestionRow, readQuestion } from "../release/question.ts";
import { releaseSession } from "../release/release-session.ts";
import { countSession } from "./counted-session.ts";
import { disturbedBy, type FaultCase, provoke } from "./fault-case.ts";
import { everySetting } from "./fault-suite.ts";
import { faults, type ItemStep, type MoveStep, type RestoreStep, type Step, skus } from "./ledger-steps.ts";
import { type MoveOptions, moveOnce, NothingToMoveError, resumeOnce } from "./moving.ts";
import { type BackupFile, makeBackup, restoreDatabase } from "./restored-database.ts";
import { adjustedSince, deactivateEarlier, roomOver, type StockRoom, shelf } from "./stock-room.ts";

/** A move that makes no sense just now is refused, and changes nothing. */
const refusals: readonly string[] = ["NOTHING_TO_ROLL_BACK", "NOTHING_TO_RESUME", "REPORT_DEPLOYED"];

type Sums = ReadonlyMap<string, number>;

/** The life of a counted session, in a shop where things go wrong and under a server that is restored now and then. */
export class LedgerHistory {
  readonly #base: StockRoom;
  #room: StockRoom;
  readonly sessionId: string;
  /** What a person has moved back in Shopify, by SKU. */
  readonly #byHand = new Map<string, number>();

  private constructor(room: StockRoom, sessionId: string) {
    this.#base = room;
    this.#room = room;
    this.sessionId = sessionId;
  }

  static async begin(room: StockRoom, unstocked: readonly string[]): Promise<LedgerHistory> {
    await room.shop.reset();
    await deactivateEarlier(room, unstocked);
    return new LedgerHistory(room, await countSession(room));
  }

  get database() {
    return this.#room.database.database;
  }

  async live(step: Step): Promise<void> {
    await this.#room.clock.sleep(60_000);
    switch (step.kind) {
      case "sale":
        return this.#sell(step.sku, step.quantity);
      case "deploy":
      case "rollback":
      case "resume":
        return this.#move(step);
      case "decide":
        return this.#decide(step.byHand);
      case "restore":
        return this.#restore(step);
      default:
        return this.#changeItem(step);
    }
  }

  async end(): Promise<void> {
    if (this.#room !== this.#base) await this.#room.close();
  }

  /** What adjustments, and people who settled them, have moved in the shop, by SKU: the truth that is found there. */
  async movedInShop(): Promise<Sums> {
    const adjusted = await adjustedSince(this.#room, 0);
    return sumsBySku((sku) => [...(adjusted.get(sku) ?? []), this.#byHand.get(sku) ?? 0]);
  }

  async ledger(): Promise<Sums> {
    const rows = await this.database
      .selectFrom("stockLedger")
      .select(["sku", "delta"])
      .where("sessionId", "=", this.sessionId)
      .execute();
    return sumsBySku((sku) => rows.filter((row) => row.sku === sku).map(({ delta }) => delta));
  }

  /** Nothing is sold where it is not stocked. */
  async #sell(item: string, quantity: number): Promise<void> {
    if (!(await this.#isThere(item))) return;
    const { isActive } = await this.#room.shop.stock({ item, location: shelf });
    if (isActive) await this.#room.shop.sell({ item, location: shelf, quantity });
  }

  async #isThere(item: string): Promise<boolean> {
    const { variants } = await this.#room.shop.snapshot();
    return variants.some(({ sku }) => sku === item);
  }

  async #changeItem({ kind, sku: item }: ItemStep): Promise<void> {
    const { shop } = this.#room;
    if (!(await this.#isThere(item))) return;
    switch (kind) {
      case "deactivate":
        await shop.deactivateLevel({ item, location: shelf });
        return;
      case "activate":
        await shop.activateLevel({ item, location: shelf });
        return;
      case "delete":
        await shop.deleteVariant({ item });
        return;
      case "track":
      case "untrack":
        await shop.changeVariant({ item, change: { tracked: kind === "track" } });
        return;
    }
  }

  /** A fault, without what it does to its SKU where that is gone. */
  async #faultOf({ fault }: MoveStep): Promise<FaultCase> {
    const found = faults[fault] ?? { name: "nothing" };
    if (await this.#isThere(skus[0] ?? "")) return found;
    const { name, faults: failing = [], settings = {} } = found;
    return { name, faults: failing, settings };
  }

  /** Moves under a fault; then a person settles by the truth what is unclear. */
  async #move(step: MoveStep, onceRequested?: () => Promise<unknown>): Promise<void> {
    const { shop } = this.#room;
    const fault = await this.#faultOf(step);
    // A fault's settings last for its own step: with neither guard left, a request applied late can't be told from another.
    const guarded = { idempotencyIgnored: false, compareIgnored: false };
    await shop.changeSettings({ ...guarded, ...everySetting[step.setting] });
    await provoke(this.#room, fault);
    if (step.activationLost !== "never") {
      const effect = { kind: "lost", when: step.activationLost } as const;
      await shop.addFaults({ faults: [{ match: { field: "inventoryActivate" }, effect }] });
    }
    const disturbed = disturbedBy(fault, this.#room);
    await this.#carryOut(step, {
      ...disturbed,
      stockFound: step.stockFound,
      onceRequested: async () => {
        await onceRequested?.();
        await disturbed.onceRequested?.();
      },
    });
    await shop.clearFaults();
    await shop.releaseHanging();
    await this.#settleUnclear();
  }

  async #carryOut({ kind }: MoveStep, options: MoveOptions): Promise<void> {
    try {
      if (kind !== "resume") await moveOnce(this.#room, this.sessionId, kind, options);
      else await this.#resume(options);
    } catch (error) {
      const refused = error instanceof ApiError && refusals.includes(error.code);
      if (!refused && !(error instanceof NothingToMoveError)) throw error;
    }
  }

  async #resume(options: MoveOptions): Promise<void> {
    const active = await findActiveAdjustment(this.database, this.sessionId);
    if (active !== undefined) await resumeOnce(this.#room, active.id, options);
  }

  async #settleUnclear(): Promise<void> {
    const [moved, ledger] = [await this.movedInShop(), await this.ledger()];
    const { context } = this.#room.server;
    for (const { adjustmentId, sku } of await this.#rows("unclear")) {
      const applied = moved.get(sku) !== ledger.get(sku);
      await settleUnclearRow(context, this.#room.admin, adjustmentId, { sku, applied });
    }
  }

  #rows(state: "unclear" | "not_moved") {
    return this.database
      .selectFrom("adjustmentRows as row")
      .innerJoin("adjustments as adjustment", "adjustment.id", "row.adjustmentId")
      .select(["row.adjustmentId", "row.direction", "row.sku", "row.delta"])
      .where("adjustment.sessionId", "=", this.sessionId)
      .where("row.state", "=", state)
      .where("row.settledAt", "is", null)
      .where("adjustment.rolledBackAt", "is", null)
      .where("adjustment.status", "=", "partial")
      .execute();
  }

  async #decide(byHand: boolean): Promise<void> {
    const active = await findActiveAdjustment(this.database, this.sessionId);
    if (active?.status !== "partial") return;
    const { admin, server } = this.#room;
    if (active.rollbackRequestedAt === null) {
      await leaveUnmovedRows(server.context, admin, active.id);
      return;
    }
    for (const { adjustmentId, direction, sku, delta } of await this.#rows("not_moved")) {
      if (direction !== "rollback") continue;
      const applied = byHand && (await this.#moveByHand(sku, delta));
      await settleUnclearRow(server.context, admin, adjustmentId, { sku, applied });
    }
  }

  async #moveByHand(item: string, delta: number): Promise<boolean> {
    if (!(await this.#isThere(item))) return false;
    const place = { item, location: shelf };
    const { available } = await this.#room.shop.stock(place);
    await this.#room.shop.setStock({ ...place, quantities: { available: available + delta } });
    this.#byHand.set(item, (this.#byHand.get(item) ?? 0) + delta);
    return true;
  }

  async #restore({ lost, whileWaiting, toldAtRelease }: RestoreStep): Promise<void> {
    let backup: BackupFile | undefined;
    const backUpOnce = async () => {
      backup ??= await makeBackup(this.#room.database.connection);
    };
    if (!whileWaiting) await backUpOnce();
    for (const move of lost) await this.#move(move, backUpOnce);
    if (backup === undefined) return;
    const restored = await roomOver(this.#base, await restoreDatabase(backup.file));
    await backup.remove();
    await this.end();
    this.#room = restored;
    await restored.server.context.operations.sweep("alone");
    await this.#release(toldAtRelease);
  }

  /** Held back until a person says by the truth what was moved since the backup. */
  async #release(toldAtRelease: boolean): Promise<void> {
    const { admin, server } = this.#room;
    const request = { zeroUncounted: false, stockFound: true, confirmUnits: undefined };
    await expect(requestDeploy(server.context, admin, this.sessionId, request)).rejects.toMatchObject({
      code: "SESSION_RESTORED",
    });
    const [moved, ledger] = [await this.movedInShop(), await this.ledger()];
    const movedSince = skus.filter((sku) => moved.get(sku) !== ledger.get(sku));
    const rows = await this.#inQuestion();
    const asked = new Set(rows.map(({ sku }) => sku));
    const named = toldAtRelease || !(await this.#canBeSettledLater(rows)) ? movedSince : [];
    const booked = { skus: named.filter((sku) => asked.has(sku)), zeroUncounted: false };
    await releaseSession(server.context, admin, this.sessionId, booked);
    await this.#putBack(movedSince.filter((sku) => !asked.has(sku)));
    await this.#settleUnclear();
  }

  /**
   * What only a second deploy moved is not in question. It is marked, unless it is gone, so that it is not moved again, and
   * a person puts it back.
   */
  async #putBack(unasked: readonly string[]): Promise<void> {
    const [moved, ledger] = [await this.movedInShop(), await this.ledger()];
    for (const sku of unasked) {
      const delta = (ledger.get(sku) ?? 0) - (moved.get(sku) ?? 0);
      if (await this.#moveByHand(sku, delta)) expect([sku, await this.#isMarked(sku)]).toEqual([sku, true]);
      else this.#byHand.set(sku, (this.#byHand.get(sku) ?? 0) + delta);
    }
  }

  async #isMarked(sku: string): Promise<boolean> {
    const found = await this.database
      .selectFrom("uncertainFigures")
      .select("sku")
      .where("sessionId", "=", this.sessionId)
      .where("sku", "=", sku)
      .where("reason", "=", "MOVED_SINCE_BACKUP")
      .executeTakeFirst();
    return found !== undefined;
  }

  async #inQuestion(): Promise<readonly QuestionRow[]> {
    const session = await findSession(this.database, this.#room.admin, this.sessionId);
    return (await readQuestion(this.database, session, new Date())).rows;
  }

  async #canBeSettledLater(rows: readonly QuestionRow[]): Promise<boolean> {
    const unclear = new Set((await this.#rows("unclear")).map(({ sku }) => sku));
    return rows.every(({ sku }) => unclear.has(sku));
  }
}

function sumsBySku(deltasOf: (sku: string) => readonly number[]): Sums {
  return new Map(skus.map((sku) => [sku, deltasOf(sku).reduce((sum, delta) => sum + delta, 0)]));
}
