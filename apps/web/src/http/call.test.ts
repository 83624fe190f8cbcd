import { createStore, deleteStore, listLocations, listStores } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import { location, store } from "../testing/examples.ts";
import { FakeServer } from "../testing/fake-server.ts";
import { callAllPages, callApi } from "./call.ts";
import { ApiError, describeFailure, describePrefixedFailure, NoAnswerError } from "./errors.ts";
import { onUnauthenticated } from "./unauthenticated.ts";

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}

describe("a call of the contract", () => {
  it("fills path parameters and query, and leaves out what was not given", async () => {
    const server = new FakeServer();
    const deleted = server.answer(deleteStore, { success: true });
    const listed = server.answer(listLocations, { locations: [] });
    await callApi(deleteStore, { params: { id: "a b/c" } });
    await callApi(listLocations, { query: { storeId: "store-1" } });
    await callApi(listLocations);
    expect(deleted[0]?.path).toBe("/api/stores/a%20b%2Fc");
    expect(listed.map((sent) => sent.query)).toEqual([{ storeId: "store-1" }, {}]);
  });

  it("reads a list to its end, page after page, and gives none of it where a page is missing", async () => {
    const server = new FakeServer();
    const sent = server.answer(listLocations, ({ query }) =>
      query.cursor === undefined
        ? { locations: [location({ _id: "1" })], next: "abc", total: 2 }
        : { locations: [location({ _id: "2" })], next: null, total: 2 },
    );
    const { locations, total } = await callAllPages(listLocations, { query: { storeId: "store-1" } });
    expect(locations.map(({ _id }) => _id)).toEqual(["1", "2"]);
    expect(total).toBe(2);
    expect(sent.map(({ query }) => query)).toEqual([
      { storeId: "store-1" },
      { storeId: "store-1", cursor: "abc" },
    ]);
    server.answerWith(listLocations, ({ query }) =>
      query.cursor === undefined
        ? Response.json({ locations: [], next: "abc" })
        : Response.json({ error: "Restarting.", code: "OVERLOADED" }, { status: 503 }),
    );
    expect(await thrownBy(callAllPages(listLocations))).toMatchObject({ status: 503 });
  });

  it("sends cookies and declares JSON, with a body or without", async () => {
    const fetched = vi.fn(async () => new Response(JSON.stringify({ stores: [store()] })));
    vi.stubGlobal("fetch", fetched);
    await callApi(listStores);
    expect(fetched).toHaveBeenCalledWith(
      "/api/stores",
      expect.objectContaining({
        credentials: "include",
        headers: expect.objectContaining({ "Content-Type": "application/json" }),
      }),
    );
  });

  it("a refusal is an ApiError with the server's status, code and sentence", async () => {
    new FakeServer().refuse(createStore, "SHOPIFY_LOCATION_IN_USE", "Another store uses this location.");
    const error = await thrownBy(callApi(createStore, { body: { name: "A", shopifyLocationId: "1" } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 409,
      code: "SHOPIFY_LOCATION_IN_USE",
      message: "Another store uses this location.",
    });
  });

  it("a proxy's error page is a refusal without a code, and the page falls back to its own text", async () => {
    new FakeServer().answerRaw(listStores, 502, "<html>Bad Gateway</html>");
    const error = await thrownBy(callApi(listStores));
    expect(error).toMatchObject({ status: 502, code: null });
    expect(describeFailure(error, "Failed to fetch stores").message).toBe("Failed to fetch stores");
  });

  it("no network and an answer that is not JSON both count as no answer", async () => {
    const server = new FakeServer();
    server.loseNetwork(listStores);
    expect(await thrownBy(callApi(listStores))).toBeInstanceOf(NoAnswerError);
    server.answerRaw(listStores, 200, "<html>Hotel network: please sign in</html>");
    expect(await thrownBy(callApi(listStores))).toBeInstanceOf(NoAnswerError);
  });

  it("any 401 announces that the login is over", async () => {
    const heard = vi.fn();
    const stop = onUnauthenticated(heard);
    new FakeServer().refuse(listStores, "UNAUTHENTICATED", "Sign in to continue.");
    await thrownBy(callApi(listStores));
    stop();
    expect(heard).toHaveBeenCalledOnce();
  });
});

describe("a failure as the page shows it", () => {
  it("a prefixed text is followed by the server's sentence", () => {
    const error = new ApiError(409, { error: "A deploy is running.", code: "DEPLOY_RUNNING" });
    expect(describePrefixedFailure(error, "Failed to deploy to Shopify:").message).toBe(
      "Failed to deploy to Shopify: A deploy is running.",
    );
  });

  it("without an answer it advises what to do next", () => {
    expect(describeFailure(new NoAnswerError(null), "Failed to fetch stores")).toEqual({
      message: "Failed to fetch stores",
      advice: "The server did not respond. Check the connection and try again.",
    });
  });

  it("details that say more than the sentence are shown too", () => {
    const error = new ApiError(409, {
      error: "Some codes exist already.",
      code: "DUPLICATE_AREA_CODE",
      details: [{ field: "areas.0.code", message: "A1 exists already." }],
    });
    expect(describeFailure(error, "").advice).toBe("A1 exists already.");
  });
});
