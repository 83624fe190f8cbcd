import { listCoveredAreas, readCoverage, sessionProgress } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { openPage } from "../../../testing/open-page.tsx";
import { active, openArea, sessionsServer } from "../testing/sessions-server.ts";

const requested = { pass: 2, reason: null, requestedAt: "2026-03-01T09:00:00.000Z", requestedBy: "admin" };
const areaAt = (at: number, changes: Partial<typeof openArea> = {}) => ({
  ...openArea,
  ...{ _id: `area-${at}`, code: `A${at}`, name: `Shelf ${at}`, recountNeeded: false },
  ...changes,
});
const waiting = (at: number) => ({ ...areaAt(at, { scans: 0 }), status: "not_started" as const });

async function openEndDialog() {
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
  return within(await screen.findByRole("dialog", { name: "End session?" }));
}

describe("what is unfinished when a session is to be ended", () => {
  it("names the areas whose recount is owed first, and says of each whether somebody asked for it", async () => {
    sessionsServer().answer(sessionProgress, {
      areas: [
        ...Array.from({ length: 9 }, (_, at) => areaAt(at + 1)),
        { ...waiting(10), recount: requested },
        areaAt(11, { recountNeeded: true }),
        waiting(12),
      ],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    const dialog = await openEndDialog();
    const lists = await dialog.findByRole("region", { name: "Areas not closed" });
    const lines = within(lists)
      .getAllByRole("listitem")
      .map((line) => line.textContent);
    expect(lines).toEqual([
      "Sales Floor: A11 – Shelf 11 (In Progress, Recount needed) · 12 scans by Mia",
      "Sales Floor: A10 – Shelf 10 (Not Started, Recount requested)",
      ...[1, 2, 3, 4, 5, 6].map((at) => `Sales Floor: A${at} – Shelf ${at} (In Progress) · 12 scans by Mia`),
      "and 4 more",
    ]);
    dialog.getByText("2 recounts are still to be done");
  });

  it("counts a single recount as one, and none is no line", async () => {
    const server = sessionsServer();
    const rest = { devices: [], exceptions: { unresolved: 0, late: 0 } };
    server.answer(sessionProgress, { areas: [{ ...waiting(1), recount: requested }], ...rest });
    const dialog = await openEndDialog();
    await dialog.findByText("1 recount is still to be done");
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    server.answer(sessionProgress, { areas: [waiting(1)], ...rest });
    await userEvent.click(screen.getByRole("button", { name: "End Session" }));
    const again = within(await screen.findByRole("dialog", { name: "End session?" }));
    await again.findByText("Sales Floor: A1 – Shelf 1 (Not Started)");
    expect(again.queryByText(/still to be done/)).toBeNull();
  });

  it("names every device that was not heard of lately, though no area that its counter was seen in is open", async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const closed = { ...areaAt(1), status: "closed" as const };
    const mia = { ...{ deviceId: "mia", username: "Mia", scans: 40, pending: 0 }, lastSeenAt: ago(30) };
    const ben = { ...mia, deviceId: "ben", username: "Ben", lastSeenAt: ago(1) };
    const opened = [
      { deviceId: "tom", username: "Tom", openedAt: ago(20) },
      { deviceId: "ida", username: "Ida", openedAt: ago(2) },
    ];
    const exceptions = { unresolved: 0, late: 0 };
    const server = sessionsServer();
    server.answer(sessionProgress, { areas: [closed], devices: [ben, mia], opened, exceptions });
    const dialog = await openEndDialog();
    // It is no alarm: most phones are put away with nothing on them.
    await dialog.findByText("Every area is closed, and no device has said that it holds scans.");
    expect(dialog.queryByText("Not finished yet")).toBeNull();
    const others = within(
      dialog.getByRole("region", { name: "Other devices not heard of for five minutes" }),
    );
    const lines = others.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(lines).toEqual([
      expect.stringMatching(/^Mia: last seen /),
      expect.stringMatching(/^Tom: opened an area .+, and has sent nothing$/),
    ]);
  });

  it("tells by the server's clock how long ago a device was heard of, where the browser's is wrong", async () => {
    const serverAt = Date.now() - 60 * 60_000;
    const before = (minutes: number) => new Date(serverAt - minutes * 60_000).toISOString();
    const mia = { ...{ deviceId: "mia", username: "Mia", scans: 40, pending: 0 }, lastSeenAt: before(10) };
    const ben = { ...mia, deviceId: "ben", username: "Ben", lastSeenAt: before(2) };
    const ida = { ...mia, deviceId: "ida", username: "Ida", lastSeenAt: before(-1) };
    sessionsServer().answer(sessionProgress, {
      ...{ areas: [], devices: [mia, ben, ida], exceptions: { unresolved: 0, late: 0 }, now: before(0) },
    });
    const dialog = await openEndDialog();
    const title = "Other devices not heard of for five minutes";
    const others = within(await dialog.findByRole("region", { name: title }));
    expect(others.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Mia: last seen /),
    ]);
    const heard = screen.getAllByText(/^Last signal: /).map(({ textContent }) => textContent);
    expect(heard).toEqual(["Last signal: now", "Last signal: 2 minutes ago", "Last signal: 10 minutes ago"]);
  });

  it("warns of a device in an open area that has opened it and never sent anything", async () => {
    const opened = [{ deviceId: "second", username: "Mia", openedAt: "2026-03-01T09:00:00.000Z" }];
    const exceptions = { unresolved: 0, late: 0 };
    sessionsServer().answer(sessionProgress, { areas: [areaAt(1)], devices: [], opened, exceptions });
    const dialog = await openEndDialog();
    await dialog.findByText("1 device in areas that are still open has not been heard of for five minutes");
    within(dialog.getByRole("region", { name: "Not heard of" })).getByText(/^Mia: opened an area /);
  });

  it("says that second counts are still open, and leads to them", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, {
      areas: [{ ...areaAt(1), status: "closed" as const }],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    server.answer(readCoverage, {
      open: [{ kind: "second_counts", count: 7, names: ["A1", "A2", "A3", "A4", "A5"] }],
      ...{ certificate: null, canIssue: false },
    });
    const dialog = await openEndDialog();
    await dialog.findByText(
      "7 second counts are still open: A1, A2, A3, A4, A5 and 2 more. None can be finished after the end",
    );
    expect(dialog.getByRole("link", { name: "To the Second Counts" }).getAttribute("href")).toBe(
      `/admin/sessions/${active._id}/second-counts`,
    );
    expect(dialog.queryByText(/^Every area is closed/)).toBeNull();
  });

  it("says that second counts could not be read, not that none is open", async () => {
    const server = sessionsServer();
    server.answer(sessionProgress, {
      areas: [{ ...areaAt(1), status: "closed" as const }],
      devices: [],
      exceptions: { unresolved: 0, late: 0 },
    });
    server.answerRaw(readCoverage, 500, "");
    const dialog = await openEndDialog();
    await dialog.findByText("Whether second counts are still open could not be read.");
    expect(dialog.queryByText(/^Every area is closed/)).toBeNull();
  });
});

it("ending a session tells areas that are not counted on purpose apart from those that are not closed", async () => {
  const server = sessionsServer();
  const { _id, code, name, locationName } = openArea;
  const waiting = {
    ...openArea,
    recountNeeded: false,
    scans: 0,
    usernames: [],
    status: "not_started" as const,
  };
  const areas = [openArea, { ...waiting, _id: "area-2", code: "A2", name: "Rebuilt" }];
  server.answer(sessionProgress, { areas, devices: [], exceptions: { unresolved: 0, late: 0 } });
  const all = { counted: true, cutOff: false, said: [] };
  server.answer(listCoveredAreas, {
    areas: [
      { ...all, area: { _id, code, name, locationName }, state: "not_counted" },
      {
        ...all,
        area: { _id: "area-2", code: "A2", name: "Rebuilt", locationName },
        state: "void",
        counted: false,
      },
    ],
    ...{ next: null, total: 2 },
  });
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
  await dialog.findByText("1 area has not been closed");
  const left = dialog.getByRole("region", { name: "1 area is not counted on purpose" });
  within(left).getByText("Sales Floor: A2 – Rebuilt");
  expect(within(dialog.getByRole("region", { name: "Areas not closed" })).queryByText(/A2/)).toBeNull();
});
