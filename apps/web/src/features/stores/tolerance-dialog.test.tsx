import { listShopifyLocations, listStores, setStoreTolerance, storeTolerance } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { admin, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const none = { units: null, money: null, stockPercent: null, moneyPercent: null };

async function openTolerance() {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store({ name: "Old Mill" })] });
  server.answer(listShopifyLocations, { locations: [] });
  server.answer(storeTolerance, { tolerance: null });
  openPage("/admin/stores");
  await userEvent.click(await screen.findByRole("button", { name: "EDIT Old Mill" }));
  const edit = within(await screen.findByRole("dialog", { name: "Edit Store" }));
  await userEvent.click(edit.getByRole("button", { name: "Set the Tolerance for Second Counts" }));
  const short = within(await screen.findByRole("group", { name: "Less Than Shopify Has" }));
  const dialog = within(screen.getByRole("dialog", { name: "Tolerance of Old Mill" }));
  return { server, short, dialog };
}

it("a store's tolerance that somebody else has set meanwhile keeps their limits, and those typed here", async () => {
  const { server, short, dialog } = await openTolerance();
  await userEvent.type(short.getByRole("textbox", { name: "Units" }), "5");
  const seen = { over: { ...none, units: 2 }, short: { ...none, units: 3 } };
  server.answer(storeTolerance, { tolerance: seen });
  server.refuse(setStoreTolerance, "CHANGED_MEANWHILE", "The tolerance was changed after you had opened it.");
  await userEvent.click(dialog.getByRole("button", { name: "Save Tolerance" }));
  await dialog.findByText(/^Since you opened this, it was changed elsewhere: More Than Shopify Has, Units\./);
  dialog.getByText(/^Less Than Shopify Has, Units was changed elsewhere too, and is now “3”\./);
  const sent = server.answer(setStoreTolerance, { tolerance: seen });
  await userEvent.click(dialog.getByRole("button", { name: "Save Tolerance" }));
  const tolerance = { ...seen, short: { ...none, units: 5 } };
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ tolerance, seen }]));
});

it("a limit that is the number typed here is not told as somebody else's", async () => {
  const { server, short, dialog } = await openTolerance();
  await userEvent.type(short.getByRole("textbox", { name: "Units" }), "5.0");
  server.answer(storeTolerance, { tolerance: { over: none, short: { ...none, units: 5 } } });
  const refusal = "The tolerance was changed after you had opened it.";
  server.refuse(setStoreTolerance, "CHANGED_MEANWHILE", refusal);
  await userEvent.click(dialog.getByRole("button", { name: "Save Tolerance" }));
  await dialog.findByText(refusal);
  expect(dialog.queryByRole("status")).toBeNull();
});
