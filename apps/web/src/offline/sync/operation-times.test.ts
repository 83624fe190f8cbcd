import { describe, expect, it } from "vitest";
import type { ClockReading } from "../connection/scan-time.ts";
import { appendOperation, type OperationDraft } from "../outbox/append.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";
import { createSeededRandomness } from "../testing/manual-clock.ts";

const random = createSeededRandomness();
const hour = 3_600_000;
const finish = { kind: "finish", area: areaOne, declaredTotal: 1 } as const;
const known = { low: 0, high: 0 };

/** Writes an operation as a page does that was reloaded offline, whose clock may have been set before. */
function operate({ database, clock }: EngineHarness, draft: OperationDraft, reading: Partial<ClockReading>) {
  const clocks = { page: "page-1", lead: clock.now() - clock.elapsed(), elapsed: clock.elapsed() };
  return appendOperation(database, draft, {
    ...{ deviceId: "device-1", clock, random, offset: known },
    reading: { ...clocks, offset: known, isDoubtful: true, ...reading },
  });
}

/** What the server was told of when a total was declared. */
async function told(harness: EngineHarness) {
  await harness.run();
  const { body } = harness.server.calls.find(({ path }) => path === "/api/area/finish") ?? {};
  const { declaredAt, timeUnknown }: { declaredAt?: unknown; timeUnknown?: unknown } = Object(body);
  return { declaredAt, timeUnknown };
}

const iso = (at: number) => new Date(at).toISOString();

describe("S5, S26: when a total was declared", () => {
  it("is certain where the clock of the page is known", async () => {
    const harness = await createEngineHarness();
    const at = harness.clock.now();
    await operate(harness, finish, { isDoubtful: false });
    harness.clock.advance(hour);
    harness.measure(0);
    expect(await told(harness)).toEqual({ declaredAt: iso(at), timeUnknown: undefined });
  });

  it("is decided by the next response where the clock was set before", async () => {
    const harness = await createEngineHarness();
    const at = harness.clock.now();
    await operate(harness, finish, {});
    harness.clock.advance(hour);
    harness.measure(2 * hour);
    expect(await told(harness)).toEqual({ declaredAt: iso(at + 2 * hour), timeUnknown: undefined });
  });

  it("is not told where nobody can say, as of a page that is gone", async () => {
    const harness = await createEngineHarness();
    await operate(harness, finish, { page: "page-0" });
    harness.clock.advance(hour);
    harness.measure(2 * hour);
    expect(await told(harness)).toEqual({ declaredAt: undefined, timeUnknown: true });
  });
});

it("S5, S31: a reset from before a restore is left to a person where nobody can say whether something was counted since", async () => {
  const harness = await createEngineHarness();
  const { clock, server, database, run } = harness;
  const bringBack = server.backup();
  clock.setBy(hour);
  const before = { page: "page-0", offset: { low: hour, high: hour } };
  const { id } = await operate(harness, { kind: "reset", area: areaOne }, before);
  await run();
  bringBack();
  clock.setBy(-hour);
  clock.advance(hour / 2);
  server.countElsewhere("of another", clock.now());
  harness.measure(0);
  await harness.scan("next", { ...areaOne, areaId: "area-2", areaCode: "A2" });
  await run();
  clock.advance(1_000);
  await harness.engine.settled();
  expect(await database.get("pendingSubmissions", id)).toMatchObject({ synced: true, isLeft: true });
});
