import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route, succeeded } from "../kernel/route.ts";
import { createStore, deleteStore, listStores, updateStore } from "./manage-stores.ts";
import type { StoreServices } from "./services.ts";

/** Stores, and the Shopify locations that they can have. */
export function storeRoutes(app: FastifyInstance, services: StoreServices): void {
  const { database, platform } = services;

  route(app, contract.listStores, async ({ caller, query }) => {
    const { items: stores, ...page } = await listStores(database, caller, query);
    return { stores, ...page };
  });

  route(app, contract.createStore, async ({ caller, body }) => ({
    store: await createStore(services, caller, body),
  }));

  route(app, contract.updateStore, async ({ caller, params, body }) => ({
    store: await updateStore(services, caller, params.id, body),
  }));

  route(app, contract.deleteStore, async ({ caller, params }) => {
    await deleteStore(services, caller, params.id);
    return succeeded;
  });

  route(app, contract.listShopifyLocations, async () => {
    const locations = await platform.shopifyLocations();
    return { locations: locations.map(({ id, name }) => ({ id, name })) };
  });
}
