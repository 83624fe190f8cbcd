import type { Emulator } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onNewDatabase, startShop } from "./testing/starting-nodes.ts";

/* Two rounds of what `npm run proof` does ten times. */

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startShop();
});
afterAll(() => emulator.close());

test("five nodes start at the same moment on one new database", async () => {
  await onNewDatabase(emulator, 5, async ({ running, failures }) => {
    expect(failures).toEqual([]);
    const answers = await Promise.all(running.map(({ url }) => fetch(`${url}/api/ready`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ headers }) => headers.get("x-stocktake-epoch"))).size).toBe(1);
    expect(running.filter(({ generatedPassword }) => generatedPassword !== null)).toHaveLength(1);
  });
});
