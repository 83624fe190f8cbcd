import * as contract from "@stocktake/contract";
import { join, type TestStore } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { type Place, sample } from "./testing-place.ts";

const ofStore = ({ storeId }: Place) => ({ params: { id: storeId } });

const few = { units: 3, money: 50, stockPercent: 10, moneyPercent: 0.25 };
const tolerance: contract.Tolerance = { over: few, short: { ...few, units: null } };

const ofSession = ({ sessionId }: Place) => ({ params: { id: sessionId } });

/** A proper form of each call about second counts. */
export const secondCountSamples = [
  sample(contract.askSecondCount, ({ areaId }) => ({ body: { areaId } })),
  sample(contract.askSecondCounts, (place) => ({ ...ofSession(place), body: { skus: ["JK-1000"] } })),
  sample(contract.startFollowUp, (place) => ({ ...ofSession(place), body: { skus: ["JK-1000"] } })),
  sample(contract.cancelSecondCount, ({ areaId }) => ({ body: { areaId } })),
  sample(contract.secondCounts, ofSession),
  sample(contract.countDifferences, ofSession),
  sample(contract.listToCountAgain, ofSession),
  sample(contract.listCountedAreas, ofSession),
  sample(contract.sessionTolerance, ofSession),
  sample(contract.setSessionTolerance, (place) => ({ ...ofSession(place), body: { tolerance } })),
  sample(contract.storeTolerance, ofStore),
  sample(contract.setStoreTolerance, (place) => ({ ...ofStore(place), body: { tolerance } })),
  sample(contract.controlSamples, ofSession),
  sample(contract.sampledAreas, ({ sessionId }) => ({ params: { id: sessionId, number: "1" } })),
  sample(contract.drawSample, (place) => ({
    ...ofSession(place),
    body: { areas: 1, reason: "The first one was void" },
  })),
  sample(contract.voidSample, (place) => ({
    ...ofSession(place),
    body: { number: 1, reason: "Nobody is left to count" },
  })),
  sample(contract.settleDifference, (place) => ({
    ...ofSession(place),
    body: {
      areaId: place.areaId,
      ofPass: place.pass,
      sku: "JK-1000",
      choice: "first" as const,
      reason: "The shelf was looked at",
    },
  })),
];

interface Counted {
  readonly server: TestServer;
  readonly store: Pick<TestStore, "id" | "locationId">;
  readonly session: contract.CountingSession;
  /** Closed, and asked for again. */
  readonly area: { readonly id: string; readonly code: string };
  /** Who counts, where several do one after another. */
  readonly by?: string;
}

/** Somebody who has not counted the area takes its second count and finds so many units of each SKU. */
export async function countSecond(
  { server, store, session, area, by = `Somebody ${area.code}` }: Counted,
  found: Readonly<Record<string, number>>,
  finish: (body: contract.CallInput<typeof contract.finishArea>["body"], api: TestApi) => Promise<unknown>,
): Promise<void> {
  const email = `${by.replaceAll(" ", "-")}-${area.id}@example.com`;
  const { api } = await join(server, session, { name: by, email });
  const { areas } = await api.call(contract.listAreas, {});
  const pass = areas.find(({ _id }) => _id === area.id)?.pass ?? 0;
  const deviceId = `device of ${by}`;
  const inArea = {
    sessionId: session._id,
    areaCode: area.code,
    locationId: store.locationId,
    deviceId,
    pass,
  };
  for (const [index, [input, quantity]] of Object.entries(found).entries()) {
    const scan = { ...inArea, storeId: store.id, input, inputType: "sku", quantity, seq: index + 1 } as const;
    await api.call(contract.postScan, { body: scan });
  }
  const declaredTotal = Object.values(found).reduce((sum, units) => sum + units, 0);
  await finish({ ...inArea, declaredTotal }, api);
}
