import { expect, it } from "vitest";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";
import { createOutboxBus } from "./events.ts";
import { retrySetAside } from "./maintenance.ts";
import { createQueueMonitor } from "./queue-monitor.ts";
import { createOutboxReader, readSetAside } from "./read.ts";

/** Two scans that the server refused; the first has been undone on the device meanwhile. */
async function refuseTwo() {
  const harness = await createEngineHarness();
  harness.server.missingAreas.add("A1");
  const undone = await harness.scan("undone");
  await harness.operate({ kind: "undo", area: areaOne, targetId: undone.id, targetSeq: undone.seq });
  await harness.scan("meant");
  await harness.run();
  return harness;
}

it("S13, S16: a scan that was set aside and undone since is not put back: nothing would undo it on the server", async () => {
  const harness = await refuseTwo();
  harness.server.missingAreas.clear();
  await retrySetAside(harness.database);
  harness.reader.startOver();
  await harness.run();
  expect(harness.server.inputs()).toEqual(["meant"]);
  expect(await harness.unsettledInputs()).toEqual([]);
});

it("S13, S16: a scan that was set aside and undone since is not shown as refused, before and after a reload", async () => {
  const harness = await refuseTwo();
  const bus = createOutboxBus(null);
  const monitor = await createQueueMonitor(bus, createOutboxReader(harness.database), 0, () => true);
  for (const event of harness.events) bus.publish(event);
  expect(monitor.state().setAside).toBe(1);
  expect((await readSetAside(harness.database)).scans.map(({ input }) => input)).toEqual(["meant"]);
});
