import { resetArea } from "@stocktake/contract";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draws } from "../../testing/draws.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { reopenFirstArea, restoreFirstArea } from "../testing/endings.ts";
import {
  type CountingScene,
  clearAway,
  codes,
  countingSlices,
  countsOf,
  expectTotalsToMatchScans,
  firstArea,
  startCounting,
} from "../testing/scene.ts";
import {
  askAgain,
  choose,
  countShelf,
  differencesOf,
  joinAs,
  type Shelf,
  scanShelf,
} from "../testing/second-counts.ts";

const names = ["jacketS", "jacketM", "jacketL"] as const;
const units = fc.integer({ min: 0, max: 3 });
const shelf = fc.record({ jacketS: units, jacketM: units, jacketL: units });
/** Before somebody counts right: another count that they reset, or that they finish with a wrong total. */
const mishap = fc.option(fc.record({ shelf, isReset: fc.boolean() }), { freq: 2 });
const count = fc.record({ shelf, mishap });
type Count = typeof count extends fc.Arbitrary<infer Value> ? Value : never;
/** What is asked for: some of the products, or where all or none are drawn the whole area. */
const only = fc.subarray([...names]).map((some) => (some.length === names.length ? [] : some));
const choice = fc.constantFrom("first", "second", "third" as const);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ slices: countingSlices });
});
afterAll(() => server.close());

/** What was found, without what was not there. */
function found(of: Shelf): Shelf {
  return Object.fromEntries(Object.entries(of).filter(([, quantity]) => quantity > 0));
}

/** Somebody of their own counts the first area, as often as it takes. */
async function countBy(
  scene: CountingScene,
  name: string,
  { shelf: lies, mishap: before }: Count,
): Promise<void> {
  const counter = await joinAs(scene, name);
  if (before?.isReset === true) {
    const { pass } = await scanShelf(scene, counter, found(before.shelf));
    await counter.api.call(resetArea, { body: { ...firstArea(scene), pass } });
  } else if (before !== null) {
    expect(await countShelf(scene, counter, found(before.shelf), 99)).toMatchObject({ matched: false });
  }
  expect(await countShelf(scene, counter, found(lies))).toMatchObject({ matched: true });
}

/** The rule written a second time: equal counts, else two of three, else what is chosen. */
function settled(
  [first, second, third]: readonly [number, number, number],
  chosen: "first" | "second" | "third",
) {
  if (first === second || first === third) return first;
  return second === third ? second : { first, second, third }[chosen];
}

async function rowsOf({ session }: CountingScene): Promise<number> {
  const { rows } = await sql<{ scans: number }>`
    select count(*) as scans from scans where session_id = ${session._id}`.execute(server.database.database);
  return Number(rows[0]?.scans);
}

test("whatever three people count, with resets and wrong totals in between, the figures are those of the rule and no scan goes", async () => {
  await fc.assert(
    fc.asyncProperty(
      count,
      count,
      count,
      choice,
      fc.boolean(),
      only,
      async (first, second, third, chosen, reopens, asked) => {
        const scene = await startCounting(server);
        await countBy(scene, "Ada", first);
        await askAgain(scene, ...asked);
        await countBy(scene, "Ben", second);
        const isAsked = (name: (typeof names)[number]) => asked.length === 0 || asked.includes(name);
        const differs = names.some((name) => isAsked(name) && first.shelf[name] !== second.shelf[name]);
        if (differs) await countBy(scene, "Cleo", third);
        const before = await rowsOf(scene);
        for (const difference of await differencesOf(scene)) {
          if (difference.settledAs === null) {
            expect(await choose(scene, difference, chosen)).toMatchObject({ status: 200 });
          }
        }
        const expected = names.flatMap((name) => {
          const counts = [first.shelf[name], second.shelf[name], third.shelf[name]] as const;
          const figure = isAsked(name) ? settled(counts, chosen) : counts[0];
          return figure === 0 ? [] : [[codes[name].sku, figure]];
        });
        expect(await countsOf(scene)).toEqual(Object.fromEntries(expected));
        if (reopens) {
          const counting = await currentPass(scene);
          await reopenFirstArea(scene);
          expect(await countsOf(scene)).toEqual({});
          await restoreFirstArea(scene, counting);
          expect(await countsOf(scene)).toEqual(Object.fromEntries(expected));
        }
        expect(await rowsOf(scene)).toBe(before);
        await expectTotalsToMatchScans(server.database.database);
        await clearAway(server);
      },
    ),
    draws(8),
  );
});

async function currentPass({ store }: CountingScene): Promise<number> {
  const { pass } = await server.database.database
    .selectFrom("areas")
    .select("pass")
    .where("id", "=", store.areas[0]?.id ?? "")
    .executeTakeFirstOrThrow();
  return pass;
}
