import { randomUUID } from "node:crypto";
import {
  decideExceptions,
  finishArea,
  postScanBatch,
  reopenArea,
  resetArea,
  restorePass,
  undoScan,
} from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draws } from "../../testing/draws.ts";
import type { TestArea } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { areasOfRun } from "../testing/areas-of-run.ts";
import {
  type CountingScene,
  codes,
  countingSlices,
  expectTotalsToMatchScans,
  scanBody,
  startCounting,
} from "../testing/scene.ts";
import { type OracleRead, TagOracle } from "../testing/tag-oracle.ts";

let server: TestServer;
let scene: CountingScene;

beforeAll(async () => {
  server = await startTestServer({ slices: countingSlices });
  scene = await startCounting(server, { areaCodes: [] });
});
afterAll(() => server.close());

const area = fc.nat({ max: 1 });
const pick = fc.nat({ max: 1000 });
/** `passesBack`: it was made so many passes ago. */
const oneRead = fc.record({
  area,
  tag: fc.nat({ max: 5 }),
  reader: fc.constantFrom("reader-1", "reader-2"),
  passesBack: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat({ max: 2 }) },
  ),
});
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      act: fc.constant("read" as const),
      reads: fc.array(oneRead, { minLength: 1, maxLength: 8 }),
      repeated: fc.option(pick),
    }),
  },
  { weight: 5, arbitrary: fc.record({ act: fc.constant("undo" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("reset" as const), area }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("finish" as const), area, isRight: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("reopen" as const), area }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("restore" as const), area, pick }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("accept" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("dismiss" as const), pick }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Reads = Extract<Step, { act: "read" }>;

const chosen = <Member>(members: readonly Member[], number: number): Member | undefined =>
  members[number % Math.max(1, members.length)];

/** Two areas and two readers, counted by the server and by the oracle. Tags of its own, as all runs are of one session. */
class Run {
  private readonly oracle = new TagOracle(2, 1);
  private readonly name = randomUUID().slice(0, 8);
  private readonly firstSerial = Number.parseInt(this.name, 16);
  private readonly areas: readonly TestArea[];
  private seq = 0;

  constructor(areas: readonly TestArea[]) {
    this.areas = areas;
  }

  async perform(next: Step): Promise<void> {
    switch (next.act) {
      case "read":
        return this.read(next);
      case "undo":
        return this.undo(chosen(this.oracle.reads, next.pick));
      case "reset":
        if (this.oracle.area(next.area).isClosed) return;
        this.oracle.reset(next.area);
        return void (await scene.counter.api.call(resetArea, { body: this.named(next.area) }));
      case "finish":
        return this.finish(next.area, next.isRight);
      case "reopen":
        if (!this.oracle.area(next.area).isClosed) return;
        this.oracle.reopen(next.area);
        return void (await server.admin.call(reopenArea, {
          body: { areaId: this.areaOf(next.area).id, eraseScans: true },
        }));
      case "restore":
        return this.restore(next.area, next.pick);
      case "accept":
      case "dismiss":
        return this.decide(next.act, chosen(this.oracle.open(), next.pick));
    }
  }

  private areaOf(index: number): TestArea {
    const found = this.areas[index];
    if (found === undefined) throw new Error("There is no such area.");
    return found;
  }

  private named(index: number) {
    return {
      sessionId: scene.session._id,
      areaCode: this.areaOf(index).code,
      locationId: scene.store.locationId,
    };
  }

  private payload(
    { opId, device, area, tag, seq }: Omit<OracleRead, "pass" | "outcome" | "before">,
    pass: number,
  ) {
    const { input } = tag % 2 === 0 ? codes.jacketS : codes.jacketM;
    const named = { deviceId: device, seq, opId, pass, areaCode: this.areaOf(area).code };
    return scanBody(scene, { ...named, input: epcOf(input, this.firstSerial + tag) });
  }

  /** One batch, perhaps with a read among them that was sent before. */
  private async read({ reads, repeated }: Reads): Promise<void> {
    const earlier = repeated === null ? undefined : chosen(this.oracle.reads, repeated);
    const sent = earlier === undefined ? [] : [this.payload(earlier, earlier.pass)];
    const expected = earlier === undefined ? [] : [{ status: earlier.outcome.status, duplicate: true }];
    // The reads of a batch get their ids in the order of devices, and the next of a tag is the one with the lowest.
    const inOrder = reads.toSorted((one, other) => one.reader.localeCompare(other.reader));
    for (const { area: index, tag, reader, passesBack } of inOrder) {
      this.seq += 1;
      const pass = Math.max(1, this.oracle.area(index).pass - passesBack);
      const made = { opId: randomUUID(), seq: this.seq, device: `${reader}-${this.name}`, area: index, tag };
      sent.push(this.payload(made, pass));
      expected.push({ status: this.oracle.read(made, pass).status, duplicate: false });
    }
    const { results } = await scene.counter.api.call(postScanBatch, { body: { scans: sent } });
    expect(results).toMatchObject(expected);
  }

  private async undo(read: OracleRead | undefined): Promise<void> {
    if (read === undefined) return;
    const expected = this.oracle.undo(read);
    const body = { ...this.named(read.area), deviceId: read.device, seq: read.seq };
    const { status, body: answer } = await scene.counter.api.send(undoScan, { body });
    if (expected === null) expect(status).toBe(200);
    else expect(answer).toMatchObject({ code: expected });
  }

  private async finish(index: number, isRight: boolean): Promise<void> {
    const { isClosed, pass } = this.oracle.area(index);
    if (isClosed) return;
    const declaredTotal = this.oracle.totalOf(index) + (isRight ? 0 : 1);
    this.oracle.finish(index, isRight);
    const body = { ...this.named(index), deviceId: "finisher", declaredTotal, pass };
    const { matched } = await scene.counter.api.call(finishArea, { body });
    expect(matched).toBe(isRight);
  }

  private async restore(index: number, number: number): Promise<void> {
    const pass = chosen([...this.oracle.area(index).voided.keys()], number);
    if (pass === undefined) return;
    this.oracle.restore(index, pass);
    await server.admin.call(restorePass, { body: { areaId: this.areaOf(index).id, pass } });
  }

  private async decide(action: "accept" | "dismiss", read: OracleRead | undefined): Promise<void> {
    if (read === undefined) return;
    const { id } = await server.database.database
      .selectFrom("scans")
      .select("id")
      .where("opId", "=", read.opId)
      .executeTakeFirstOrThrow();
    const outcome = action === "accept" ? this.oracle.accept(read) : "done";
    if (action === "dismiss") this.oracle.dismiss(read);
    const { scans } = await server.admin.call(decideExceptions, {
      params: { id: scene.session._id },
      body: { action, scanIds: [String(id)] },
    });
    expect(scans).toMatchObject([{ outcome }]);
  }

  async expectSameState(): Promise<void> {
    const areaIds = this.areas.map(({ id }) => id);
    const stored = await server.database.database
      .selectFrom("scans")
      .select(["opId", "status", "reason", "pass"])
      .where("areaId", "in", areaIds)
      .orderBy("id")
      .execute();
    const expected = this.oracle.reads.map(({ opId, outcome, pass }) => ({ opId, ...outcome, pass }));
    expect(stored).toEqual(expect.arrayContaining(expected));
    expect(stored).toHaveLength(expected.length);
  }
}

test("S41, S42, S43: any reads of tags by two readers, undone, voided, restored, late, accepted and dismissed, become what the oracle expects", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const run = new Run(await areasOfRun(scene));
      for (const each of steps) await run.perform(each);
      await run.expectSameState();
      await expectTotalsToMatchScans(server.database.database);
    }),
    draws(20),
  );
});
