import {
  acceptInvitation,
  adminLogin,
  createAreas,
  createInvitation,
  createLocation,
  createStore,
  finishArea,
  limits,
  listShopifyLocations,
  postScanBatch,
  startSession,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { adminPassword, type Stage } from "./staging.ts";

/** What a count needs before anybody scans. */
export interface CountPlan {
  /** The name of a Shopify location; the store is named after it. */
  readonly store: string;
  readonly location: string;
  readonly areas: readonly { readonly code: string; readonly name: string }[];
  readonly scope?: "full" | "partial";
}

/** A store whose session is active, made over the API, for tests that are not about making it. */
export interface RunningCount {
  readonly admin: ApiClient;
  readonly storeId: string;
  readonly locationId: string;
  readonly sessionId: string;
  readonly areas: readonly { readonly _id: string; readonly code: string; readonly name: string }[];
}

/** Another person's visit to the API, signed in as the administrator. */
export async function signInOverApi({ product }: Pick<Stage, "product">): Promise<ApiClient> {
  const admin = new ApiClient(product.url);
  await admin.call(adminLogin, { body: { password: adminPassword } });
  return admin;
}

async function addStore(admin: ApiClient, name: string): Promise<string> {
  const { locations } = await admin.call(listShopifyLocations);
  const shopifyLocationId = locations.find((location) => location.name === name)?.id;
  if (shopifyLocationId === undefined) throw new Error(`The shop has no location ${name}.`);
  return (await admin.call(createStore, { body: { name, shopifyLocationId } })).store._id;
}

export async function openSession(
  admin: ApiClient,
  storeId: string,
  scope: "full" | "partial",
): Promise<string> {
  const answer = await admin.call(startSession, { body: { storeId, scope } });
  if (!("session" in answer)) throw new Error("Starting the session took longer than a call.");
  return answer.session._id;
}

/** Makes a store with its areas, over the API; no session of it is started. */
export async function addPlace(stage: Stage, plan: CountPlan): Promise<Omit<RunningCount, "sessionId">> {
  const admin = await signInOverApi(stage);
  const storeId = await addStore(admin, plan.store);
  const { location } = await admin.call(createLocation, { body: { name: plan.location, storeId } });
  const params = { id: location._id };
  const { areas } = await admin.call(createAreas, { params, body: { areas: [...plan.areas] } });
  return { admin, storeId, locationId: location._id, areas };
}

export async function startCount(stage: Stage, plan: CountPlan): Promise<RunningCount> {
  const place = await addPlace(stage, plan);
  return { ...place, sessionId: await openSession(place.admin, place.storeId, plan.scope ?? "full") };
}

/** Invites somebody to a running count. The answer is the link in the mail that arrived. */
export async function invite(
  { mailbox }: Stage,
  { admin, sessionId, storeId }: RunningCount,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<{ readonly link: string; readonly invitationId: string }> {
  const { invitation } = await admin.call(createInvitation, {
    body: { sessionId, storeId, email, counterName: name },
  });
  return { link: await mailbox.linkFor(email), invitationId: invitation._id };
}

interface AreaCount {
  readonly link: string;
  readonly area: string;
  /** What was scanned, in order: barcodes or SKUs. */
  readonly codes: readonly string[];
  readonly inputType?: "barcode" | "sku";
  /** Declares the right total at the end, which closes the area. */
  readonly finish: boolean;
}

/** Counts an area over the API, by somebody who was invited. */
export async function countOverApi(
  { product }: Stage,
  { sessionId, storeId, locationId }: RunningCount,
  { link, area, codes, inputType = "barcode", finish }: AreaCount,
): Promise<void> {
  const counter = new ApiClient(product.url);
  await counter.call(acceptInvitation, { params: { token: link.split("/").at(-1) ?? "" } });
  const deviceId = `device-${area}`;
  const common = { sessionId, storeId, locationId, areaCode: area, deviceId, inputType } as const;
  const scans = codes.map((input, index) => ({ ...common, input, seq: index + 1, method: "scan" as const }));
  for (let sent = 0; sent < scans.length; sent += limits.scansPerCall) {
    await counter.call(postScanBatch, { body: { scans: scans.slice(sent, sent + limits.scansPerCall) } });
  }
  if (!finish) return;
  const body = { sessionId, areaCode: area, locationId, deviceId, declaredTotal: scans.length };
  const { matched, serverTotal } = await counter.call(finishArea, { body });
  if (!matched) throw new Error(`Of ${scans.length} scans in ${area} the server counted ${serverTotal}.`);
}
