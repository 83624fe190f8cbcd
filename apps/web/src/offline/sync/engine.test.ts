import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";
import { retryDelay } from "./engine.ts";

describe("sync engine: order and batches", () => {
  it("S10: sends a scan alone as POST /api/scan and several in one batch, without a word of a queue that is empty then", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    await harness.run();
    await harness.scan("two");
    await harness.scan("three");
    await harness.run();
    expect(harness.server.calls.map((call) => call.path)).toEqual(["/api/scan", "/api/scan/batch"]);
    expect(harness.server.calls[1]?.body).not.toHaveProperty("pending");
    expect(harness.server.inputs()).toEqual(["one", "two", "three"]);
  });

  it("S10: more than one call allows is sent in several batches with the number that remain", async () => {
    const harness = await createEngineHarness();
    for (let number = 0; number < 620; number += 1) await harness.scan(`code-${number}`);
    await harness.run();
    const pending = harness.server.calls.map((call) => Object(call.body).pending);
    expect(pending).toEqual([120, 0]);
    expect(harness.server.total("A1")).toBe(620);
  });

  it("S10: a last scan is sent as a batch where the server still has an earlier pending count", async () => {
    const harness = await createEngineHarness();
    for (let number = 0; number < 501; number += 1) await harness.scan(`code-${number}`);
    await harness.run();
    expect(harness.server.calls.map((call) => Object(call.body).pending)).toEqual([1, 0]);
  });

  it("S10: a row of several units is sent with their number, one of a single unit without", async () => {
    const harness = await createEngineHarness();
    const { id } = await harness.scan("socks");
    const row = await harness.database.get("pendingScans", id);
    if (row !== undefined) await harness.database.put("pendingScans", { ...row, quantity: 48 });
    await harness.scan("jacket");
    await harness.run();
    const [call] = harness.server.calls;
    const sent = z.parse(z.object({ scans: z.array(z.record(z.string(), z.unknown())) }), call?.body).scans;
    expect(sent.map(({ input, quantity }) => [input, quantity])).toEqual([
      ["socks", 48],
      ["jacket", undefined],
    ]);
  });

  it("S9: an undo, a reset and a finish are sent between the scans, in the order in which they were made", async () => {
    const harness = await createEngineHarness();
    const first = await harness.scan("one");
    await harness.operate({ kind: "undo", area: areaOne, targetId: first.id, targetSeq: first.seq });
    await harness.scan("two");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
    await harness.run();
    expect(harness.server.calls.map((call) => call.path)).toEqual([
      "/api/scan/batch",
      "/api/undo",
      "/api/scan/batch",
      "/api/area/finish",
    ]);
    expect(harness.server.closedAreas.has("A1")).toBe(true);
    const finish = harness.events.findLast((event) => event.type === "operation_settled");
    expect(finish).toMatchObject({
      operation: { answer: { kind: "finish", matched: true, serverTotal: 1 } },
    });
  });
});

describe("sync engine: failures", () => {
  for (const fault of [
    { rule: "S11", name: "no answer", fault: { kind: "request_lost" } as const, why: "no_answer" },
    { rule: "S11", name: "401", fault: { kind: "answers", status: 401 } as const, why: "unauthenticated" },
    { rule: "S11", name: "408", fault: { kind: "answers", status: 408 } as const, why: "busy" },
    { rule: "S11", name: "429", fault: { kind: "answers", status: 429 } as const, why: "busy" },
    { rule: "S11", name: "503", fault: { kind: "answers", status: 503 } as const, why: "busy" },
    {
      rule: "S12",
      name: "a captive portal's page",
      fault: { kind: "answers", status: 200 } as const,
      why: "no_answer",
    },
    {
      rule: "S12",
      name: "a proxy's refusal",
      fault: { kind: "answers", status: 403 } as const,
      why: "no_answer",
    },
  ]) {
    it(`${fault.rule}: ${fault.name} stops the queue, counts a retry on the first scan and sends nothing after it [spec:4.sync.stops]`, async () => {
      const harness = await createEngineHarness();
      const first = await harness.scan("one");
      const second = await harness.scan("two");
      await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 2 });
      harness.server.faults.push(fault.fault);
      await harness.run();
      expect(harness.server.calls).toHaveLength(1);
      expect(await harness.scanRow(first.id)).toMatchObject({ retryCount: 1, synced: false });
      expect((await harness.scanRow(first.id)).lastRetryAt).not.toBeNull();
      expect(await harness.scanRow(second.id)).toMatchObject({ retryCount: 0, synced: false });
      expect(harness.events.at(-1)).toEqual({ type: "stopped", reason: fault.why });
    });
  }

  it("S11: waits longer after each failure, and restarts by itself", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    harness.server.faults.push({ kind: "request_lost" }, { kind: "request_lost" });
    await harness.run();
    const firstWait = harness.clock.nextIn() ?? 0;
    expect(firstWait).toBeGreaterThanOrEqual(500);
    expect(firstWait).toBeLessThanOrEqual(1_000);
    harness.clock.advance(firstWait);
    await harness.engine.settled();
    expect(harness.clock.nextIn()).toBeGreaterThanOrEqual(1_000);
    harness.clock.advance(2_000);
    await harness.engine.settled();
    expect(harness.server.total("A1")).toBe(1);
  });

  it("S11: a new scan does not end the wait; a sign that sending may succeed does", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    harness.server.faults.push({ kind: "request_lost" });
    await harness.run();
    await harness.scan("two");
    await harness.run();
    expect(harness.server.calls).toHaveLength(1);
    harness.engine.retryNow();
    await harness.engine.settled();
    expect(harness.server.inputs()).toEqual(["one", "two"]);
  });

  it("S11: never waits less than Retry-After", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    harness.server.faults.push({ kind: "answers", status: 429, retryAfterMs: 90_000 });
    await harness.run();
    expect(harness.clock.nextIn()).toBe(90_000);
  });

  it("S4: a repeat after a lost response remains one scan", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    await harness.scan("two");
    harness.server.faults.push({ kind: "answer_lost" });
    await harness.run();
    harness.engine.retryNow();
    await harness.engine.settled();
    expect(harness.server.inputs()).toEqual(["one", "two"]);
    expect(await harness.unsettledInputs()).toEqual([]);
  });

  it("S13: a permanent refusal sets the scan aside and shows it, and the rest is sent", async () => {
    const harness = await createEngineHarness();
    harness.server.missingAreas.add("GONE");
    const gone = await harness.scan("one", { ...areaOne, areaId: "area-2", areaCode: "GONE" });
    await harness.scan("two");
    await harness.run();
    expect(await harness.scanRow(gone.id)).toMatchObject({
      synced: false,
      refusal: { httpStatus: 404, code: "NOT_FOUND" },
    });
    expect(harness.server.inputs()).toEqual(["two"]);
    expect(harness.events.at(-1)).toEqual({ type: "drained" });
  });

  it("S13: a scan that the server finds invalid blocks neither the others nor a finish after it", async () => {
    const harness = await createEngineHarness();
    const invalid = await harness.scan("one");
    const body = { error: "The scanned code is required.", code: "VALIDATION" };
    harness.server.faults.push({ kind: "answers", status: 400, body });
    await harness.run();
    await harness.scan("two");
    await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
    await harness.run();
    expect(await harness.scanRow(invalid.id)).toMatchObject({ synced: false, refusal: { httpStatus: 400 } });
    expect(harness.server.inputs()).toEqual(["two"]);
    expect(harness.server.closedAreas.has("A1")).toBe(true);
  });

  it("S13: an item of a batch that fails leaves those before and after it acknowledged, and is sent again", async () => {
    const harness = await createEngineHarness();
    const rows = [await harness.scan("one"), await harness.scan("two"), await harness.scan("three")];
    const ok = (seq: number) => ({
      httpStatus: 201,
      scan: { _id: "1", seq, sku: "x", productTitle: "x", size: null, areaCode: "A1", pass: 1 },
      ...{ status: "counted", reason: null, duplicate: false },
    });
    const body = { results: [ok(1), { httpStatus: 503, error: "Busy.", code: "OVERLOADED" }, ok(3)] };
    harness.server.faults.push({ kind: "answers", status: 200, body });
    await harness.run();
    const states = await Promise.all(rows.map((row) => harness.scanRow(row.id)));
    expect(states.map((row) => row.synced)).toEqual([true, false, true]);
    expect(states.map((row) => row.retryCount)).toEqual([0, 1, 0]);
    harness.engine.retryNow();
    await harness.engine.settled();
    expect(harness.server.inputs()).toEqual(["two"]);
  });

  it("S13: a batch that is refused as a whole is sent one by one", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    await harness.scan("two");
    const body = { error: "The request is too large.", code: "PAYLOAD_TOO_LARGE" };
    harness.server.faults.push({ kind: "answers", status: 413, body });
    await harness.run();
    expect(harness.server.calls.map((call) => call.path)).toEqual([
      "/api/scan/batch",
      "/api/scan",
      "/api/scan",
    ]);
    expect(harness.server.total("A1")).toBe(2);
  });
});

describe("sync engine: sequence conflicts", () => {
  it("S14: a number already in use is replaced from nextSeq, nothing is lost, and later scans come after it", async () => {
    const harness = await createEngineHarness();
    await harness.scan("one");
    await harness.run();
    const [stored] = harness.server.scans;
    if (stored === undefined) throw new Error("The first scan did not arrive.");
    // As after a restored database: the server already has these numbers under other operations.
    for (const seq of [2, 3, 4]) {
      const opId = `00000000-0000-4000-8000-00000000000${seq}`;
      const payload = { ...stored.payload, seq, opId, input: `other-${seq}` };
      harness.server.scans.push({ ...stored, payload, arrival: 10 + seq });
    }
    await harness.scan("two");
    await harness.scan("three");
    await harness.run();
    const next = await harness.scan("four");
    await harness.run();
    const sequences = harness.server.scans.map((scan) => scan.payload.seq);
    expect(new Set(sequences).size).toBe(sequences.length);
    expect(harness.server.inputs().slice(-3)).toEqual(["two", "three", "four"]);
    expect(next.seq).toBe(Math.max(...sequences));
  });

  it("S14: a renumbered scan that had arrived remains one scan, and its undo uses the new number", async () => {
    const harness = await createEngineHarness();
    const scan = await harness.scan("one");
    const taken = { httpStatus: 409, error: "Taken.", code: "SEQ_CONFLICT", nextSeq: 40 };
    harness.server.faults.push({ kind: "answers", status: 200, body: { results: [taken] } });
    await harness.operate({ kind: "undo", area: areaOne, targetId: scan.id, targetSeq: scan.seq });
    await harness.run();
    expect(harness.server.calls.at(-1)).toMatchObject({ path: "/api/undo", body: { seq: 40 } });
    expect(harness.server.total("A1")).toBe(0);
  });
});

it("S11: the delay doubles from a second to half a minute, with jitter between half and all of it", () => {
  expect([1, 2, 3, 4, 5, 6, 40].map((failures) => retryDelay(failures, 1, null))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
  expect(retryDelay(1, 0, null)).toBe(500);
  expect(retryDelay(6, 0, null)).toBe(15_000);
});
