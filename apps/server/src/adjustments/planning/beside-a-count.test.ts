import { randomUUID } from "node:crypto";
import {
  adjustCount,
  deleteStore,
  deployReport,
  endSession,
  postScanBatch,
  rollbackReport,
  setBasis,
} from "@stocktake/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";

const skus = ["JK-1000", "JK-1001", "JK-1002"] as const;
type Sku = (typeof skus)[number];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const onHand = async (item: Sku) => (await server.shop.stock({ item, location: highStreet })).on_hand;

/** A store at the one Shopify location has counted by hand, is ended and deleted: its report can be deployed still. */
async function countedBefore(differences: readonly number[]): Promise<string> {
  const store = await makeStore(server, { shopifyLocation: highStreet });
  const session = await begin(server, store, "partial");
  await server.admin.call(endSession, { body: { sessionId: session._id } });
  for (const [index, sku] of skus.entries()) {
    const newCount = Math.max(0, (await onHand(sku)) + (differences[index] ?? 0));
    await server.admin.call(adjustCount, { params: { sessionId: session._id }, body: { sku, newCount } });
  }
  await server.admin.call(deleteStore, { params: { id: store.id } });
  return session._id;
}

/** A store at the same location while it is counted: what really lies there, and what was counted of it so far. */
interface Floor {
  readonly store: TestStore;
  readonly sessionId: string;
  readonly deviceId: string;
  readonly there: Map<Sku, number>;
  readonly counted: Map<Sku, number>;
  scans: number;
}

async function openFloor(differences: readonly number[]): Promise<Floor> {
  const store = await makeStore(server, { shopifyLocation: highStreet });
  const session = await begin(server, store, "partial");
  const there = new Map<Sku, number>();
  for (const [index, sku] of skus.entries()) {
    there.set(sku, Math.max(0, (await onHand(sku)) + (differences[index] ?? 0)));
  }
  return { store, sessionId: session._id, deviceId: randomUUID(), there, counted: new Map(), scans: 0 };
}

async function scan(floor: Floor, sku: Sku, quantity: number): Promise<void> {
  if (quantity <= 0) return;
  const scans = Array.from({ length: quantity }, () => {
    floor.scans += 1;
    return {
      sessionId: floor.sessionId,
      storeId: floor.store.id,
      locationId: floor.store.locationId,
      areaCode: "A1",
      input: sku,
      inputType: "sku" as const,
      deviceId: floor.deviceId,
      seq: floor.scans,
      scannedAt: new Date().toISOString(),
    };
  });
  const { results } = await server.admin.call(postScanBatch, { body: { scans } });
  expect(results.map(({ httpStatus }) => httpStatus)).toEqual(scans.map(() => 201));
  floor.counted.set(sku, (floor.counted.get(sku) ?? 0) + quantity);
}

type Step =
  | { readonly kind: "poll" | "deploy" | "rollback" }
  | { readonly kind: "sale" | "receipt" | "half" | "rest"; readonly sku: Sku };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Step>({ kind: "poll" }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: "deploy" }, { kind: "rollback" }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("sale" as const, "receipt" as const, "half" as const, "rest" as const),
      sku: fc.constantFrom(...skus),
    }),
  },
);

const differences = fc.array(fc.integer({ min: -3, max: 3 }), {
  minLength: skus.length,
  maxLength: skus.length,
});

async function live(floor: Floor, other: string, happens: Step): Promise<void> {
  switch (happens.kind) {
    case "poll":
      return server.context.stockWatch.read();
    case "deploy":
      await server.admin.send(deployReport, { params: { sessionId: other }, body: {} });
      return;
    case "rollback":
      await server.admin.send(rollbackReport, { params: { sessionId: other } });
      return;
    default:
      return touch(floor, happens.kind, happens.sku);
  }
}

async function touch(floor: Floor, kind: "sale" | "receipt" | "half" | "rest", sku: Sku): Promise<void> {
  const there = floor.there.get(sku) ?? 0;
  const left = there - (floor.counted.get(sku) ?? 0);
  if (kind === "half") return scan(floor, sku, Math.floor(left / 2));
  if (kind === "rest") return scan(floor, sku, left);
  // Of a SKU that is half counted something is left to count: until then its count means nothing.
  const halfCounted = left > 0 && floor.counted.has(sku);
  if (kind === "sale" && (there === 0 || (halfCounted && left === 1))) return;
  // Two movements between two readings that cancel each other out are seen by nobody.
  await server.context.stockWatch.read();
  const move = { item: sku, location: highStreet, quantity: 1 };
  if (kind === "sale") await server.shop.sell(move);
  else await server.shop.receive(move);
  floor.there.set(sku, there + (kind === "sale" ? -1 : 1));
}

/** Ends the count and deploys it by what was on hand when each SKU was counted. Resolves to what was left alone. */
async function deployByCount({ sessionId }: Floor): Promise<Map<string, string>> {
  await server.admin.call(endSession, { body: { sessionId } });
  await server.admin.call(setBasis, { params: { sessionId }, body: { basis: "count" } });
  const answer = await server.admin.call(deployReport, { params: { sessionId }, body: {} });
  if (!("skipped" in answer)) throw new Error("The deploy did not end in time.");
  return new Map(answer.skipped.map(({ sku, reason }) => [sku, reason]));
}

test("a count deployed by the moment of counting brings on hand to what is there, whatever the location's other session did meanwhile", async () => {
  const history = fc.asyncProperty(
    differences,
    differences,
    fc.array(step, { minLength: 4, maxLength: 14 }),
    async (found, missing, steps) => {
      await server.shop.reset();
      const other = await countedBefore(found);
      const floor = await openFloor(missing);
      for (const happens of steps) await live(floor, other, happens);
      const started = [...floor.counted.keys()];
      for (const sku of started) await touch(floor, "rest", sku);
      const skipped = await deployByCount(floor);
      const wrong: string[] = [];
      for (const sku of started) {
        const [is, should] = [await onHand(sku), floor.there.get(sku)];
        if (is !== should && !skipped.has(sku)) wrong.push(`${sku}: ${is} instead of ${should}`);
      }
      await server.admin.call(deleteStore, { params: { id: floor.store.id } });
      expect(wrong).toEqual([]);
    },
  );
  await fc.assert(history, { numRuns: 8 });
});
