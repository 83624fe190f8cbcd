import {
  deployReport,
  listAdjustmentRows,
  listAdjustments,
  previewRelease,
  releaseSession,
  rollbackReport,
  type SessionScope,
} from "@stocktake/contract";
import { afterEach, beforeEach } from "vitest";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { requestDeploy } from "../moving/request-deploy.ts";
import { requestRollback } from "../moving/request-rollback.ts";
import type { Direction } from "../queries.ts";
import { ReportScene } from "./report-scene.ts";
import { makeBackup, restoreDatabase } from "./restored-database.ts";

const counts = { "JK-1000": 5, "JK-1001": 10, "JK-1002": 6 } as const;
const deltas = { "JK-1000": -2, "JK-1001": 2, "JK-1002": -3 } as const;
export const skus = Object.keys(deltas);

/** What the shop's adjustments have moved where each SKU was moved once, and where it was moved back as well. */
export const once = Object.fromEntries(Object.entries(deltas).map(([sku, delta]) => [sku, [delta]]));
export const thereAndBack = Object.fromEntries(
  Object.entries(deltas).map(([sku, delta]) => [sku, [delta, -delta]]),
);
export const allAs = (state: string) => Object.fromEntries(skus.map((sku) => [sku, state]));

/**
 * A server with an ended session for each test, in which three SKUs differ, and servers that were restored elsewhere from
 * its backups, over the same shop.
 */
export class RestoredScene {
  readonly #reports = new ReportScene();
  #closers: (() => Promise<void>)[] = [];
  sessionId = "";

  constructor(scope: SessionScope = "partial") {
    beforeEach(async () => {
      await this.server.shop.reset();
      this.sessionId = await this.#reports.counted(counts, { scope });
    });
    afterEach(async () => {
      for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) await close();
    });
  }

  get server(): TestServer {
    return this.#reports.server;
  }

  get store(): TestStore {
    return this.#reports.store;
  }

  /** Resolves to the file. */
  async backUp(server: TestServer = this.server): Promise<string> {
    const { file, remove } = await makeBackup(server.database.connection);
    this.#closers.push(remove);
    return file;
  }

  /** The clock of the server that made the backup was ahead by so many minutes, and the restore came later than that. */
  async haveBeenAhead({ database }: TestServer, minutes: number): Promise<void> {
    const ahead = "backup_made_at = backup_made_at + $1 * interval '1 minute'";
    await database.pool.query(`update sessions set ${ahead}`, [minutes]);
    await database.pool.query(
      `update installation set ${ahead}, restored_at = restored_at + ($1 + 1) * interval '1 minute'`,
      [minutes],
    );
  }

  /** Asks for a move without starting it, makes a backup, and lets the server go on with it. */
  async backUpWhileWaiting(direction: Direction, stockFound = false): Promise<string> {
    const { context } = this.server;
    const admin = await this.#admin();
    const { operationId } =
      direction === "deploy"
        ? await requestDeploy(context, admin, this.sessionId, {
            zeroUncounted: false,
            stockFound,
            confirmUnits: undefined,
          })
        : await requestRollback(context, admin, this.sessionId);
    const file = await this.backUp();
    context.operations.wake(operationId ?? "");
    await context.operations.waitForEnd(operationId ?? "", 60_000);
    return file;
  }

  async #admin(): Promise<AdminCaller> {
    const { id, username } = await this.server.database.database
      .selectFrom("users")
      .select(["id", "username"])
      .where("role", "=", "admin")
      .executeTakeFirstOrThrow();
    return { role: "admin", userId: id, username, loginHash: Buffer.alloc(32) };
  }

  /** A server over the restored backup, begun as the product begins. */
  async restore(file: string): Promise<TestServer> {
    const database = await restoreDatabase(file);
    this.#closers.push(() => database.drop());
    const restored = await startTestServer({ over: { emulator: this.server.emulator, database } });
    this.#closers.push(() => restored.close());
    await restored.context.operations.sweep("alone");
    return restored;
  }

  get ofReport() {
    return { params: { sessionId: this.sessionId } };
  }

  get ofSession() {
    return { params: { id: this.sessionId } };
  }

  deploy({ admin }: TestServer) {
    return admin.call(deployReport, { ...this.ofReport, body: {} });
  }

  /** Longer before whatever follows, by Shopify's clock, than clocks may differ. */
  async deployLongBefore(server: TestServer) {
    const milliseconds = 10 * 60_000;
    await this.server.shop.advanceClock({ milliseconds: -milliseconds });
    const deployed = await this.deploy(server);
    await this.server.shop.advanceClock({ milliseconds });
    return deployed;
  }

  rollBack({ admin }: TestServer) {
    return admin.call(rollbackReport, this.ofReport);
  }

  preview({ admin }: TestServer) {
    return admin.call(previewRelease, this.ofSession);
  }

  release({ admin }: TestServer, body: { alreadyMoved?: "all" | string[]; zeroUncounted?: boolean } = {}) {
    return admin.call(releaseSession, { ...this.ofSession, body });
  }

  /** The newest; undefined where nothing was deployed. */
  async adjustmentOf({ admin }: TestServer) {
    return (await admin.call(listAdjustments, this.ofReport)).adjustments[0];
  }

  async rowsOf({ admin }: TestServer, direction: Direction = "deploy") {
    const { rows } = await admin.call(listAdjustmentRows, { ...this.ofReport, query: { view: "all" } });
    const ofDirection = rows.filter((row) => row.direction === direction);
    return Object.fromEntries(ofDirection.map(({ sku, state }) => [sku, state]));
  }

  /** Every movement of the shop by an adjustment, by SKU. */
  async moved(): Promise<Record<string, number[]>> {
    const { movements } = await this.server.shop.movements({});
    const found: Record<string, number[]> = {};
    for (const { cause, sku, delta } of movements) {
      if (cause === "adjustment" && sku !== null) found[sku] = [...(found[sku] ?? []), delta];
    }
    return found;
  }
}
