import { limits } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { expect, it } from "vitest";
import { createSeededRandomness } from "../../../offline/testing/manual-clock.ts";
import { openStationAlone, otherShirt, shirt } from "../testing/station-harness.ts";

const tagCount = 4_000;
const readCount = 10_000;
/** A busy machine is no failure; this holds up only a test that fails. */
const longEnough = { timeout: 240_000, interval: 50 };

/** Every tag at least once, the others again and again, in any order. */
function readsOf(tags: readonly string[], random: () => number): readonly string[] {
  const repeats = Array.from({ length: readCount - tags.length }, () => Math.floor(random() * tags.length));
  const reads = [...tags, ...repeats.map((index) => tags[index] ?? "")];
  return reads
    .map((tag) => ({ tag, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ tag }) => tag);
}

it("S41, S44: 10,000 reads of 4,000 tags without a network are 4,000 scans, and each is sent once when it is back", async () => {
  const harness = await openStationAlone();
  await harness.waitUntilReady();
  harness.shop.isAway = true;
  const tags = Array.from({ length: tagCount }, (_each, serial) =>
    epcOf(serial % 2 === 0 ? shirt : otherShirt, serial),
  );
  const { fraction } = createSeededRandomness(4_711);
  const reads = readsOf(tags, fraction);
  for (const tag of reads) harness.scan(tag, 0);
  await expect.poll(harness.count, longEnough).toBe(tagCount);
  const kept = await harness.device.database.getAll("pendingScans");
  const firstReads = [...new Set(reads)];
  expect(kept.map(({ input }) => input)).toEqual(firstReads);
  expect(harness.shop.scanning.scans).toEqual([]);

  const before = harness.shop.scanning.calls.length;
  harness.shop.isAway = false;
  harness.device.engine.retryNow();
  await expect.poll(() => harness.device.queue.state().pending, longEnough).toBe(0);
  expect(harness.shop.scanning.inputs()).toEqual(firstReads);
  expect(harness.shop.scanning.total("A1")).toBe(tagCount);
  const sent = harness.shop.scanning.calls.slice(before).filter(({ path }) => path === "/api/scan/batch");
  expect(sent).toHaveLength(Math.ceil(tagCount / limits.scansPerCall));
  expect(harness.count()).toBe(tagCount);
}, 500_000);
