import { expect, it } from "vitest";
import { createEngineHarness } from "../testing/engine-harness.ts";
import { createOutboxBus } from "./events.ts";
import { createQueueMonitor } from "./queue-monitor.ts";
import { createOutboxReader } from "./read.ts";

it("S20: pending is what the server has not acknowledged; refused rows are counted separately", async () => {
  const harness = await createEngineHarness();
  const bus = createOutboxBus(null);
  await harness.scan("one");
  const monitor = await createQueueMonitor(bus, createOutboxReader(harness.database), 0);
  expect(monitor.state().pending).toBe(1);
  const scan = await harness.scan("two");
  bus.publish({ type: "scan_added", scan });
  expect(monitor.state().pending).toBe(2);
  const refusal = { httpStatus: 400, code: "VALIDATION", error: "No." };
  bus.publish({ type: "scans_settled", scans: [{ ...scan, refusal }] });
  expect(monitor.state()).toEqual({ pending: 1, setAside: 1, stopped: null });
  bus.publish({ type: "stopped", reason: "no_answer" });
  expect(monitor.state().stopped).toBe("no_answer");
});
