import {
  type Adjustment,
  endSession,
  listAdjustments,
  listInvitations,
  listOperations,
  listSessions,
  listStores,
  type Operation,
  readOperation,
  restorePass,
  sessionPasses,
  sessionProgress,
  startSession,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { queryRoots } from "../../http/shared-queries.ts";
import { admin, area, session, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { storesToStart } from "./sessions-page.tsx";
import { rollableSessions } from "./use-standing-deploys.ts";

const active = session({ status: "active", endedAt: null });

function operation(changes: Partial<Operation> = {}): Operation {
  return {
    _id: "operation-1",
    kind: "start",
    status: "running",
    done: 40,
    of: 100,
    storeId: "store-2",
    sessionId: null,
    error: null,
    ...changes,
  };
}

const deployed: Adjustment = {
  _id: "adjustment-1",
  appliedAt: "2026-03-02T08:00:00.000Z",
  totalAdjustments: 2,
  status: "applied",
  rolledBackAt: null,
  appliedBy: { username: "admin" },
  rollingBack: false,
  note: null,
  progress: null,
  resumable: 0,
};

function sessionsServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store(), store({ _id: "store-2", name: "Old Mill" })] });
  server.answer(listSessions, { sessions: [active, session({ _id: "closed-1" })] });
  server.answer(listInvitations, { invitations: [] });
  server.answer(sessionProgress, {
    areas: [
      {
        _id: "area-1",
        code: "A1",
        name: "Window",
        locationId: "location-1",
        locationName: "Sales Floor",
        status: "in_progress",
        pass: 1,
        scans: 12,
        usernames: ["Mia"],
        lastScanAt: null,
        recountNeeded: true,
      },
    ],
    devices: [
      { deviceId: "d1", username: "Mia", lastSeenAt: "2026-03-01T09:00:00.000Z", scans: 12, pending: 3 },
      { deviceId: "d2", username: "Tom", lastSeenAt: "2026-03-01T09:00:00.000Z", scans: 9, pending: 0 },
    ],
    exceptions: { unresolved: 1, late: 1 },
  });
  return server;
}

async function openStart(name = "Old Mill") {
  openPage("/admin/sessions");
  const section = within(await screen.findByRole("region", { name: "Start New Session" }));
  return within(await section.findByRole("article", { name }));
}

describe("starting a session", () => {
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

  it("a full count says what becomes of what nobody counts, where it is chosen and when it is asked about", async () => {
    sessionsServer();
    const card = await openStart();
    const uncounted = /What nobody counts shows as a shortage; a deploy sets it to zero only where/;
    card.getByText(uncounted);
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    dialog.getByText(uncounted);
    expect(dialog.queryByText(/rolled back/)).toBeNull();
  });

  it.each([
    ["Full count", /^The report deployed on Mar 2, 2026.* After this count it no longer can\.$/],
    ["Partial count", /^The report deployed on Mar 2, 2026.* If this count includes any of its products/],
  ])("a %s says which deploy it makes impossible to roll back", async (scope, sentence) => {
    const server = sessionsServer();
    const storeId = { _id: "store-2", name: "Old Mill" };
    server.answer(listSessions, { sessions: [active, session({ _id: "closed-2", storeId })] });
    const asked = server.answer(listAdjustments, { adjustments: [deployed] });
    const card = await openStart();
    await userEvent.click(card.getByRole("radio", { name: scope }));
    expect(asked).toEqual([]);
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    await dialog.findByText(sentence);
    expect(asked[0]?.path).toBe("/api/report/adjustments/closed-2");
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
    await screen.findByText("Counting has started in Old Mill.", {}, { timeout: 5_000 });
  });

  it("a long start that fails says why", async () => {
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

describe("long work that another page has begun, or this one before a reload", () => {
  it("on a store's start is followed on its card, until the session is listed", async () => {
    const server = sessionsServer();
    server.answer(listOperations, { operations: [operation()] });
    server.answer(readOperation, { operation: operation() });
    const card = await openStart();
    await card.findByText(/Starting Session... 40 of 100/);
    expect(card.getByRole("button", { name: "Starting Session..." })).toHaveProperty("disabled", true);
    const started = session({
      _id: "session-9",
      storeId: { _id: "store-2", name: "Old Mill" },
      status: "active",
      endedAt: null,
    });
    server.answer(listOperations, { operations: [] });
    server.answer(listSessions, { sessions: [started, active] });
    server.answer(readOperation, { operation: operation({ status: "done", sessionId: "session-9" }) });
    const section = within(screen.getByRole("region", { name: "Active Sessions" }));
    await section.findByRole("article", { name: "Old Mill" });
  });

  it("that fails says why on the card, and can be begun again", async () => {
    const server = sessionsServer();
    server.answer(listOperations, { operations: [operation()] });
    server.answer(readOperation, { operation: operation() });
    const card = await openStart();
    await card.findByText(/40 of 100/);
    const error = { error: "Shopify does not answer.", code: "PLATFORM_UNAVAILABLE" } as const;
    server.answer(listOperations, { operations: [] });
    server.answer(readOperation, { operation: operation({ status: "failed", error }) });
    await card.findByText("Shopify does not answer.");
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    await screen.findByRole("dialog", { name: "Start session?" });
    expect(screen.queryByText("Shopify does not answer.")).toBeNull();
  });

  it("on a session's end is followed on its card, which offers nothing else meanwhile", async () => {
    const server = sessionsServer();
    const end = operation({ kind: "end", storeId: "store-1", sessionId: active._id, done: 0, of: null });
    server.answer(listOperations, { operations: [end] });
    server.answer(readOperation, { operation: end });
    openPage("/admin/sessions");
    const card = within(await screen.findByRole("article", { name: "Harbour Street" }));
    await card.findByText("The work goes on when you leave this page.");
    for (const name of ["Invite Counters", "Ending Session...", "Earlier Counts"]) {
      expect(card.getByRole("button", { name })).toHaveProperty("disabled", true);
    }
  });
});

describe("an active session", () => {
  it("shows the last 8 characters of its id and its invitations [spec:2.sessions.1][spec:9.10][spec:9.11]", async () => {
    sessionsServer();
    openPage("/admin/sessions");
    const section = within(await screen.findByRole("region", { name: "Active Sessions" }));
    const card = within(await section.findByRole("article", { name: "Harbour Street" }));
    card.getByText("abcdefgh");
    card.getByText(/minutes$/);
    card.getByRole("button", { name: "Invite Counters" });
  });

  it("shows live how many areas are in which state, the scans so far, who counts where and who holds scans", async () => {
    sessionsServer();
    openPage("/admin/sessions");
    const card = within(await screen.findByRole("article", { name: "Harbour Street" }));
    const areas = within(await card.findByRole("list", { name: "Areas" }));
    const states = areas.getAllByRole("listitem").map((item) => item.textContent);
    expect(states).toEqual(["Completed 0", "In Progress 1", "Not Started 0"]);
    expect(card.getByText("scans so far").textContent).toBe("12 scans so far");
    const [mia, tom] = within(card.getByRole("list", { name: "Who counts where" })).getAllByRole("listitem");
    expect(mia?.textContent).toMatch(/^MiaA1 – WindowSeen .+3 scans not sent$/);
    expect(tom?.textContent).toMatch(/^TomIn no area at the momentSeen .+$/);
    card.getByText("2 scans need a decision");
  });

  it("lists every area and every device on demand", async () => {
    sessionsServer();
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "Show 1 Area and Devices" }));
    const dialog = within(await screen.findByRole("dialog", { name: "The Count in Harbour Street" }));
    within(dialog.getByRole("table", { name: "Areas" })).getByText("Sales Floor: A1 – Window");
    expect(within(dialog.getByRole("table", { name: "Devices" })).getAllByRole("row")).toHaveLength(3);
  });

  it("ending it first says what is left behind: open areas, devices that hold scans, open decisions [spec:8.confirmation.6]", async () => {
    const sent = sessionsServer().answer(endSession, { session: session() });
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    await dialog.findByText("1 area has not been closed");
    dialog.getByText(/Sales Floor: A1 – Window \(In Progress, Recount needed\) · 12 scans by Mia/);
    dialog.getByText("1 device still holds scans");
    dialog.getByText(/Mia: 3 scans not sent/);
    expect(dialog.queryByText(/Tom/)).toBeNull();
    dialog.getByText("2 scans wait for a decision");
    dialog.getByText(/finalizes the counts and deactivates its invitations/);
    dialog.getByText("Scans in areas that are still open count too.");
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "End Session" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ sessionId: active._id }));
    await screen.findByText(/has ended/);
  });

  it("says that it has ended although a live event takes its card away before the answer comes", async () => {
    const server = sessionsServer();
    const end = server.answerLater(endSession, { session: session() });
    const { client } = openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    await dialog.findByText("1 area has not been closed");
    await userEvent.click(dialog.getByRole("button", { name: "End Session" }));
    server.answer(listSessions, { sessions: [session()] });
    await client.invalidateQueries({ queryKey: [queryRoots.sessions] });
    await screen.findByText("No Active Sessions");
    end.release();
    await screen.findByText("The session in Harbour Street has ended. Its report is ready.");
  });

  it("says that it has started although a live event brings its card before the answer comes", async () => {
    const server = sessionsServer();
    const start = server.answerLater(startSession, { session: active });
    const { client } = openPage("/admin/sessions");
    const section = within(await screen.findByRole("region", { name: "Start New Session" }));
    const card = within(await section.findByRole("article", { name: "Old Mill" }));
    await userEvent.click(card.getByRole("button", { name: "Start Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Start session?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
    const storeId = { _id: "store-2", name: "Old Mill" };
    server.answer(listSessions, { sessions: [active, { ...active, _id: "session-2", storeId }] });
    await client.invalidateQueries({ queryKey: [queryRoots.sessions] });
    await section.findByText("Nothing to Start");
    start.release();
    await screen.findByText("Counting has started in Old Mill.");
  });

  it("a refused end keeps the question open with the server's sentence", async () => {
    sessionsServer().refuse(
      endSession,
      "PLATFORM_UNAVAILABLE",
      "Shopify does not answer; it is still active.",
    );
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    await dialog.findByText("1 area has not been closed");
    await userEvent.click(dialog.getByRole("button", { name: "End Session" }));
    await dialog.findByText("Shopify does not answer; it is still active.");
  });
});

describe("earlier counts", () => {
  it("lists voided counts that hold scans and brings one back after a question", async () => {
    const server = sessionsServer();
    const ended = { declaredTotal: null, serverTotal: null, endedAt: "2026-03-01T09:00:00.000Z" };
    server.answer(sessionPasses, {
      passes: [
        { ...ended, areaId: "area-1", pass: 1, scans: 0, endedAs: "reset" },
        { ...ended, areaId: "area-1", pass: 2, scans: 40, endedAs: "mismatched" },
        { ...ended, areaId: "area-1", pass: 3, scans: 12, endedAs: null, endedAt: null },
      ],
    });
    const sent = server.answer(restorePass, { area: area({ status: "in_progress" }) });
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "Earlier Counts" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Earlier Counts of Harbour Street" }));
    await dialog.findByText("Count mismatch");
    expect(dialog.getAllByRole("button", { name: /Bring Back/ })).toHaveLength(1);
    await userEvent.click(dialog.getByRole("button", { name: /Bring Back/ }));
    const question = within(await screen.findByRole("dialog", { name: "Bring back this count?" }));
    await userEvent.click(question.getByRole("button", { name: "Bring Back" }));
    await screen.findByText("The earlier count of Sales Floor: A1 – Window is back.");
    expect(sent[0]?.body).toEqual({ areaId: "area-1", pass: 2 });
  });
});

describe("recent sessions", () => {
  it("are called active while they count and closed once they have ended [spec:4.3]", async () => {
    sessionsServer();
    openPage("/admin/sessions");
    const table = within(await screen.findByRole("table", { name: "Recent Sessions" }));
    const states = table
      .getAllByRole("row")
      .slice(1)
      .map((row) => within(row).getAllByRole("cell")[1]?.textContent);
    expect(states).toEqual(["Active", "Closed"]);
  });

  it("only a closed one leads to its report [spec:2.sessions.4]", async () => {
    sessionsServer();
    openPage("/admin/sessions");
    const table = within(await screen.findByRole("table", { name: "Recent Sessions" }));
    const links = table.getAllByRole("link", { name: /View Report/ });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/admin/reports?session=closed-1"]);
  });
});
