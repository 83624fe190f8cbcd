import { join } from "node:path";
import { adminLogin, type CallAnswer } from "@stocktake/contract";
import {
  type Emulator,
  type EmulatorControl,
  emulatorControl,
  startEmulator,
} from "@stocktake/shopify-emulator";
import { ApiClient } from "@stocktake/testkit";
import {
  type SimulatedDatabase,
  type SimulatedDatabases,
  type SimulatedNode,
  type StoredScan,
  startSimulatedNode,
} from "../../../../apps/server/src/testing/simulated-installation.ts";
import { adminPassword } from "../../staging.ts";
import { catalogueOf } from "./shelf.ts";
import type { ShelfPlan } from "./shelf-plan.ts";
import type { SimulatedTime } from "./simulated-time.ts";

// Sleeps as long as this are time limits of calls, which nothing in a simulation reaches.
const timeLimitMs = 10_000_000;
const longestAnswerMs = 300;

/** Where the product's servers and databases are run for simulated counts, one after the other. */
export interface Environment {
  readonly databases: SimulatedDatabases;
  readonly folder: string;
}

/** The product as a shop has it: one or two servers over a database, its Shopify, and its backups. */
export class Installation {
  readonly emulator: Emulator;
  readonly shop: EmulatorControl;
  admin = new ApiClient("");
  readonly #environment: Environment;
  readonly #time: SimulatedTime;
  readonly #clocks: ShelfPlan["clocks"];
  readonly #fraction: () => number;
  #database: SimulatedDatabase;
  #nodes: readonly SimulatedNode[] = [];
  #backups = 0;

  private constructor(
    made: { environment: Environment; time: SimulatedTime; emulator: Emulator; database: SimulatedDatabase },
    clocks: ShelfPlan["clocks"],
    fraction: () => number,
  ) {
    this.emulator = made.emulator;
    this.shop = emulatorControl(made.emulator.url);
    this.#environment = made.environment;
    this.#time = made.time;
    this.#database = made.database;
    this.#clocks = clocks;
    this.#fraction = fraction;
  }

  static async open(
    environment: Environment,
    time: SimulatedTime,
    plan: ShelfPlan,
    fraction: () => number,
  ): Promise<Installation> {
    const emulator = await startEmulator({
      catalogue: catalogueOf(plan.skus),
      clock: () => time.now() + plan.clocks.shop,
      settings: {
        maximumAvailable: 1_000_000,
        restoreRate: 1_000_000,
        searchLag: plan.searchLag,
        pageRows: plan.pageRows,
      },
    });
    const database = await environment.databases.create();
    const opened = new Installation({ environment, time, emulator, database }, plan.clocks, fraction);
    await opened.#startNodes();
    return opened;
  }

  async #startNodes(): Promise<void> {
    const nodes: SimulatedNode[] = [];
    for (const error of this.#clocks.servers) nodes.push(await this.#startNode(error));
    this.#nodes = nodes;
    this.admin = new ApiClient(this.url(0));
    await this.admin.call(adminLogin, { body: { password: adminPassword } });
  }

  #startNode(error: number): Promise<SimulatedNode> {
    const steady = () => this.#time.now();
    const now = () => steady() + error;
    return startSimulatedNode({
      ...{ database: this.#database, emulator: this.emulator, adminPassword },
      clock: { now, steady, sleep: realSleep },
      shopClock: { now, steady, sleep: (milliseconds, signal) => this.#sleep(milliseconds, signal) },
      fetch: async (input, init) => {
        this.#time.move(Math.floor(this.#fraction() * longestAnswerMs));
        const response = await fetch(input, init);
        this.#time.move(Math.floor(this.#fraction() * longestAnswerMs));
        return response;
      },
    });
  }

  async #sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (milliseconds >= timeLimitMs) return realSleep(milliseconds, signal);
    this.#time.move(milliseconds);
  }

  /** The address of one of the servers. */
  url(pick: number): string {
    return this.#nodes[pick % this.#nodes.length]?.url ?? "";
  }

  /** One of the servers reads what has moved in Shopify, as each does every minute. */
  async poll(pick: number): Promise<void> {
    await this.#nodes[pick % this.#nodes.length]?.context.stockWatch.read();
  }

  /** Each server looks at the database's clock, as it does every 15 seconds. */
  async checkClocks(): Promise<void> {
    for (const { context } of this.#nodes) await context.clock.check();
  }

  scans(sessionId: string): Promise<readonly StoredScan[]> {
    return this.#database.scans(sessionId);
  }

  /** Resolves to the file. */
  async backUp(): Promise<string> {
    this.#backups += 1;
    const file = join(this.#environment.folder, `backup-${this.#backups}.gz`);
    await this.#database.backUp(file);
    return file;
  }

  /** The servers are gone, and others start over a database that was restored from the file. */
  async restore(file: string): Promise<void> {
    await this.#stopNodes();
    await this.#database.drop();
    this.#database = await this.#environment.databases.restore(file);
    await this.#startNodes();
    for (const { context } of this.#nodes.slice(0, 1)) await context.operations.sweep("alone");
  }

  async #stopNodes(): Promise<void> {
    for (const node of this.#nodes) await node.close();
    this.#nodes = [];
  }

  async close(): Promise<void> {
    await this.#stopNodes();
    await this.#database.drop();
    await this.emulator.close();
  }
}

export type Report = CallAnswer<typeof import("@stocktake/contract").varianceReport>;

/** A sleep that ends by its signal, or by the end of the time. */
function realSleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1));
    timer.unref();
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
