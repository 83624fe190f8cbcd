import { beforeEach, describe, expect, test } from "vitest";
import { type CostBucket, createCostBucket } from "./cost-bucket.ts";
import { createTestClock, type TestClock } from "./testing/test-clock.ts";

const report = (currentlyAvailable: number) => ({
  requestedQueryCost: 100,
  throttleStatus: { maximumAvailable: 1000, currentlyAvailable, restoreRate: 50 },
});

describe("the cost bucket", () => {
  let clock: TestClock;
  let bucket: CostBucket;

  beforeEach(() => {
    clock = createTestClock();
    bucket = createCostBucket(clock);
  });

  test("counts what calls at the same time have taken", async () => {
    await Promise.all([bucket.take(600), bucket.take(400), bucket.take(100)]);
    expect(clock.pauses).toEqual([2000]);
  });

  test("serves first come first, a cheap call behind a dear one too", async () => {
    const order: string[] = [];
    await bucket.take(1000);
    await Promise.all([
      bucket.take(500).then(() => order.push("dear")),
      bucket.take(10).then(() => order.push("cheap")),
    ]);
    expect(order).toEqual(["dear", "cheap"]);
  });

  test("holds back what is still under way from what an answer reports", async () => {
    const first = await bucket.take(100);
    await bucket.take(300);
    first.settle(report(350));
    await bucket.take(100);
    expect(clock.pauses).toEqual([1000]);
  });

  test("fills with time", async () => {
    (await bucket.take(100)).settle(report(0));
    clock.advance(2000);
    await bucket.take(100);
    expect(clock.pauses).toEqual([]);
  });

  test("fills as before once the machine's clock was set back", async () => {
    (await bucket.take(100)).settle(report(0));
    clock.setBack(3_600_000);
    clock.advance(2000);
    await bucket.take(100);
    expect(clock.pauses).toEqual([]);
  });

  test("lets the next one through when a waiting caller gives up", async () => {
    await bucket.take(1000);
    const givenUp = bucket.take(1, AbortSignal.abort(new Error("gone")));
    await expect(givenUp).rejects.toThrow("gone");
    await expect(bucket.take(1)).resolves.toBeDefined();
  });
});
