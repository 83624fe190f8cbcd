import {
  acceptInvitation,
  adminLogin,
  createAreas,
  createInvitation,
  createLocation,
  createStore,
  endSession,
  listOutboxMails,
  listShopifyLocations,
  type Operation,
  readOperation,
  startSession,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { Floor } from "./counter.ts";

/** Waits for a piece of work that outlasted its call. @throws Error when it failed. */
export async function untilDone(admin: ApiClient, id: string): Promise<Operation> {
  for (;;) {
    const { operation } = await admin.call(readOperation, { params: { id } });
    if (operation.status === "failed") throw new Error(`${operation.kind} failed: ${operation.error?.error}`);
    if (operation.status === "done") return operation;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Ends a session, and waits until it is over. */
export async function endAndWait(admin: ApiClient, sessionId: string): Promise<void> {
  const ended = await admin.call(endSession, { body: { sessionId } });
  if ("operation" in ended) await untilDone(admin, ended.operation._id);
}

export interface OpenStore {
  readonly storeId: string;
  readonly locationId: string;
  readonly shopifyLocationId: string;
}

/** Makes a store of the shop's location at `place`, with one location and its areas. */
export async function makeStore(
  admin: ApiClient,
  codes: readonly string[],
  place: number,
): Promise<OpenStore> {
  const { locations } = await admin.call(listShopifyLocations);
  const shopifyLocation = locations[place];
  if (shopifyLocation === undefined) throw new Error("The shop has too few locations.");
  const { store } = await admin.call(createStore, {
    body: { name: shopifyLocation.name, shopifyLocationId: shopifyLocation.id },
  });
  const { location } = await admin.call(createLocation, {
    body: { name: "Sales floor", storeId: store._id },
  });
  const areas = codes.map((code) => ({ code, name: `Shelf ${code}` }));
  await admin.call(createAreas, { params: { id: location._id }, body: { areas } });
  return { storeId: store._id, locationId: location._id, shopifyLocationId: shopifyLocation.id };
}

/** Signs the administrator in and makes a store of the shop's first location. */
export async function openStore(
  admin: ApiClient,
  password: string,
  codes: readonly string[],
): Promise<OpenStore> {
  await admin.call(adminLogin, { body: { password } });
  return makeStore(admin, codes, 0);
}

export async function beginSession(admin: ApiClient, store: OpenStore): Promise<Floor> {
  const started = await admin.call(startSession, { body: { storeId: store.storeId } });
  const { storeId, locationId } = store;
  if ("session" in started) return { sessionId: started.session._id, storeId, locationId };
  const { sessionId } = await untilDone(admin, started.operation._id);
  if (sessionId === null) throw new Error("The session was started without an id.");
  return { sessionId, storeId, locationId };
}

/** Invites a counter and opens the mailed link so often, each time as another device, spread over the nodes in turn. */
export async function inviteWithDevices(
  admin: ApiClient,
  floor: Floor,
  name: string,
  devices: number,
  nodes: readonly string[] = [admin.url],
): Promise<ApiClient[]> {
  const { sessionId, storeId } = floor;
  const body = { sessionId, storeId, email: `${name}@example.com`, counterName: name };
  await admin.call(createInvitation, { body });
  const { mails } = await admin.call(listOutboxMails);
  const link = mails.find((mail) => mail.to.includes(`${name}@example.com`))?.link;
  if (link === undefined) throw new Error(`No mail to ${name} in the outbox.`);
  const params = { token: link.split("/").at(-1) ?? "" };
  return Promise.all(
    Array.from({ length: devices }, async (_none, index) => {
      const counter = new ApiClient(nodes[index % nodes.length] ?? admin.url);
      await counter.call(acceptInvitation, { params });
      return counter;
    }),
  );
}

export async function inviteCounter(admin: ApiClient, floor: Floor, name: string): Promise<ApiClient> {
  const [counter] = await inviteWithDevices(admin, floor, name, 1);
  if (counter === undefined) throw new Error(`${name} has not joined.`);
  return counter;
}
