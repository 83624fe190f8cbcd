import {
  type CountAgainRow,
  groupBy,
  listAudit,
  listToCountAgain,
  lookAlike,
  secondCounts,
  setStoreTolerance,
  type ToleranceLimits,
} from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { applyTolerances } from "./ask-by-tolerance.ts";
import {
  keepSeededCount,
  type SeededCount,
  type SeededSku,
  seededNumbers,
  seededShop,
  totalsOf,
} from "./testing/seeded-count.ts";
import { suspectedIn } from "./testing/suspected.ts";

let server: TestServer;
/** A second node over the same database. */
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ over: server });
});
afterAll(async () => {
  await other.close();
  await server.close();
});

async function readWhole({ session }: SeededCount): Promise<{ rows: CountAgainRow[]; unknownCosts: number }> {
  const rows: CountAgainRow[] = [];
  let cursor: string | null | undefined;
  let unknownCosts = 0;
  do {
    const query = { limit: "37", ...(cursor ? { cursor } : {}) };
    const page = await server.admin.call(listToCountAgain, { params: { id: session._id }, query });
    rows.push(...page.rows);
    unknownCosts = page.unknownCosts;
    cursor = page.next;
  } while (cursor);
  return { rows, unknownCosts };
}

/** Draws SKUs that are counted as they are, none twice. */
function drawFrom(skus: readonly SeededSku[], below: (end: number) => number): () => SeededSku {
  return () => {
    for (;;) {
      const drawn = skus[below(skus.length)];
      if (drawn !== undefined && drawn.counted === drawn.onHand) return drawn;
    }
  };
}

test("of 120 miscounts exactly the 100 beyond tolerance are listed as such and asked for, once, the most money first", async () => {
  const below = seededNumbers(20);
  const skus = seededShop(below);
  const draw = drawFrom(skus, below);
  const beyond = new Map(
    Array.from({ length: 100 }, (_none, index) => {
      const drawn = draw();
      const units = 6 + below(30);
      drawn.counted = drawn.onHand + (index % 2 === 0 ? units : -Math.min(units, drawn.onHand - 1));
      if (Math.abs(drawn.counted - drawn.onHand) < 6) drawn.counted = drawn.onHand + 6;
      return [drawn.sku, drawn] as const;
    }),
  );
  for (let within = 0; within < 20; within += 1) {
    const drawn = draw();
    drawn.counted = drawn.onHand + (within % 2 === 0 ? 5 : -3);
  }
  const count = await keepSeededCount(server, skus);
  const limits: ToleranceLimits = { units: 5, money: 1_000, stockPercent: null, moneyPercent: 1 };
  const body = { tolerance: { over: limits, short: limits } };
  await server.admin.call(setStoreTolerance, { params: { id: count.store.id }, body });
  const before = await totalsOf(server, count);

  const { rows, unknownCosts } = await readWhole(count);
  const listed = rows.filter(({ reasons }) => reasons.some(({ kind }) => kind === "BEYOND_TOLERANCE"));
  expect(listed.map(({ sku }) => sku).toSorted()).toEqual([...beyond.keys()].toSorted());
  const money = rows.map(({ atStake }) => atStake);
  const known = money.flatMap((each) => each ?? []);
  expect(money.slice(0, known.length)).toEqual(known.toSorted((left, right) => right - left));
  expect(money.slice(known.length)).toEqual(Array.from({ length: unknownCosts }, () => null));
  expect(unknownCosts).toBeGreaterThan(0);

  await Promise.all([server, other, server, other].map(({ context }) => applyTolerances(context)));
  await applyTolerances(other.context);
  const { secondCounts: asked } = await server.admin.call(secondCounts, {
    params: { id: count.session._id },
  });
  const skusOf = groupBy(beyond.values(), ({ area }) => count.store.areas[area]?.code ?? "");
  expect(new Map(asked.map(({ area, only }) => [area.code, only]))).toEqual(
    new Map([...skusOf].map(([code, skus]) => [code, skus.map(({ sku }) => sku).toSorted()])),
  );
  expect(asked).toHaveLength(skusOf.size);
  expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set(["tolerance"]));
  const { entries } = await server.admin.call(listAudit, { query: { sessionId: count.session._id } });
  const named = entries.flatMap(({ action, after }) =>
    action === "second_count.asked" ? (after?.onlySkus ?? []) : [],
  );
  expect(named.toSorted()).toEqual([...beyond.keys()].toSorted());
  expect(await totalsOf(server, count)).toEqual(before);
});

test("of 60 swaps of neighbours among 60 unrelated pairs at least 54 are found, at most 6 are wrong, and no count is changed", async () => {
  const below = seededNumbers(60);
  const skus = seededShop(below);
  const draw = drawFrom(skus, below);
  const isFree = (sku: SeededSku | undefined): sku is SeededSku => sku?.counted === sku?.onHand;
  const swapped = new Set<string>();
  while (swapped.size < 60) {
    const index = skus.indexOf(draw());
    const [one, next] = [skus[index], skus[index + 1]];
    if (index % 5 === 4 || one === undefined || next === undefined || !isFree(next)) continue;
    const [over, short] = below(2) === 0 ? [one, next] : [next, one];
    // Of three in ten all was counted as the other, and the short one found nowhere.
    const units = below(10) < 3 ? short.onHand : 1 + below(4);
    over.counted = over.onHand + units;
    short.counted = short.onHand - units;
    swapped.add(`${over.sku} ${short.sku}`);
  }
  for (let unrelated = 0; unrelated < 60; ) {
    const over = draw();
    // Half of them lie in one area.
    const there = unrelated % 2 === 0 ? skus.filter(({ area }) => area === over.area) : skus;
    const short = there[below(there.length)];
    if (short === undefined || !isFree(short) || short.productTitle === over.productTitle) continue;
    if (lookAlike(over.sku, short.sku)) continue;
    const units = 1 + below(4);
    over.counted = over.onHand + units;
    short.counted = short.onHand - units;
    unrelated += 1;
  }
  const count = await keepSeededCount(server, skus);
  const before = await totalsOf(server, count);
  const { rows } = await readWhole(count);
  for (const { difference, reasons } of rows) {
    const other = reasons.find(({ kind }) => kind === "SWAP_SUSPECTED");
    if (other?.kind === "SWAP_SUSPECTED") expect(other.difference).toBe(-difference);
  }
  const found = suspectedIn(rows);
  const right = found.filter((pair) => swapped.has(pair));
  expect(right.length).toBeGreaterThanOrEqual(54);
  expect(found.length - right.length).toBeLessThanOrEqual(6);
  expect(await totalsOf(server, count)).toEqual(before);
});
