import {
  listAdjustments,
  listAreas,
  listLocations,
  listSessions,
  listStores,
  readOperation,
  startSession,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { adjustment, area, location, session, store } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { storesToStart } from "./sessions-page.tsx";
import { rollableSessions } from "./start-dialog.tsx";
import { active, openStart, operation, sessionsServer } from "./testing/sessions-server.ts";

describe("starting a session", () => {
  it("without a store leads to where stores are added", async () => {
    sessionsServer().answer(listStores, { stores: [] });
    openPage("/admin/sessions");
    const link = await screen.findByRole("link", { name: "Go to Stores" });
    expect(link.getAttribute("href")).toBe("/admin/stores");
  });

  it("is offered for active stores that have none [spec:2.sessions.2][spec:2.sessions.3]", () => {
    const closed = store({ _id: "store-3", isActive: false });
    const offered = storesToStart([store(), store({ _id: "store-2" }), closed], [active]);
    expect(offered.map((one) => one._id)).toEqual(["store-2"]);
  });

  it("asks first, naming the snapshot, and sends the chosen scope [spec:8.confirmation.5]", async () => {
    const sent = sessionsServer().answer(startSession, { session: active });
    const card = await openStart();
    await userEvent.click(card.getByRole("radio", { name: "Partial count" }));
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    dialog.getByText(/takes a snapshot/);
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
    await screen.findByText("Counting has started in Old Mill.");
    expect(sent[0]?.body).toEqual({ storeId: "store-2", scope: "partial" });
  });

  it.each([
    ["no locations", []],
    ["locations without areas", [location({ _id: "empty", storeId: { _id: "store-2", name: "Old Mill" } })]],
  ])("in a store with %s says so first, and starts it all the same", async (_, locations) => {
    const server = sessionsServer();
    server.answer(listLocations, { locations: [location(), ...locations] });
    server.answer(listAreas, { areas: [area()] });
    const sent = server.answer(startSession, { session: active });
    const card = await openStart();
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    await dialog.findByText(/^This store has no areas yet,/);
    const link = dialog.getByRole("link", { name: "Add Areas" });
    expect(link.getAttribute("href")).toBe("/admin/locations?store=store-2");
    await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
    await screen.findByText("Counting has started in Old Mill.");
    expect(sent).toHaveLength(1);
  });

  it("in a store with areas says nothing of them", async () => {
    const server = sessionsServer();
    const areas = [area({ locationId: "location-2" })];
    const read = server.answer(listAreas, { areas });
    const card = await openStart();
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    await waitFor(() => expect(read).toHaveLength(1));
    dialog.getByText(/takes a snapshot/);
    expect(dialog.queryByText(/no areas/)).toBeNull();
  });

  it("a full count explains what happens to uncounted products, in the choice and in the question", async () => {
    sessionsServer();
    const card = await openStart();
    const uncounted = /What nobody counts shows as a shortage. A deploy sets it to zero only if/;
    card.getByText(uncounted);
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    dialog.getByText(uncounted);
    expect(dialog.queryByText(/rolled back/)).toBeNull();
  });

  it.each([
    ["Full count", /^The report deployed on Mar 2, 2026.* After this count it can't\.$/],
    ["Partial count", /^The report deployed on Mar 2, 2026.* If this count includes any of its products/],
  ])("a %s names the deploy that it makes impossible to roll back", async (scope, sentence) => {
    const server = sessionsServer();
    const storeId = { _id: "store-2", name: "Old Mill" };
    server.answer(listSessions, { sessions: [active, session({ _id: "closed-2", storeId })] });
    const asked = server.answer(listAdjustments, { adjustments: [adjustment()] });
    const card = await openStart();
    await userEvent.click(card.getByRole("radio", { name: scope }));
    expect(asked).toEqual([]);
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    await dialog.findByText(sentence);
    expect(asked[0]?.path).toBe("/api/report/adjustments/closed-2");
  });

  it.each([
    ["Full count", /^The report of .* has not been deployed\..* this count replaces it\.$/],
    [
      "Partial count",
      /^The report of .* has not been deployed\..* no longer includes the products of this count\.$/,
    ],
  ])("a %s names the report that has to be deployed before it ends", async (scope, sentence) => {
    const server = sessionsServer();
    const storeId = { _id: "store-2", name: "Old Mill" };
    server.answer(listSessions, { sessions: [active, session({ _id: "closed-2", storeId })] });
    server.answer(listAdjustments, {
      adjustments: [adjustment({ rolledBackAt: "2026-03-02T09:00:00.000Z" })],
    });
    const card = await openStart();
    await userEvent.click(card.getByRole("radio", { name: scope }));
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    await dialog.findByText(sentence);
    expect(dialog.queryByText(/rolled back/)).toBeNull();
  });

  it("only deploys since the newest full count can still be rolled back", () => {
    const closed = (id: string, scope: "full" | "partial", store = "store-1") =>
      session({ _id: id, scope, storeId: { _id: store, name: store } });
    const sessions = [
      active,
      closed("a", "partial"),
      closed("b", "full", "store-2"),
      closed("c", "full"),
      closed("d", "partial"),
    ];
    expect(rollableSessions(sessions, "store-1").map(({ _id }) => _id)).toEqual(["a", "c"]);
  });

  it("a long start is followed on the card until it is done", async () => {
    const server = sessionsServer();
    server.answer(startSession, { operation: operation() }, 202);
    server.answer(readOperation, { operation: operation() });
    const card = await openStart();
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
    await card.findByText(/40 of 100/);
    expect(screen.queryByRole("dialog")).toBeNull();
    server.answer(readOperation, { operation: operation({ status: "done" }) });
    await screen.findByText("Counting has started in Old Mill.");
  });

  it("a long start that fails shows why", async () => {
    const server = sessionsServer();
    server.answer(startSession, { operation: operation() }, 202);
    const error = { error: "Shopify does not answer.", code: "PLATFORM_UNAVAILABLE" } as const;
    server.answer(readOperation, { operation: operation({ status: "failed", error }) });
    const card = await openStart();
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
    await card.findByText("Shopify does not answer.");
  });
});
