import type { ControlSample } from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { auditRoutes } from "../../audit/audit.ts";
import type { TestCounter } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { countArea, joinAlone } from "./samples.ts";
import {
  type CountingScene,
  clearAway,
  countingSlices,
  expectTotalsToMatchScans,
  startCounting,
} from "./scene.ts";

export const areaCodes = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"];
/** Units of small jackets in each area. */
const shelf = [0, 1, 2, 3, 4, 5, 6, 7];
export const unitsOf = (code: string) => shelf[areaCodes.indexOf(code)] ?? 0;

/** Eight areas that Ada has counted, anew for each test, and Ben who has counted none. */
export class SampledScene implements CountingScene {
  #server: TestServer | undefined;
  #scene: CountingScene | undefined;
  ada!: TestCounter;
  ben!: TestCounter;

  constructor() {
    beforeAll(async () => {
      this.#server = await startTestServer({ slices: [...countingSlices, auditRoutes] });
    });
    afterAll(() => this.server.close());
    beforeEach(async () => {
      this.#scene = await startCounting(this.server, { areaCodes });
      this.ada = await joinAlone(this, "Ada");
      this.ben = await joinAlone(this, "Ben");
      for (const code of areaCodes) await countArea(this, this.ada, code, unitsOf(code));
    });
    afterEach(async () => {
      await expectTotalsToMatchScans(this.server.database.database);
      await clearAway(this.server);
    });
  }

  get server(): TestServer {
    if (this.#server === undefined) throw new Error("The server starts before the first test.");
    return this.#server;
  }

  get #counting(): CountingScene {
    if (this.#scene === undefined) throw new Error("The session starts before each test.");
    return this.#scene;
  }

  get store() {
    return this.#counting.store;
  }

  get session() {
    return this.#counting.session;
  }

  get counter() {
    return this.#counting.counter;
  }

  /** Somebody counts every area that was drawn, with so many units more in the first of them. */
  async control(sample: ControlSample, counter: TestCounter, more = 0): Promise<void> {
    for (const [index, { area }] of sample.drawn.entries()) {
      await countArea(this, counter, area.code, unitsOf(area.code) + (index === 0 ? more : 0));
    }
  }

  /** Shopify says that one of a SKU is gone. */
  async sellOne(sku: string): Promise<void> {
    await sql`
      insert into stock_readings (session_id, sku, read_at, on_hand, touched)
      select session_id, sku, now(), start_on_hand - 1, true from session_items
      where session_id = ${this.session._id} and sku = ${sku}`.execute(this.server.database.database);
  }
}
