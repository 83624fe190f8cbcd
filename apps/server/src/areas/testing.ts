import { randomUUID } from "node:crypto";
import { type Area, type CountingSession, listAreas, postScan, type ScanPayload } from "@stocktake/contract";
import type { TestArea, TestStore } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import type { TestServer } from "../testing/test-server.ts";

/** A scan of a jacket of the test shop in an area, sent by `api`. */
export async function scan(
  api: TestApi,
  store: TestStore,
  session: CountingSession,
  given: Partial<ScanPayload> = {},
): Promise<void> {
  await api.call(postScan, {
    body: {
      sessionId: session._id,
      storeId: store.id,
      locationId: store.locationId,
      areaCode: store.areas[0]?.code ?? "",
      input: "JK-1000",
      inputType: "sku",
      deviceId: `device-${randomUUID()}`,
      seq: 1,
      method: "scan",
      ...given,
    },
  });
}

/** Puts an area into the state that a matching finish leaves. */
export async function close(server: TestServer, area: TestArea): Promise<void> {
  await server.database.pool.query(
    `update areas set status = 'closed', closed_at = now(), closed_by = (select id from users where role = 'admin')
      where id = $1`,
    [area.id],
  );
  await server.database.pool.query(
    `update area_passes set ended_as = 'closed', ended_at = now() from areas
      where areas.id = $1 and area_passes.area_id = areas.id and area_passes.pass = areas.pass`,
    [area.id],
  );
}

export async function areaOf(api: TestApi, id: string): Promise<Area | undefined> {
  const { areas } = await api.call(listAreas, {});
  return areas.find((area) => area._id === id);
}
