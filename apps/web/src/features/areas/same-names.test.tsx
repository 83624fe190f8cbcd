import {
  type Area,
  createAreas,
  listAreas,
  listLocations,
  listSessions,
  listStores,
  updateArea,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { admin, area, location, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

async function openWith(areas: Area[], button: string) {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, { areas });
  server.answer(listSessions, { sessions: [] });
  openPage("/admin/locations");
  await userEvent.click(await screen.findByRole("button", { name: button }));
  return { server, dialog: within(await screen.findByRole("dialog")) };
}

it("an area is given a name that another of its location has, once that is said", async () => {
  const other = area({ _id: "area-2", code: "A2", name: "Denim wall" });
  const { server, dialog } = await openWith([area(), other], "EDIT A1");
  const sent = server.answer(updateArea, { area: area({ name: "denim wall" }) });
  const field = dialog.getByRole("textbox", { name: "Area Name" });
  const said = () => dialog.queryByText(/Another area of this location has this name/);
  expect(said()).toBeNull();
  await userEvent.clear(field);
  await userEvent.type(field, "denim wall");
  expect(said()).not.toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: "Save Changes" }));
  await screen.findByText("denim wall was saved.");
  expect(sent).toHaveLength(1);
});

it("adding many says which names more than one area would have, and adds them", async () => {
  const { server, dialog } = await openWith([area({ name: "Checkout" })], "ADD AREAS Sales Floor");
  const sent = server.answer(createAreas, { areas: [area({ code: "C1" })] });
  const field = dialog.getByRole("textbox", { name: "Areas" });
  await userEvent.type(field, "C1,Rail\nC2\nC3,Window");
  expect(dialog.queryByText(/share a name/)).toBeNull();
  await userEvent.type(field, "\nC4,rail\nC5,checkout");
  dialog.getByText(/Several areas of this location share a name: Rail and checkout\./);
  await userEvent.click(dialog.getByRole("button", { name: "Add 5 Areas" }));
  await waitFor(() => expect(sent).toHaveLength(1));
});
