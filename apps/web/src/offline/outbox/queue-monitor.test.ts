import { expect, it, vi } from "vitest";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";
import { createOutboxBus } from "./events.ts";
import { createQueueMonitor } from "./queue-monitor.ts";
import { createOutboxReader } from "./read.ts";

it("S20: pending is what the server has not acknowledged; refused rows are counted separately", async () => {
  const harness = await createEngineHarness();
  const bus = createOutboxBus(null);
  await harness.scan("one");
  const monitor = await createQueueMonitor(bus, createOutboxReader(harness.database), 0, () => true);
  expect(monitor.state().pending).toBe(1);
  const scan = await harness.scan("two");
  bus.publish({ type: "scan_added", scan });
  expect(monitor.state().pending).toBe(2);
  const refusal = { httpStatus: 400, code: "VALIDATION", error: "No." };
  bus.publish({ type: "scans_settled", scans: [{ ...scan, refusal }] });
  expect(monitor.state()).toEqual({ pending: 1, barred: 0, setAside: 1, stopped: null });
  bus.publish({ type: "stopped", reason: "no_answer" });
  expect(monitor.state().stopped).toBe("no_answer");
  bus.publish({ type: "scans_settled", scans: [{ ...scan, refusal }] });
  bus.publish({ type: "requeued", setAside: 1 });
  expect(monitor.state()).toMatchObject({ pending: 1, setAside: 1 });
  bus.publish({ type: "requeued" });
  expect(monitor.state()).toMatchObject({ pending: 2, setAside: 0 });
});

it("S17, S20: of what is pending it says how much is of sessions that this login can't send to", async () => {
  const harness = await createEngineHarness();
  await harness.scan("mine");
  await harness.scan("theirs", { ...areaOne, sessionId: "session-2" });
  const barred = new Set(["session-2"]);
  const reader = createOutboxReader(harness.database);
  const monitor = await createQueueMonitor(harness.bus, reader, 0, (id) => !barred.has(id));
  expect(monitor.state()).toMatchObject({ pending: 2, barred: 1 });
  await harness.run();
  await vi.waitFor(() => expect(monitor.state()).toMatchObject({ pending: 1, barred: 1 }));
  barred.clear();
  harness.bus.publish({ type: "drained" });
  await vi.waitFor(() => expect(monitor.state()).toMatchObject({ pending: 1, barred: 0 }));
});
