import {
  type CountSheet,
  endSession,
  listInvitations,
  listSessions,
  listSheets,
  sessionProgress,
  startSession,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { queryRoots } from "../../http/query-roots.ts";
import { session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { active, openArea, sessionsServer } from "./testing/sessions-server.ts";

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
    const [mia, tom] = within(card.getByRole("list", { name: "Who is counting where" })).getAllByRole(
      "listitem",
    );
    expect(mia?.textContent).toMatch(/^MiaA1 – WindowLast signal: .+3 not sent$/);
    expect(tom?.textContent).toMatch(/^TomBetween areasLast signal: .+$/);
    const link = card.getByRole("link", { name: "2 scans need a decision" });
    expect(link.getAttribute("href")).toBe(`/admin/sessions/${active._id}/exceptions`);
  });

  it("shows who is in an area or has joined and has counted nothing yet, with what is known of them", async () => {
    const joined = { email: "", token: "t", createdAt: "2026-03-01T08:00:00.000Z" };
    const server = sessionsServer();
    server.answer(listInvitations, {
      invitations: [
        { ...joined, _id: "i1", counterName: "Ana", usedAt: "2026-03-01T08:05:00.000Z" },
        { ...joined, _id: "i2", counterName: "Bo", usedAt: "2026-03-01T08:05:00.000Z" },
        { ...joined, _id: "i3", counterName: "Cleo", usedAt: null },
      ],
    });
    server.answer(sessionProgress, {
      areas: [{ ...openArea, usernames: [], assignedTo: ["Ana", "Mia"] }],
      devices: [
        { deviceId: "d1", username: "Ana", lastSeenAt: "2026-03-01T09:00:00.000Z", scans: 0, pending: 0 },
        { deviceId: "d2", username: "Dan", lastSeenAt: "2026-03-01T08:00:00.000Z", scans: 0, pending: 0 },
      ],
      exceptions: { unresolved: 0, late: 0 },
    });
    openPage("/admin/sessions");
    const card = within(await screen.findByRole("article", { name: "Harbour Street" }));
    await card.findByText("Bo");
    const people = within(card.getByRole("list", { name: "Who is counting where" })).getAllByRole("listitem");
    expect(people.map((person) => person.textContent?.replace(/Last signal: .*/, ""))).toEqual([
      "AnaA1 assigned, nothing counted yet",
      "DanNothing counted yet",
      "BoJoined, nothing counted yet",
    ]);
    card.getByText("3 (2 joined, 3 by the session code)");
  });

  it("shows everybody who counts, however many they are", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Counter ${at + 1}`);
    const seen = { lastSeenAt: "2026-03-01T09:00:00.000Z", scans: 1, pending: 0 };
    sessionsServer().answer(sessionProgress, {
      areas: [openArea],
      devices: names.map((username) => ({ ...seen, username, deviceId: username })),
      exceptions: { unresolved: 0, late: 0 },
    });
    openPage("/admin/sessions");
    const people = within(await screen.findByRole("list", { name: "Who is counting where" }));
    expect(people.getAllByRole("listitem")).toHaveLength(names.length);
    expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
  });

  it("says since when Shopify's stock could not be read, and that counting goes on", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, {
      ...{ areas: [], devices: [], exceptions: { unresolved: 0, late: 0 } },
      stockUnreadSince: "2026-03-01T09:00:00.000Z",
    });
    openPage("/admin/sessions");
    const title = await screen.findByText(/^Shopify's stock could not be read since /);
    expect(title.parentElement?.textContent).toContain("Counting goes on and no scan is lost.");
  });

  it("lists every area and every device on demand", async () => {
    sessionsServer();
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "Show 1 Area and Devices" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Count in Harbour Street" }));
    within(dialog.getByRole("table", { name: "Areas" })).getByText("Sales Floor: A1 – Window");
    expect(within(dialog.getByRole("table", { name: "Devices" })).getAllByRole("row")).toHaveLength(3);
  });

  it("ending it first shows what is unfinished: open areas, devices that hold scans, open decisions [spec:8.confirmation.6]", async () => {
    const sent = sessionsServer().answer(endSession, { session: session() });
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    const unfinished = await dialog.findByText("1 area has not been closed");
    // What is open comes before the question, and the question before the lists.
    const question = dialog.getByText(/finalizes the counts and deactivates its invitations/);
    const lists = dialog.getByRole("region", { name: "Areas not closed" });
    expect(unfinished.compareDocumentPosition(question)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(question.compareDocumentPosition(lists)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    dialog.getByText(/Sales Floor: A1 – Window \(In Progress, Recount needed\) · 12 scans by Mia/);
    dialog.getByText("1 device still has unsent scans");
    dialog.getByText(/Mia: 3 not sent/);
    expect(dialog.getAllByText(/Tom/)).toHaveLength(1);
    dialog.getByRole("region", { name: "Other devices not heard of for five minutes" });
    dialog.getByText("2 scans need a decision: now, while the items are at hand, or later in the report");
    expect(dialog.getByRole("link", { name: "Decide Now" }).getAttribute("href")).toBe(
      `/admin/sessions/${active._id}/exceptions`,
    );
    dialog.getByText(/finalizes the counts and deactivates its invitations/);
    dialog.getByText("Scans in areas that are still open are counted too.");
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "End Session" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ sessionId: active._id }));
    await screen.findByText(/has ended/);
  });

  it("ending it names devices that have been silent in an area that is still open", async () => {
    const server = sessionsServer();
    const area = { ...openArea, usernames: ["Mia", "Tom"] };
    const heard = (username: string, minutesAgo: number) => ({
      ...{ deviceId: `of ${username}`, username, scans: 1, pending: 0 },
      lastSeenAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    });
    const devices = [heard("Mia", 6), heard("Tom", 4), heard("Ida", 60)];
    server.answer(sessionProgress, { areas: [area], devices, exceptions: { unresolved: 0, late: 0 } });
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    await dialog.findByText("1 device in areas that are still open has not been heard of for five minutes");
    const silent = within(dialog.getByRole("region", { name: "Not heard of" }));
    silent.getByText(/^Mia: last seen /);
    silent.getByText("Scans made without a network since then are still on the device.");
    const others = within(
      dialog.getByRole("region", { name: "Other devices not heard of for five minutes" }),
    );
    others.getByText(/^Ida: last seen /);
    expect(dialog.queryByText(/Tom: last seen/)).toBeNull();
  });

  const closed = { ...openArea, status: "closed" as const, recountNeeded: false };
  const sheet = (number: number, state: CountSheet["state"]): CountSheet => ({
    ...{ number, state, area: closed, order: "walk", products: 0, blankLines: 22 },
    ...{ printedAt: "2026-03-02T10:15:00.000Z", printedBy: null, returnedAt: null, returnedBy: null },
    ...{ countedBy: null, keyed: null, voidedAt: null, voidedBy: null, voidReason: null },
  });

  it("ending it names the count sheets that are still out", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, { areas: [closed], devices: [], exceptions: { unresolved: 0, late: 0 } });
    server.answer(listSheets, {
      sheets: [sheet(1, "void"), sheet(2, "out"), sheet(3, "returned"), sheet(4, "out")],
    });
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    await dialog.findByText(
      "2 count sheets are still out: 2, 4. Nothing on paper can be keyed after the end",
    );
    expect(dialog.getByRole("link", { name: "Key or Declare Void" }).getAttribute("href")).toBe(
      `/admin/sessions/${active._id}/sheets`,
    );
    expect(dialog.queryByText(/^Every area is closed/)).toBeNull();
    expect(dialog.getByRole("button", { name: "End Session" })).toHaveProperty("disabled", false);
  });

  it("ending it names the count sheets that were keyed and not stored whole", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, { areas: [closed], devices: [], exceptions: { unresolved: 0, late: 0 } });
    const keyed = { rows: 2, units: 7, declaredTotal: null };
    server.answer(listSheets, {
      sheets: [
        { ...sheet(1, "returned"), keyed: { ...keyed, isStored: true } },
        { ...sheet(2, "returned"), keyed: { ...keyed, isStored: false } },
      ],
    });
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    await dialog.findByText(
      "1 count sheet was keyed and not stored whole: 2. The rest is not counted, and can't be stored after the end",
    );
    expect(dialog.getByRole("link", { name: "Store the Rest" }).getAttribute("href")).toBe(
      `/admin/sessions/${active._id}/sheets`,
    );
    expect(dialog.queryByText(/^Every area is closed|still out/)).toBeNull();
  });

  it("ending it says that the count sheets could not be read, not that none is out", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, { areas: [closed], devices: [], exceptions: { unresolved: 0, late: 0 } });
    server.refuse(listSheets, "INTERNAL", "The count sheets of the session could not be read.");
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    await dialog.findByText("The count sheets of the session could not be read.");
    expect(dialog.queryByText(/^Every area is closed/)).toBeNull();
  });

  it("a store without areas is not reported as ready to end", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, { areas: [], devices: [], exceptions: { unresolved: 0, late: 0 } });
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
    await dialog.findByText("This store has no areas, so nobody has confirmed that everything was counted");
    expect(dialog.queryByText(/Every area is closed/)).toBeNull();
  });

  it("reports that it has ended although a live event removes its card before the answer comes", async () => {
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
    const told = await screen.findByText("The session in Harbour Street has ended. Its report is ready.");
    // The button that had the focus is gone with the card.
    const region = screen.getAllByRole("status").find((each) => each.contains(told));
    await waitFor(() => expect(document.activeElement).toBe(region));
    const report = screen.getByRole("link", { name: "View Report" });
    expect(report.getAttribute("href")).toBe(`/admin/reports?session=${session()._id}`);
  });

  it("reports that it has started although a live event adds its card before the answer comes", async () => {
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
    const running = screen.getByRole("region", { name: "Active Sessions" });
    const heading = within(running).getByRole("heading", { name: "Old Mill" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
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
