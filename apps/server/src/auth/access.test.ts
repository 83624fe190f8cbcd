import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { areaRoutes } from "../areas/routes.ts";
import { invitationRoutes } from "../invitations/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { storeRoutes } from "../stores/routes.ts";
import { begin, join, makePermanentCounter, makeStore } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { userRoutes } from "../users/routes.ts";
import { authRoutes } from "./routes.ts";

const noId = "11111111-1111-4111-8111-111111111111";

/** Who may make which call, from the contract's tables, not from the code that is tested. */
const allowed = {
  anyone: [
    contract.adminLogin,
    contract.counterLogin,
    contract.logout,
    contract.readInvitation,
    contract.acceptInvitation,
  ],
  everyoneSignedIn: [
    contract.whoAmI,
    contract.listStores,
    contract.listLocations,
    contract.listAreas,
    contract.listAreasOfLocation,
  ],
  theAdministrator: [
    contract.changeAdminPassword,
    contract.listCounters,
    contract.createCounter,
    contract.updateCounter,
    contract.deleteCounter,
    contract.createStore,
    contract.updateStore,
    contract.deleteStore,
    contract.listShopifyLocations,
    contract.createLocation,
    contract.updateLocation,
    contract.deleteLocation,
    contract.createAreas,
    contract.deleteArea,
    contract.reopenArea,
    contract.listInvitations,
    contract.createInvitation,
    contract.revokeInvitation,
    contract.listOutboxMails,
  ],
} satisfies Record<string, contract.CallDefinition[]>;

const named = (calls: readonly contract.CallDefinition[]) =>
  calls.map((call) => [`${call.method} ${call.path}`, call] as const);

let server: TestServer;
let visitors: Record<"stranger" | "temporary counter" | "permanent counter" | "administrator", TestApi>;

beforeAll(async () => {
  server = await startTestServer({
    slices: [authRoutes, userRoutes, storeRoutes, areaRoutes, invitationRoutes, sessionRoutes],
  });
  const session = await begin(server, await makeStore(server));
  visitors = {
    stranger: server.stranger,
    "temporary counter": (await join(server, session)).api,
    "permanent counter": (await makePermanentCounter(server)).api,
    administrator: server.admin,
  };
});
afterAll(() => server.close());

/** Makes the call with ids that name nothing and without a body: enough to be let through or not. */
async function attempt(visitor: keyof typeof visitors, { method, path }: contract.CallDefinition) {
  const { status, body } = await visitors[visitor].request(method, path.replaceAll(/:\w+/g, noId));
  const code = contract.ErrorBody.safeParse(body).data?.code ?? null;
  return { status, code };
}

const refusedForWho = ["UNAUTHENTICATED", "FORBIDDEN"];

describe.each(named(allowed.theAdministrator))("%s", (_name, call) => {
  test("is for the administrator alone", async () => {
    expect(await attempt("stranger", call)).toEqual({ status: 401, code: "UNAUTHENTICATED" });
    expect(await attempt("temporary counter", call)).toEqual({ status: 403, code: "FORBIDDEN" });
    expect(await attempt("permanent counter", call)).toEqual({ status: 403, code: "FORBIDDEN" });
    expect(refusedForWho).not.toContain((await attempt("administrator", call)).code);
  });
});

describe.each(named(allowed.everyoneSignedIn))("%s", (_name, call) => {
  test("is for everyone who is signed in", async () => {
    expect(await attempt("stranger", call)).toEqual({ status: 401, code: "UNAUTHENTICATED" });
    for (const visitor of ["temporary counter", "permanent counter", "administrator"] as const) {
      expect(refusedForWho).not.toContain((await attempt(visitor, call)).code);
    }
  });
});

describe.each(named(allowed.anyone))("%s", (_name, call) => {
  test("is for strangers too", async () => {
    expect(refusedForWho).not.toContain((await attempt("stranger", call)).code);
  });
});

test("a page of another site can't use a visitor's login", async () => {
  const headers = { origin: "https://evil.example.com" };
  for (const call of [contract.logout, contract.acceptInvitation, contract.createStore]) {
    const answer = await server.admin.request(call.method, call.path.replaceAll(/:\w+/g, noId), { headers });
    expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  }
});

test("every call of these slices stands in one of the lists", () => {
  const listed = Object.values(allowed)
    .flat()
    .map(({ method, path }) => `${method} ${path}`);
  const served = contract.allCalls
    .filter(({ path }) => /^\/api\/(auth|stores|locations|areas|invitations|mail)(\/|$)/.test(path))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => call !== "POST /api/areas/restore");
  expect(listed.toSorted()).toEqual(served.toSorted());
});
