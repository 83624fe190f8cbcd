import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route, succeeded } from "../kernel/route.ts";
import { createStore, deleteStore, listStores, updateStore } from "./manage-stores.ts";
import type { StoreServices } from "./services.ts";

/** Stores, and the Shopify locations that they can stand for. */
export function storeRoutes(app: FastifyInstance, { database, platform, events }: StoreServices): void {
  route(app, contract.listStores, async ({ caller }) => ({ stores: await listStores(database, caller) }));

  route(app, contract.createStore, async ({ caller, body }) => {
    const store = await createStore({ database, platform }, caller, body);
    events.publish({ type: "store", storeId: store._id });
    return { store };
  });

  route(app, contract.updateStore, async ({ caller, params, body }) => {
    const store = await updateStore({ database, platform }, caller, params.id, body);
    events.publish({ type: "store", storeId: store._id });
    return { store };
  });

  route(app, contract.deleteStore, async ({ caller, params }) => {
    await deleteStore(database, caller, params.id);
    events.publish({ type: "store", storeId: params.id });
    return succeeded;
  });

  route(app, contract.listShopifyLocations, async () => {
    const locations = await platform.shopifyLocations();
    return { locations: locations.map(({ id, name }) => ({ id, name })) };
  });
}
