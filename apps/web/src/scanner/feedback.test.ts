import { expect, it, vi } from "vitest";
import { openFreshDatabase } from "../offline/testing/fresh-database.ts";
import { createFeedback } from "./feedback.ts";

it.each([
  { hasBeenActive: false, vibrations: 0 },
  { hasBeenActive: true, vibrations: 1 },
])(
  "a page that was touched: $hasBeenActive vibrates $vibrations times, as browsers refuse it before",
  async ({ hasBeenActive, vibrations }) => {
    const vibrate = vi.fn();
    const navigator = Object.assign(Object.create(globalThis.navigator), { vibrate });
    vi.stubGlobal(
      "navigator",
      Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive } }),
    );
    createFeedback(await openFreshDatabase()).play("chime");
    expect(vibrate).toHaveBeenCalledTimes(vibrations);
  },
);

const names = ["beep", "buzz", "chime", "fanfare", "alarm", "miss", "knock", "call"] as const;

it("the hand feels every message differently: counted, set aside, not counted, ignored", async () => {
  const felt: string[] = [];
  vi.stubGlobal("navigator", { vibrate: (pattern: number[]) => felt.push(pattern.join()) });
  const { play } = createFeedback(await openFreshDatabase());
  for (const name of names) play(name);
  expect(new Set(felt).size).toBe(names.length);
});
