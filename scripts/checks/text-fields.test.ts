import { expect, test } from "vitest";
import { sourcesIn } from "./sources.ts";

test("no field cuts what is typed or pasted into it: what is too long is said", async () => {
  const app = await sourcesIn("apps/web/src", ".tsx");
  expect(app.length).toBeGreaterThan(300);
  expect(app.filter(({ text }) => /\bmaxLength\b/.test(text)).map(({ path }) => path)).toEqual([]);
});
