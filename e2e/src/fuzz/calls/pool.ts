import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import type { ShopSnapshot } from "@stocktake/shopify-emulator";
import type { ApiClient } from "@stocktake/testkit";
import { adminPassword } from "../../staging.ts";
import type { Pool } from "./forms.ts";

/** At most so many of each kind, so that the same things are named again and again. */
const kept = 6;

/** A few operation ids, which several requests share: a replay, or another operation under the same id. */
const operationIds = Array.from({ length: 5 }, () => randomUUID());

/** What the installation holds now, by the name of the field that names it. */
export async function readPool(admin: ApiClient, shop: ShopSnapshot): Promise<Pool> {
  const { sessions } = await admin.call(contract.listSessions);
  const { stores } = await admin.call(contract.listStores);
  const { locations } = await admin.call(contract.listLocations);
  const { areas } = await admin.call(contract.listAreas);
  const { counters } = await admin.call(contract.listCounters);
  const newest = sessions.slice(0, kept);
  const perSession = await Promise.all(newest.map(({ _id, status }) => ofSession(admin, _id, status)));
  const idsOf = (things: readonly { readonly _id: string }[]) => things.slice(0, kept).map(({ _id }) => _id);
  const ids = {
    storeId: idsOf(stores),
    locationId: idsOf(locations),
    areaId: idsOf(areas),
    sessionId: idsOf(newest),
    adjustmentId: perSession.flatMap(({ adjustments }) => adjustments).slice(0, kept),
    invitationId: perSession.flatMap(({ invitations }) => invitations).slice(0, kept),
    scanId: perSession.flatMap(({ scans }) => scans).slice(0, kept),
    accountId: idsOf(counters),
    scannedById: [(await admin.call(contract.whoAmI)).user._id],
  };
  const skus = shop.variants.flatMap(({ sku }) => (sku === null ? [] : [sku])).slice(0, kept);
  const codes = shop.variants.flatMap(({ barcode }) => (barcode === null ? [] : [barcode])).slice(0, kept);
  const { mails } = await admin.call(contract.listOutboxMails);
  return new Map<string, readonly string[]>([
    ...Object.entries(ids),
    ["id", Object.values(ids).flat()],
    ...Object.entries({
      "id of stores": ids.storeId,
      "id of locations": ids.locationId,
      "id of areas": ids.areaId,
      "id of session": ids.sessionId,
      "id of scans": ids.scanId,
      "id of invitations": ids.invitationId,
      "id of counters": ids.accountId,
    }),
    ["areaCode", areas.slice(0, kept).map(({ code }) => code)],
    ["token", ["unknown", ...mails.slice(0, kept).map(({ link }) => link.split("/").at(-1) ?? "")]],
    ["shopifyLocationId", shop.locations.map(({ id }) => id)],
    ["sku", [...skus, "NO-SUCH"]],
    ["skus", [...skus, "NO-SUCH"]],
    ["alreadyMoved", skus],
    ["input", [...skus, ...codes, "NO-SUCH", "4000"]],
    ["deviceId", ["device-1", "device-2", "device-3"]],
    ["opId", operationIds],
    ["email", ["ada@fuzz.example", "grace@fuzz.example"]],
    ["username", counters.slice(0, kept).map(({ username }) => username)],
    // Never the current password of the administrator in the place of `currentPassword`: the stage signs in by it.
    ["password", [adminPassword, "counting by name", "wrong"]],
    ["currentPassword", ["wrong", "guess"]],
    ["newPassword", ["another password"]],
    ["scannedAt", ["2026-01-02T03:04:05.678Z", new Date().toISOString(), "1970-01-01T00:00:00Z"]],
    ["from", ["2026-01-02T03:04:05.678Z"]],
    ["to", [new Date().toISOString()]],
    ["cursor", ["1", "100000"]],
    ["limit", ["1", "20"]],
  ]);
}

interface OfSession {
  readonly adjustments: readonly string[];
  readonly invitations: readonly string[];
  readonly scans: readonly string[];
}

async function ofSession(
  admin: ApiClient,
  sessionId: string,
  status: contract.CountingSession["status"],
): Promise<OfSession> {
  const params = { sessionId };
  const { invitations } = await admin.call(contract.listInvitations, { params });
  const { scans } = await admin.call(contract.sessionExceptions, { params: { id: sessionId } });
  const { adjustments } =
    status === "closed" ? await admin.call(contract.listAdjustments, { params }) : { adjustments: [] };
  const idsOf = (things: readonly { readonly _id: string }[]) => things.slice(0, kept).map(({ _id }) => _id);
  return { adjustments: idsOf(adjustments), invitations: idsOf(invitations), scans: idsOf(scans) };
}
