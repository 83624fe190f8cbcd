import { limits, startFollowUp } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { admin, session } from "../../testing/examples.ts";
import { openList, row } from "./testing/count-again-server.ts";

/** What the browser keeps of marks whose products' names are not known. */
const kept = (...skus: readonly string[]) => JSON.stringify(skus.map((sku) => [sku, null]));
const storageKey = `markedSkus ${admin._id} ${session()._id}`;

it("of an ended session a session of the ticked SKUs is started once that is confirmed", async () => {
  const server = openList([row(), row({ sku: "BELT-1" })], "closed");
  const sent = server.answer(startFollowUp, { session: session({ _id: "follow-up", status: "active" }) });
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select Linen Shirt · S · BELT-1" }));
  await userEvent.click(screen.getByRole("button", { name: "Start Session with Selected SKUs" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Start a session of 1 SKU?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
  const outcome = await screen.findByText("The session has started. Invite people to it as to any other.");
  await waitFor(() => expect(document.activeElement?.contains(outcome)).toBe(true));
  expect(document.activeElement?.getAttribute("role")).toBe("status");
  expect(sent.map(({ body }) => body)).toEqual([{ skus: ["BELT-1"] }]);
  expect(screen.getByRole("link", { name: "Go to Sessions" }).getAttribute("href")).toBe("/admin/sessions");
});

it("what was marked in the report is selected already, whether it is on the list or not, until its follow-up has started", async () => {
  localStorage.setItem(storageKey, kept("NONE-1", "BELT-1"));
  const server = openList([row(), row({ sku: "BELT-1" })], "closed");
  const sent = server.answer(startFollowUp, { session: session({ _id: "follow-up", status: "active" }) });
  await screen.findByText("2 SKUs selected");
  const box = (name: string) => screen.getByRole("checkbox", { name: `Select ${name}` });
  expect(box("Linen Shirt · S · BELT-1")).toHaveProperty("checked", true);
  expect(box("Linen Shirt · S · LIN-S")).toHaveProperty("checked", false);
  within(screen.getByRole("list", { name: "Also Selected (1 SKU)" })).getByText("NONE-1");
  await userEvent.click(screen.getByRole("button", { name: "Start Session with Selected SKUs" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Start a session of 2 SKUs?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Start Session" }));
  await screen.findByText("The session has started. Invite people to it as to any other.");
  expect(sent.map(({ body }) => body)).toEqual([{ skus: ["NONE-1", "BELT-1"] }]);
  expect(localStorage.getItem(storageKey)).toBeNull();
});

it("what another window marks while a follow-up starts stays marked", async () => {
  localStorage.setItem(storageKey, kept("BELT-1"));
  const server = openList([row(), row({ sku: "BELT-1" })], "closed");
  const started = { session: session({ _id: "follow-up", status: "active" }) };
  const { sent, release } = server.answerLater(startFollowUp, started);
  await userEvent.click(await screen.findByRole("button", { name: "Start Session with Selected SKUs" }));
  await userEvent.click(screen.getByRole("button", { name: "Start Session" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  localStorage.setItem(storageKey, kept("BELT-1", "LIN-S"));
  release();
  await screen.findByText("The session has started. Invite people to it as to any other.");
  screen.getByText("1 SKU selected");
  expect(localStorage.getItem(storageKey)).toBe(JSON.stringify([["LIN-S", "Linen Shirt · S"]]));
});

it("where more are selected than one follow-up takes, their number stays in sight and all are cleared at once", async () => {
  const skus = Array.from({ length: limits.skusToCountAgain + 1 }, (_none, index) => `SKU-${index}`);
  localStorage.setItem(storageKey, kept(...skus));
  openList([row()], "closed");
  const bar = await screen.findByText("201 SKUs selected. At most 200 SKUs can be counted again at a time.");
  await userEvent.click(screen.getByRole("button", { name: "Clear Selection" }));
  await waitFor(() => expect(bar.textContent).toBe(""));
  expect(document.activeElement).toBe(bar);
  expect(localStorage.getItem(storageKey)).toBeNull();
});

it("a marked SKU is taken off where nothing looks like a mistake, too", async () => {
  localStorage.setItem(storageKey, kept("NONE-1"));
  openList([], "closed");
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select NONE-1" }));
  await waitFor(() => expect(screen.queryByRole("checkbox")).toBeNull());
  expect(screen.queryByRole("button", { name: "Start Session with Selected SKUs" })).toBeNull();
  expect(localStorage.getItem(storageKey)).toBeNull();
});

it("what is also selected has the name of its product, where that was known when it was marked", async () => {
  const marks = [
    ["NONE-1", "Loden Belt"],
    ["NONE-2", null],
  ];
  localStorage.setItem(storageKey, JSON.stringify(marks));
  openList([row()], "closed");
  const also = within(await screen.findByRole("list", { name: "Also Selected (2 SKUs)" }));
  expect(also.getAllByRole("checkbox").map((box) => box.getAttribute("aria-label"))).toEqual([
    "Select Loden Belt · NONE-1",
    "Select NONE-2",
  ]);
  await userEvent.click(screen.getByRole("checkbox", { name: "Select Linen Shirt · S · LIN-S" }));
  expect(localStorage.getItem(storageKey)).toBe(JSON.stringify([...marks, ["LIN-S", "Linen Shirt · S"]]));
});

it("unticking what is also selected leaves the focus beside it, and the last on the heading", async () => {
  localStorage.setItem(storageKey, kept("NONE-1", "NONE-2", "NONE-3"));
  openList([row()], "closed");
  const box = (sku: string) => screen.getByRole("checkbox", { name: `Select ${sku}` });
  await screen.findByRole("list", { name: "Also Selected (3 SKUs)" });
  box("NONE-2").focus();
  await userEvent.keyboard(" ");
  expect(document.activeElement).toBe(box("NONE-3"));
  await userEvent.keyboard(" ");
  expect(document.activeElement).toBe(box("NONE-1"));
  await userEvent.keyboard(" ");
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "1 SKU to Count Again" }));
});
