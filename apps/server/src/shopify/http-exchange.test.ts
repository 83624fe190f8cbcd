import { expect, test } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { type DateHeard, postOnce } from "./http-exchange.ts";

test.each([-3_600_000, 3_600_000])(
  "an answer took as long as it did, also where this machine's clock is set by %i ms meanwhile",
  async (by) => {
    let set = 0;
    const clock = { ...systemClock, now: () => Date.now() + set };
    const heard: DateHeard[] = [];
    const answer = async () => {
      set = by;
      return new Response("{}", { headers: { date: new Date().toUTCString() } });
    };
    const request = { url: "https://shop.test/", headers: {}, body: "", timeoutMs: 10_000 };
    await postOnce(answer, clock, { ...request, onDate: (date) => heard.push(date) });
    expect(heard).toHaveLength(1);
    expect(heard[0]?.tookMs).toBeGreaterThanOrEqual(0);
    expect(heard[0]?.tookMs).toBeLessThan(5_000);
  },
);
