import * as contract from "@stocktake/contract";
import { harbour } from "../testing/test-shop.ts";
import type { AuditWalk } from "./testing-walk.ts";

/** Another area becomes a part of the one; what another store has is copied, once. */
export async function mergeAndCopy(walk: AuditWalk, storeId: string, intoAreaId: string): Promise<void> {
  const { admin } = walk.server;
  const { locations } = await admin.call(contract.listShopifyLocations, {});
  const shopifyLocationId = locations.find(({ name }) => name === harbour)?.id ?? "";
  const other = await walk.act(contract.createStore, { body: { name: "Harbour", shopifyLocationId } });
  await walk.act(contract.createLocation, { body: { name: "Attic", storeId: other.store._id } });
  const body = { fromStoreId: other.store._id };
  for (const _ of [1, 2]) await walk.act(contract.copyAreas, { params: { id: storeId }, body });
  await walk.act(contract.deleteStore, { params: { id: other.store._id } });
  const copied = await admin.call(contract.listLocations, { query: { storeId } });
  const attic = copied.locations.find(({ name }) => name === "Attic");
  const added = await walk.act(contract.createAreas, {
    params: { id: attic?._id ?? "" },
    body: { areas: [{ code: "A4" }] },
  });
  await walk.act(contract.mergeAreas, { body: { areaId: added.areas[0]?._id ?? "", intoAreaId } });
}
