import {
  type Area,
  createSearches,
  decideSearch,
  limits,
  listAreas,
  listLocations,
  listNeverCounted,
  listSearches,
  listSessions,
  type NeverCountedRow,
  neverCountedGroups,
  readAssignments,
  readSearch,
  type SearchedItem,
  type SearchList,
  withdrawSearch,
} from "@stocktake/contract";
import { area, location } from "@stocktake/contract/examples";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, session } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { pressOnceEnabled } from "../../testing/press.ts";

const active = session({ status: "active", endedAt: null });

function row(changes: Partial<NeverCountedRow> = {}): NeverCountedRow {
  return {
    ...{ sku: "LIN-S", productTitle: "Linen Shirt", size: "S", vendor: "Tern", productType: "Shirts" },
    ...{ onHand: 7, worth: 86.8, search: null },
    ...changes,
  };
}

function list(changes: Partial<SearchList> = {}): SearchList {
  return {
    ...{ number: 2, area: null, assignedTo: "Mia", items: 14, createdBy: "admin", withdrawnBy: null },
    ...{ counted: 3, found: 1, notThere: 5, contradicted: 1, open: 4, withdrawnAt: null },
    createdAt: "2026-03-01T09:00:00.000Z",
    ...changes,
  };
}

const answeredAt = "2026-03-01T10:00:00.000Z";

function item(changes: Partial<SearchedItem> = {}): SearchedItem {
  return {
    ...{ sku: "LIN-S", productTitle: "Linen Shirt", size: "S", counted: false, state: "contradicted" },
    answers: [
      { username: "Ben", answer: "found", answeredAt, deviceId: "device-abc123", list: 2 },
      { username: "Mia", answer: "not_there", answeredAt, deviceId: "device-def456", list: 2 },
    ],
    ...{ decision: null, lateScanWaits: false, movedSince: false },
    ...changes,
  };
}

const asked: Record<string, string>[] = [];

function serve(rows: readonly NeverCountedRow[], lists: readonly SearchList[] = []): FakeServer {
  asked.length = 0;
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [active] });
  server.answer(listAreas, { areas: [area({ _id: "area-2", code: "A2", name: "Window" })] });
  server.answer(listLocations, { locations: [location()] });
  server.answer(readAssignments, {
    enforced: false,
    people: [{ _id: "invitation-1", kind: "invitation", name: "Mia", email: "mia@example.com", areaIds: [] }],
  });
  server.answer(neverCountedGroups, {
    ...{ items: 16, unlisted: 14, notThere: 1, contradicted: 1 },
    vendors: [{ name: "Tern", items: 16, unlisted: 14 }],
    productTypes: [{ name: "Shirts", items: 16, unlisted: 14 }],
  });
  server.answer(listNeverCounted, ({ query }) => {
    asked.push({ ...query });
    return { rows: [...rows], currency: "USD", units: 7, next: null, total: 14 };
  });
  server.answer(listSearches, { lists: [...lists] });
  openPage(`/admin/sessions/${active._id}/searches`);
  return server;
}

it("shows what nobody was asked to look for, and how far the rest is", async () => {
  serve([row()]);
  await screen.findByText("16 SKUs Never Counted");
  screen.getByText("Nobody was asked to look for 14 SKUs of them. 1 SKU was looked for and is not there.");
  screen.getByText(
    /^1 SKU is contradicted: people say different things, stock changed after somebody had looked, somebody scanned it in a second count or in one that was voided, or a scan waits/,
  );
  await waitFor(() => expect(asked[0]).toEqual({ state: "unlisted", limit: "50" }));
  await userEvent.selectOptions(screen.getByLabelText("Brand"), "Tern");
  await userEvent.selectOptions(screen.getByLabelText("Search"), "not_there");
  await waitFor(() => expect(asked.at(-1)).toEqual({ state: "not_there", vendor: "Tern", limit: "50" }));
});

it("makes lists of all that fit, for a person and an area, of so many products each", async () => {
  const server = serve([row()]);
  const sent = server.answer(createSearches, { lists: [list()], leftOut: 0, remaining: 3 });
  await userEvent.selectOptions(await screen.findByLabelText("Brand"), "Tern");
  await pressOnceEnabled(await screen.findByRole("button", { name: "Make Lists of All 14 SKUs" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Search lists of 14 SKUs" }));
  const size = dialog.getByLabelText("Products per list");
  await userEvent.clear(size);
  await userEvent.type(size, "5");
  dialog.getByText(/That makes 3 lists/);
  await dialog.findByRole("option", { name: /^Mia/ });
  await userEvent.selectOptions(dialog.getByLabelText("Who looks"), "invitation-1");
  await dialog.findByRole("option", { name: /A2/ });
  await userEvent.selectOptions(dialog.getByLabelText("Where to look"), "area-2");
  await userEvent.click(dialog.getByRole("button", { name: "Make the Lists" }));
  await screen.findByText(/1 search list was made\. 3 SKUs are still on no list/);
  expect(sent.map(({ body }) => body)).toEqual([
    { every: { vendor: "Tern" }, itemsPerList: 5, areaId: "area-2", personId: "invitation-1" },
  ]);
});

it("says in its field that a list can't have so many products, and makes none", async () => {
  serve([row()]);
  await pressOnceEnabled(await screen.findByRole("button", { name: "Make Lists of All 14 SKUs" }));
  const dialog = within(await screen.findByRole("dialog"));
  const size = dialog.getByLabelText("Products per list");
  for (const wrong of ["{Backspace}", "0", String(limits.searchItems + 1), "1.5"]) {
    await userEvent.clear(size);
    await userEvent.type(size, wrong);
    dialog.getByText(/^Enter a whole number from 1 to /);
    expect(dialog.queryByText(/^That makes /)).toBeNull();
    expect(dialog.getByRole("button", { name: "Make the Lists" })).toHaveProperty("disabled", true);
  }
});

describe("before the lists are made of what lies in a closed area", () => {
  async function openDialog(other: Pick<Area, "status">) {
    const areas = [
      area({ _id: "area-2", code: "A2", name: "Window", status: "closed" }),
      area({ _id: "area-3", code: "A3", name: "Wall", ...other }),
    ];
    serve([row()]).answer(listAreas, { areas });
    await pressOnceEnabled(await screen.findByRole("button", { name: "Make Lists of All 14 SKUs" }));
    return within(await screen.findByRole("dialog"));
  }

  it("it is said that what is found is scanned in another one", async () => {
    const dialog = await openDialog({ status: "in_progress" });
    await userEvent.selectOptions(dialog.getByLabelText("Where to look"), "area-2");
    dialog.getByText(/^A2 is closed: what is found there is scanned in another area that is open/);
    expect(dialog.queryByText("Every area is closed")).toBeNull();
  });

  it("it is said that an area has to be added where none is open", async () => {
    const dialog = await openDialog({ status: "closed" });
    await dialog.findByText("Every area is closed");
    const way = dialog.getByRole("link", { name: "Go to Locations" });
    expect(way.getAttribute("href")).toBe("/admin/locations");
  });
});

it("says before the lists are made that there are only so many in one go, and what stays on none", async () => {
  const server = serve([row()]);
  server.answer(listNeverCounted, { rows: [row()], currency: "USD", units: 7, next: null, total: 5_001 });
  await userEvent.selectOptions(await screen.findByLabelText("Brand"), "Tern");
  await pressOnceEnabled(await screen.findByRole("button", { name: "Make Lists of All 5,001 SKUs" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Search lists of 5,001 SKUs" }));
  dialog.getByText(
    "That makes 100 lists, which is the most in one go. 1 SKU stays on no list: make lists once more, or have more products on each.",
  );
  const size = dialog.getByLabelText("Products per list");
  await userEvent.clear(size);
  await userEvent.type(size, "51");
  dialog.getByText("That makes 99 lists, of products that are beside each other.");
});

it("makes no lists by a filter whose SKUs are not shown yet", async () => {
  const server = serve([row()]);
  await screen.findByRole("button", { name: "Make Lists of All 14 SKUs" });
  const page = { rows: [row()], currency: "USD", units: 7, next: null, total: 3 };
  const { sent, release } = server.answerLater(listNeverCounted, page);
  await userEvent.selectOptions(screen.getByLabelText("Brand"), "Tern");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.getByRole("button", { name: "Make Lists of All 14 SKUs" })).toHaveProperty("disabled", true);
  release();
  expect(await screen.findByRole("button", { name: "Make Lists of All 3 SKUs" })).toHaveProperty(
    "disabled",
    false,
  );
});

it("shows what is expected in an area, says what that means, and has lists of it looked for there", async () => {
  const server = serve([row()]);
  const sent = server.answer(createSearches, { lists: [list()], leftOut: 0, remaining: 0 });
  const choice = within(await screen.findByLabelText("Expected in Area"));
  await choice.findByRole("option", { name: /^A2/ });
  await userEvent.selectOptions(screen.getByLabelText("Expected in Area"), "area-2");
  screen.getByText(
    "Expected in A2: another variant of its product was counted there in this session, or it was counted there itself in the last session that counted A2 and has ended. It may lie elsewhere.",
  );
  await waitFor(() => expect(asked.at(-1)).toEqual({ state: "unlisted", areaId: "area-2", limit: "50" }));
  await pressOnceEnabled(await screen.findByRole("button", { name: "Make Lists of All 14 SKUs" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Search lists of 14 SKUs" }));
  expect(dialog.getByLabelText("Where to look")).toHaveProperty("value", "area-2");
  await userEvent.click(dialog.getByRole("button", { name: "Make the Lists" }));
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toEqual([
      { every: { areaId: "area-2" }, itemsPerList: 50, areaId: "area-2", personId: null },
    ]),
  );
  await userEvent.selectOptions(screen.getByLabelText("Expected in Area"), "");
  expect(screen.queryByText(/^Expected in A2:/)).toBeNull();
});

it("makes lists of what is ticked, one by one or all that are shown", async () => {
  const server = serve([row(), row({ sku: "LIN-M", size: "M" })]);
  const sent = server.answer(createSearches, { lists: [list()], leftOut: 1, remaining: 0 });
  await userEvent.click(await screen.findByLabelText("Select all that are shown"));
  await userEvent.click(screen.getByLabelText("Select Linen Shirt · S · LIN-S"));
  await userEvent.click(screen.getByRole("button", { name: "Make Lists of 1 SKU" }));
  await userEvent.click(await screen.findByRole("button", { name: "Make the Lists" }));
  await screen.findByText(/1 search list was made\. 1 SKU was left out/);
  expect(sent[0]?.body).toEqual({ skus: ["LIN-M"], itemsPerList: 50, areaId: null, personId: null });
});

it("says of a list how far it has come, who answered what, when and where, and lets contradictions be decided", async () => {
  const server = serve([], [list()]);
  server.answer(readSearch, { list: list(), items: [item()] });
  const sent = server.answer(decideSearch, { success: true });
  await screen.findByText(
    /10 of 14 done: 3 counted, 1 found, not scanned, 5 not there, 1 contradicted, 4 open/,
  );
  await userEvent.click(screen.getByRole("button", { name: "See the answers of list 2" }));
  const dialog = within(await screen.findByRole("dialog", { name: "List 2" }));
  await dialog.findByText(/^Ben: found it, .*, list 2, device …abc123$/);
  dialog.getByText(/^Mia: looked, not there/);
  dialog.getByText("People say different things. Until you decide it counts as not searched for.");
  await userEvent.click(dialog.getByRole("button", { name: "It Is Not There" }));
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toMatchObject([
      {
        sku: "LIN-S",
        answer: "not_there",
        seen: {
          answers: [
            { username: "Ben", answer: "found", answeredAt },
            { username: "Mia", answer: "not_there", answeredAt },
          ],
        },
      },
    ]),
  );
});

it("takes a list back once that is confirmed, and never one that is", async () => {
  const server = serve([], [list(), list({ number: 1, withdrawnAt: answeredAt, withdrawnBy: "admin" })]);
  const sent = server.answer(withdrawSearch, { list: list() });
  await userEvent.click(await screen.findByRole("button", { name: "Take Back list 2" }));
  expect(screen.queryByRole("button", { name: "Take Back list 1" })).toBeNull();
  const dialog = within(await screen.findByRole("dialog", { name: "Take search list 2 back?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Take Back" }));
  await waitFor(() =>
    expect(sent.map(({ path }) => path)).toEqual([`/api/session/${active._id}/searches/2/withdraw`]),
  );
});
