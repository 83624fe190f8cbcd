import { explainRow, limits } from "@stocktake/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { admin, session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";

/** What the browser keeps of marks, each with the name of its product. */
const kept = (...marks: readonly (readonly [sku: string, name: string | null])[]) => JSON.stringify(marks);
const linenS = ["LIN-S", "Linen Shirt · S"] as const;
const linenM = ["LIN-M", null] as const;
const storageKey = `markedSkus ${admin._id} ${session()._id}`;

afterEach(() => vi.restoreAllMocks());

async function openDrawer() {
  const server = reportServer();
  server.answer(explainRow, explanation());
  openPage(`${address}&row=LIN-S`);
  return within(await screen.findByRole("region", { name: "Count it again" }));
}

type Part = Awaited<ReturnType<typeof openDrawer>>;

const press = async (part: Part, name: string) => userEvent.click(await part.findByRole("button", { name }));

it("a row is marked for the follow-up, and the drawer leads to the list that starts it", async () => {
  const part = await openDrawer();
  expect(part.queryByRole("link")).toBeNull();
  await press(part, "Mark for a Recount");
  await part.findByText(/Marked in this browser for a follow-up/);
  const link = part.getByRole("link", { name: "Go to the List (1 Marked)" });
  expect(link.getAttribute("href")).toBe(`/admin/sessions/${session()._id}/count-again`);
  expect(localStorage.getItem(storageKey)).toBe(kept(linenS));
  screen.getByText(/1 SKU marked for a follow-up/);
});

it("further rows go beside those that are marked, and a mark can be taken off", async () => {
  localStorage.setItem(storageKey, kept(linenM));
  const part = await openDrawer();
  await part.findByRole("link", { name: "Go to the List (1 Marked)" });
  await press(part, "Mark for a Recount");
  await part.findByRole("link", { name: "Go to the List (2 Marked)" });
  expect(localStorage.getItem(storageKey)).toBe(kept(linenM, linenS));
  await press(part, "Unmark");
  await part.findByRole("link", { name: "Go to the List (1 Marked)" });
  expect(localStorage.getItem(storageKey)).toBe(kept(linenM));
});

it("what a browser keeps and is none of ours marks nothing", async () => {
  localStorage.setItem(storageKey, '{"sku":"LIN-S"}');
  const part = await openDrawer();
  await press(part, "Mark for a Recount");
  await waitFor(() => expect(localStorage.getItem(storageKey)).toBe(kept(linenS)));
});

it("a browser that keeps nothing has the marks as long as the page is open", async () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("Nothing is kept.");
  });
  const part = await openDrawer();
  await press(part, "Mark for a Recount");
  await part.findByRole("link", { name: "Go to the List (1 Marked)" });
  await press(part, "Unmark");
  await waitFor(() => expect(part.queryByRole("link")).toBeNull());
});

it("what another window marks meanwhile is neither lost nor brought back by a mark of this one", async () => {
  const part = await openDrawer();
  await press(part, "Mark for a Recount");
  await part.findByRole("link", { name: "Go to the List (1 Marked)" });
  localStorage.setItem(storageKey, kept(linenS, linenM));
  await press(part, "Unmark");
  expect(localStorage.getItem(storageKey)).toBe(kept(linenM));
  localStorage.removeItem(storageKey);
  await press(part, "Mark for a Recount");
  expect(localStorage.getItem(storageKey)).toBe(kept(linenS));
});

it("what another window marks is shown as soon as the browser tells of it", async () => {
  const part = await openDrawer();
  await part.findByRole("button", { name: "Mark for a Recount" });
  localStorage.setItem(storageKey, kept(linenM));
  act(() => void globalThis.dispatchEvent(new StorageEvent("storage", { key: storageKey })));
  await part.findByRole("link", { name: "Go to the List (1 Marked)" });
});

it("the marks of another person at the same computer, and those of sessions that are gone, are none of this one's", async () => {
  const ofOther = `markedSkus another-admin ${session()._id}`;
  const ofGone = `markedSkus ${admin._id} gone`;
  for (const key of [ofOther, ofGone]) localStorage.setItem(key, kept(linenM));
  const part = await openDrawer();
  await press(part, "Mark for a Recount");
  await part.findByRole("link", { name: "Go to the List (1 Marked)" });
  expect(localStorage.getItem(ofOther)).toBe(kept(linenM));
  expect(localStorage.getItem(ofGone)).toBeNull();
});

it("the drawer says when more are marked than one follow-up takes", async () => {
  const marks = Array.from(
    { length: limits.skusToCountAgain },
    (_none, index) => [`SKU-${index}`, null] as const,
  );
  localStorage.setItem(storageKey, kept(...marks));
  const part = await openDrawer();
  await part.findByRole("link", { name: "Go to the List (200 Marked)" });
  expect(part.queryByText(/at most 200/)).toBeNull();
  await press(part, "Mark for a Recount");
  await part.findByText(/201 SKUs are marked, and one follow-up takes at most 200: unmark some/);
});
