import { type CountRow, checkCountRows, storeCountRows } from "@stocktake/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type CountingScene,
  codes,
  countingSlices,
  expectTotalsToMatchScans,
  startCounting,
} from "../../scanning/testing/scene.ts";
import { draws } from "../../testing/draws.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { paperRoutes } from "../routes.ts";

let server: TestServer;
let scene: CountingScene;

beforeAll(async () => {
  server = await startTestServer({ slices: [...countingSlices, paperRoutes] });
  scene = await startCounting(server);
});
afterAll(() => server.close());

const products = [codes.jacketS, codes.jacketM];

/** Few different cells, so that a file has equal rows. `part`: the part of the file that the row is sent in. */
const line = fc.record({
  area: fc.constantFrom("A1", "a2"),
  product: fc.constantFrom(...products),
  quantity: fc.integer({ min: 1, max: 3 }),
  who: fc.constantFrom("", "Ada"),
  part: fc.integer({ min: 0, max: 3 }),
});

/** Numbered as whoever reads a file does: equal rows are different counts. */
function numbered(lines: readonly Omit<CountRow, "row" | "copy">[]): CountRow[] {
  const seen = new Map<string, number>();
  return lines.map((cells, index) => {
    const key = JSON.stringify(cells);
    const copy = (seen.get(key) ?? 0) + 1;
    seen.set(key, copy);
    return { ...cells, row: index + 1, copy };
  });
}

async function totals(): Promise<Map<string, number>> {
  const rows = await server.database.database
    .selectFrom("scanTotals")
    .innerJoin("areas", "areas.id", "scanTotals.areaId")
    .select(["areas.code", "sku", "quantity"])
    .where("sessionId", "=", scene.session._id)
    .execute();
  return new Map(rows.map(({ code, sku, quantity }) => [`${code} ${sku}`, quantity]));
}

let files = 0;

test("S38: a file in any parts, several of them at a time, in any order and sent again, comes to the units of its rows", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.shuffledSubarray([0, 1, 2, 3, 0, 1, 2, 3], { minLength: 1 }),
      async (lines, sendings) => {
        files += 1;
        const when = `count ${files}`;
        const at = new Date().toISOString();
        const rows = numbered(
          lines.map(({ product: { input: code }, quantity, area, who }) => {
            return { area, code, quantity: String(quantity), who, when, at };
          }),
        );
        const before = await totals();
        const params = { id: scene.session._id };
        const checked = { file: "a.csv", rows: rows.slice(0, 1) };
        const { asOf } = await server.admin.call(checkCountRows, { params, body: checked });
        const send = async (part: number) => {
          const ofPart = rows.filter((_row, index) => lines[index]?.part === part);
          if (ofPart.length === 0) return;
          const body = { file: "a.csv", rows: ofPart, countAlike: false, asOf };
          await server.admin.call(storeCountRows, { params, body });
        };
        await Promise.all(sendings.map(send));
        for (const part of [3, 0, 2, 1]) await send(part);
        const expected = new Map(before);
        for (const { area, product, quantity } of lines) {
          const key = `${area.toUpperCase()} ${product.sku}`;
          expected.set(key, (expected.get(key) ?? 0) + quantity);
        }
        expect(await totals()).toEqual(expected);
        await expectTotalsToMatchScans(server.database.database);
      },
    ),
    draws(25),
  );
});
