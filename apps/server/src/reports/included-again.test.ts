import { endSession, includeFigures, postScan, undoScan, varianceReport } from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, join, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../testing/test-shop.ts";

const sku = "JK-1000";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a figure that was decided on is in doubt again with each undo that arrives after the end", async () => {
  const store = await makeStore(server, { shopifyLocation: highStreet });
  const session = await begin(server, store, "partial");
  const sessionId = session._id;
  const { api } = await join(server, session);
  const ofDevice = { sessionId, areaCode: "A1", deviceId: "device-1" };
  for (const seq of [1, 2]) {
    const scanned = { input: jacketBarcodes[0], inputType: "barcode" as const, seq };
    const place = { storeId: store.id, locationId: store.locationId };
    await api.call(postScan, { body: { ...ofDevice, ...place, ...scanned } });
  }
  await server.admin.call(endSession, { body: { sessionId } });
  const params = { sessionId };
  const rowNow = async () => {
    const { items } = await server.admin.call(varianceReport, { params, query: {} });
    return items.find((item) => item.sku === sku);
  };
  for (const seq of [2, 1]) {
    expect(await api.refusal(undoScan, { body: { ...ofDevice, seq } })).toMatchObject({
      code: "SESSION_CLOSED",
    });
    expect(await rowNow()).toMatchObject({ counted: 2, uncertain: "UNDONE_AFTER_END", included: false });
    await server.admin.call(includeFigures, { params, body: { skus: [sku], included: true } });
    expect(await rowNow()).toMatchObject({ uncertain: "UNDONE_AFTER_END", included: true });
  }
});
