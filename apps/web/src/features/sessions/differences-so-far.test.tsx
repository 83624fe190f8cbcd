import { differencesSoFar, reopenArea } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { area } from "../../testing/examples.ts";
import type { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { sessionsServer } from "./testing/sessions-server.ts";

const shirt = {
  ...{ sku: "SHIRT-M", productTitle: "Linen Shirt", size: "M" },
  ...{ counted: 1_204, onHand: 1_210, difference: -6, costImpact: -75 },
  areas: [{ _id: "area-1", code: "A1", name: "Window" }],
};
const belt = { ...shirt, sku: "BELT", productTitle: "Belt", size: null, difference: 2, costImpact: null };

async function openEnd(server: FakeServer) {
  server.answer(differencesSoFar, { differences: [shirt, belt], currency: "USD" });
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
  return within(await screen.findByRole("dialog", { name: "End session?" }));
}

it("before the end the largest differences are named, with units and money", async () => {
  const dialog = await openEnd(sessionsServer());
  await dialog.findByText("Largest differences so far");
  const list = within(dialog.getByRole("list", { name: "Largest differences so far" }));
  const rows = list.getAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "Linen Shirt · M SHIRT-MCounted 1,204, Shopify has 1,210: -6 (-$75.00)Count A1 Again",
    "Belt BELTCounted 1,204, Shopify has 1,210: +2 (cost unknown)Count A1 Again",
  ]);
});

it("an area is counted again once that is confirmed", async () => {
  const server = sessionsServer();
  const sent = server.answer(reopenArea, { area: area() });
  const dialog = await openEnd(server);
  const [again] = await dialog.findAllByRole("button", { name: "Count A1 Again" });
  await userEvent.click(again ?? document.body);
  const question = within(await screen.findByRole("dialog", { name: "Count A1 Again" }));
  question.getByText(/have area A1 – Window counted again from zero\?/);
  expect(sent).toEqual([]);
  await userEvent.click(question.getByRole("button", { name: "Count Again" }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ areaId: "area-1", eraseScans: true }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Count A1 Again" })).toBeNull());
  screen.getByRole("dialog", { name: "End session?" });
});

it("differences that can't be read are said, and the session can be ended all the same", async () => {
  const server = sessionsServer();
  server.refuse(differencesSoFar, "INTERNAL", "It did not work.");
  openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
  await dialog.findByText("It did not work.");
  const end = dialog.getByRole("button", { name: "End Session" });
  await waitFor(() => expect(end).toHaveProperty("disabled", false));
});

it("differences of a session that somebody else has just ended are no fault", async () => {
  const server = sessionsServer();
  const asked = server.refuse(differencesSoFar, "SESSION_CLOSED", "This session has ended.");
  const { client } = openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "End Session" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End session?" }));
  await waitFor(() => expect([asked.length, client.isFetching()]).toEqual([1, 0]));
  expect(dialog.queryByText("This session has ended.")).toBeNull();
});
