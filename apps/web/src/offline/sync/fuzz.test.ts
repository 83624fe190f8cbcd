import { expect, it } from "vitest";
import { isCountedHere, type PendingScan } from "../database/records.ts";
import type { OutgoingCall } from "../ports.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";
import { createSeededRandomness } from "../testing/manual-clock.ts";
import type { Fault } from "../testing/scripted-server.ts";

// Seeds that once failed stay here.
const seeds = Array.from({ length: 40 }, (_none, index) => index + 1);
const steps = 60;

type Draw = (below: number) => number;

// Behind a changed address. Of a scan it is final and shown, so that a person sends it again.
const forbidden: Fault = {
  ...{ kind: "answers", status: 403, body: { error: "From another site.", code: "FORBIDDEN" } },
};

function faultOf(draw: Draw, { path }: OutgoingCall): Fault | null {
  const faults: (Fault | null)[] = [
    { kind: "request_lost" },
    { kind: "answer_lost" },
    { kind: "answers", status: 503 },
    { kind: "answers", status: 200 },
    path.startsWith("/api/scan") ? null : forbidden,
    ...Array.from({ length: 8 }, () => null),
  ];
  return faults[draw(faults.length)] ?? null;
}

/** A device as the scan screen would use it: one area, the pass it assumes, its own scans that can be undone. */
class Counter {
  pass = 1;
  scans: PendingScan[] = [];
  private readonly harness: EngineHarness;

  constructor(harness: EngineHarness) {
    this.harness = harness;
  }

  private get area() {
    return { ...areaOne, pass: this.pass };
  }

  async scan(input: string): Promise<void> {
    this.scans.push(await this.harness.scan(input, this.area));
  }

  async undo(): Promise<void> {
    const target = this.scans.pop();
    if (target === undefined) return;
    const { id: targetId, seq: targetSeq } = target;
    await this.harness.operate({ kind: "undo", area: this.area, targetId, targetSeq });
  }

  async reset(): Promise<void> {
    await this.harness.operate({ kind: "reset", area: this.area });
    this.pass += 1;
    this.scans = [];
  }

  /** Another device resets the area, and this one learns of it. */
  async resetElsewhere(): Promise<void> {
    this.harness.server.nextPass("A1", "AREA_RESET");
    this.pass = this.harness.server.passOf("A1");
    this.scans = [];
  }
}

/** Backups now and then, and restores of the last one: no phone learns of either before it hears from the server. */
async function crashAndRestore(harness: EngineHarness, draw: Draw, backups: (() => void)[]): Promise<void> {
  if (draw(2) === 0) backups.push(harness.server.backup());
  else {
    backups.at(-1)?.();
    harness.clock.advance(30_000);
  }
}

interface Count {
  readonly counter: Counter;
  readonly backups: (() => void)[];
  readonly isRestored: boolean;
}

async function act(
  { counter, backups, isRestored }: Count,
  harness: EngineHarness,
  draw: Draw,
  step: number,
) {
  const choice = draw(isRestored ? 22 : 20);
  if (choice < 11) await counter.scan(`${draw(6) === 0 ? "unknown" : "code"}-${step}`);
  else if (choice < 14) await counter.undo();
  else if (choice === 14) await counter.reset();
  else if (choice === 15 && !isRestored) await counter.resetElsewhere();
  else if (choice >= 20) await crashAndRestore(harness, draw, backups);
  else if (choice < 18) await harness.run();
  else harness.clock.advance(draw(40_000));
  await harness.engine.settled();
}

async function drain(harness: EngineHarness): Promise<void> {
  harness.server.chance = () => null;
  harness.engine.retryNow();
  await harness.engine.settled();
  // A restore that is only noticed now begins the queue again after a moment.
  harness.clock.advance(60_000);
  await harness.engine.settled();
}

async function countAtRandom(seed: number, isRestored: boolean): Promise<EngineHarness> {
  const harness = await createEngineHarness(seed);
  const random = createSeededRandomness(seed * 7919);
  const draw: Draw = (below) => Math.floor(random.fraction() * below);
  harness.server.chance = (call) => faultOf(draw, call);
  const count = { counter: new Counter(harness), backups: [harness.server.backup()], isRestored };
  for (let step = 0; step < steps; step += 1) await act(count, harness, draw, step);
  await drain(harness);
  return harness;
}

async function expectSameCount({ database, server }: EngineHarness): Promise<void> {
  const rows = await database.getAll("pendingScans");
  const stored = server.scans.map((scan) => scan.payload);
  expect(rows.filter((row) => !row.synced)).toEqual([]);
  expect(stored.map((scan) => scan.opId)).toEqual(rows.map((row) => row.opId));
  expect(new Set(stored.map((scan) => scan.seq)).size).toBe(stored.length);
  const current = server.passOf("A1");
  const countedHere = rows.filter((row) => row.pass === current && isCountedHere(row));
  const countedAtServer = server.scans.filter(
    ({ payload, status }) => payload.pass === current && status === "counted",
  );
  expect(countedHere.map((row) => row.input)).toEqual(countedAtServer.map(({ payload }) => payload.input));
}

for (const seed of seeds) {
  it(`S1 to S16: whatever gets lost, every scan arrives once and both sides have the same count (seed ${seed})`, async () => {
    await expectSameCount(await countAtRandom(seed, false));
  });

  it(`S30, S31: the same where the server is restored from backups meanwhile (seed ${seed})`, async () => {
    await expectSameCount(await countAtRandom(seed, true));
  });
}
