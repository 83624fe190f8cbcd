import {
  askSecondCount,
  cancelSecondCount,
  decideExceptions,
  endSession,
  sessionExceptions,
  takeBackDecisions,
  undoScan,
  writeAuditorsFile,
} from "@stocktake/contract";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyFile } from "../../../../web/src/verifier/verify.ts";
import {
  firstAreaId,
  passesOfFirstArea,
  reopenFirstArea,
  restoreFirstArea,
} from "../../scanning/testing/endings.ts";
import {
  areaRow,
  type CountingScene,
  clearAway,
  codes,
  expectTotalsToMatchScans,
  firstArea,
  scan,
  startCounting,
} from "../../scanning/testing/scene.ts";
import {
  choose,
  countShelf,
  differencesOf,
  firstAreaOf,
  joinAs,
} from "../../scanning/testing/second-counts.ts";
import { draws } from "../../testing/draws.ts";
import type { TestCounter } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { expectToAddUp, explain } from "../explanation/testing.ts";

const { sku } = codes.jacketS;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const choice = fc.constantFrom("first", "second", "third" as const);
const shelf = fc.record({ units: fc.integer({ min: 0, max: 4 }), unknown: fc.boolean() });
type Found = typeof shelf extends fc.Arbitrary<infer Value> ? Value : never;
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("choose" as const), choice }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("go on" as const), found: shelf }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("accept" as const), isLate: fc.boolean() }) },
  fc.record({ kind: fc.constant("again" as const), found: shelf }),
  fc.record({ kind: fc.constant("undo" as const), of: fc.nat({ max: 3 }), found: shelf }),
  fc.record({ kind: fc.constantFrom("take back" as const, "cancel" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One area of a session, in which everybody counts small jackets and a code that fits no product. */
class Run {
  readonly scene: CountingScene;
  readonly #counters: TestCounter[] = [];
  #decided: string[] = [];
  #late = 0;

  constructor(scene: CountingScene) {
    this.scene = scene;
  }

  async perform(each: Step): Promise<void> {
    const { scene } = this;
    const body = { areaId: firstAreaId(scene) };
    switch (each.kind) {
      case "again":
        await server.admin.send(askSecondCount, { body });
        return this.count(each.found);
      case "cancel":
        await server.admin.send(cancelSecondCount, { body });
        return;
      case "choose":
        for (const open of await differencesOf(scene)) await choose(scene, open, each.choice);
        return;
      case "go on":
        if (await this.#bringBack()) await this.count(each.found);
        return;
      case "undo":
        if (!(await this.#bringBack())) return;
        await this.#undoFirstOf(this.#counters[each.of]);
        return this.count(each.found);
      case "accept":
        if (each.isLate) await this.#scanLate();
        return this.#accept();
      case "take back":
        return this.#takeBack();
    }
  }

  /** Somebody of their own counts the area, or goes on in it, as long as it is open to them. */
  async count({ units, unknown }: Found): Promise<void> {
    const counter = await joinAs(this.scene, `Counter${this.#counters.length}`);
    const { status, pass } = await firstAreaOf(this.scene, counter.api);
    if (status === "closed") return;
    this.#counters.push(counter);
    const deviceId = `device-of-${counter.username}`;
    const before = await this.#counted(pass);
    if (unknown) await scan(this.scene, { input: codes.unknown.input, seq: 50, deviceId, pass }, counter.api);
    const finished = await countShelf(
      this.scene,
      counter,
      units > 0 ? { jacketS: units } : {},
      before + units,
    );
    expect(finished).toMatchObject({ matched: true });
  }

  async #counted(pass: number): Promise<number> {
    const { rows } = await sql<{
      units: number;
    }>`select coalesce(sum(quantity), 0)::integer as units from scan_totals
      where session_id = ${this.scene.session._id} and pass = ${pass}`.execute(server.database.database);
    return rows[0]?.units ?? 0;
  }

  /** Reopens and restores the count that a closed area has; false where it is not closed. */
  async #bringBack(): Promise<boolean> {
    if ((await areaRow(this.scene)).status !== "closed") return false;
    const counted = (await passesOfFirstArea(this.scene)).at(-1)?.pass ?? 0;
    await reopenFirstArea(this.scene);
    await restoreFirstArea(this.scene, counted);
    return true;
  }

  async #undoFirstOf(counter: TestCounter | undefined): Promise<void> {
    if (counter === undefined) return;
    const { pass } = await areaRow(this.scene);
    const body = { ...firstArea(this.scene), deviceId: `device-of-${counter.username}`, seq: 1, pass };
    await counter.api.send(undoScan, { body });
  }

  async #scanLate(): Promise<void> {
    const [first] = this.#counters;
    const { status, pass } = await areaRow(this.scene);
    if (first === undefined || status !== "closed") return;
    this.#late += 1;
    await scan(
      this.scene,
      { seq: 900 + this.#late, deviceId: `device-of-${first.username}`, pass },
      first.api,
    );
  }

  async #accept(): Promise<void> {
    const params = { id: this.scene.session._id };
    const { scans } = await server.admin.call(sessionExceptions, { params });
    const scanIds = scans.map(({ _id }) => _id);
    if (scanIds.length === 0) return;
    const body = { action: "accept" as const, scanIds, sku };
    await server.admin.call(decideExceptions, { params, body });
    this.#decided.push(...scanIds);
  }

  async #takeBack(): Promise<void> {
    if (this.#decided.length === 0) return;
    const params = { id: this.scene.session._id };
    await server.admin.call(takeBackDecisions, { params, body: { scanIds: this.#decided } });
    this.#decided = [];
  }
}

interface Compared {
  readonly first: number;
  readonly second: number;
  readonly third: number | null;
  readonly settledAs: "equal" | "first" | "second" | "third" | null;
  /** What each round found, by its scans, and what counts of it, of no round, and of what was counted before any. */
  readonly rounds: Readonly<Record<string, { readonly found: number; readonly counting: number }>>;
  readonly counting: number;
  readonly before: number;
}

/** The rule written a second time, by what each scan is and the pass that its device named. */
async function readCompared({ session }: CountingScene): Promise<readonly Compared[]> {
  const { rows } = await sql<Compared>`
    with of_round as (
      select compared.area_id, compared.of_pass, attempt.round, coalesce(sum(scan.quantity), 0) as found,
        coalesce(sum(scan.quantity) filter (where scan.status = 'counted'), 0) as counting
      from compared_counts compared join second_counts attempt using (session_id, area_id, of_pass)
      left join scans scan on scan.session_id = compared.session_id and scan.area_id = compared.area_id
        and scan.sent_pass = attempt.pass and scan.pass in (attempt.pass, compared.of_pass) and scan.sku = compared.sku
        and scan.resolved_by is null and scan.status <> 'late' and scan.reason is distinct from 'UNDONE'
      where compared.session_id = ${session._id} and compared.sku = ${sku} and attempt.ended_as = 'closed'
      group by compared.area_id, compared.of_pass, attempt.round)
    select compared.first::integer, compared.second::integer, compared.third::integer, compared.settled_as,
      (select jsonb_object_agg(round, jsonb_build_object('found', found, 'counting', counting)) from of_round
        where of_round.area_id = compared.area_id and of_round.of_pass = compared.of_pass) as rounds,
      (select coalesce(sum(quantity), 0)::integer from scans where area_id = compared.area_id and pass = compared.of_pass
        and sku = compared.sku and status = 'counted') as counting,
      (select coalesce(sum(quantity), 0)::integer from scans where area_id = compared.area_id and pass = compared.of_pass
        and sku = compared.sku and status = 'counted' and (resolved_by is not null or sent_pass < (
          select min(attempt.pass) from second_counts attempt
          where attempt.area_id = compared.area_id and attempt.of_pass = compared.of_pass))) as before
    from compared_counts compared
    join areas area on area.id = compared.area_id and area.pass = compared.of_pass and area.status = 'closed'
    where compared.session_id = ${session._id} and compared.sku = ${sku}`.execute(server.database.database);
  return rows;
}

/** Every figure is what its scans say, and no item that two counts have seen counts in both. */
async function expectFiguresOfScans(scene: CountingScene): Promise<void> {
  await expectTotalsToMatchScans(server.database.database);
  for (const { first, second, third, settledAs, rounds, counting, before } of await readCompared(scene)) {
    expect(second).toBe(rounds[2]?.found);
    if (third !== null) expect(third).toBe(rounds[3]?.found);
    expect(counting).toBe({ equal: first, first, second, third }[settledAs ?? "first"]);
    const parts = [before, rounds[2]?.counting ?? 0, rounds[3]?.counting ?? 0];
    expect(parts.filter((units) => units > 0).length).toBeLessThan(2);
  }
}

async function expectFileToHold(scene: CountingScene): Promise<void> {
  const params = { sessionId: scene.session._id };
  await server.admin.call(endSession, { body: params });
  const { body } = await server.admin.send(writeAuditorsFile, { params });
  expect((await verifyFile(new Blob([String(body)]))).faults).toEqual([]);
  expectToAddUp(await explain(scene));
}

test("whatever is counted again, chosen, accepted, restored and counted on, the figures are those of the scans, and the file holds", async () => {
  const counts = fc.tuple(shelf, shelf, shelf);
  const steps = fc.array(step, { minLength: 4, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(counts, steps, async ([first, second, third], then) => {
      const run = new Run(await startCounting(server));
      await run.count(first);
      await run.perform({ kind: "again", found: second });
      await run.count(third);
      for (const each of then) {
        await run.perform(each);
        await expectFiguresOfScans(run.scene);
      }
      await expectFileToHold(run.scene);
      await clearAway(server);
    }),
    draws(4),
  );
});
