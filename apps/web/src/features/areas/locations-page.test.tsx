import {
  createAreas,
  createLocation,
  deleteArea,
  listAreas,
  listLocations,
  listSessions,
  listStores,
  reopenArea,
  updateArea,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, area, location, session, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

function locationsServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, {
    areas: [
      area(),
      area({ _id: "area-2", code: "A2", name: "Shelf", status: "in_progress" }),
      area({ _id: "area-3", code: "A3", name: "Back", status: "closed" }),
    ],
  });
  server.answer(listSessions, { sessions: [session({ status: "active", endedAt: null })] });
  return server;
}

async function openBulk() {
  openPage("/admin/locations");
  await userEvent.click(await screen.findByRole("button", { name: "ADD AREAS Sales Floor" }));
  return within(await screen.findByRole("dialog", { name: "Add areas to Sales Floor" }));
}

describe("the locations", () => {
  it("are listed under their store, each with ADD AREAS, EDIT and DELETE [spec:2.locations.1]", async () => {
    const server = locationsServer();
    server.answer(listStores, { stores: [store(), store({ _id: "store-2", name: "Old Mill" })] });
    const cellar = location({
      _id: "location-2",
      name: "Cellar",
      storeId: { _id: "store-2", name: "Old Mill" },
    });
    server.answer(listLocations, { locations: [cellar, location()] });
    openPage("/admin/locations");
    for (const [storeName, locationName] of [
      ["Harbour Street", "Sales Floor"],
      ["Old Mill", "Cellar"],
    ]) {
      const group = within(await screen.findByRole("region", { name: storeName ?? "" }));
      const [card, ...others] = group.getAllByRole("article");
      expect([card?.getAttribute("aria-label"), others]).toEqual([locationName, []]);
      for (const action of ["ADD AREAS", "EDIT", "DELETE"]) {
        group.getByRole("button", { name: `${action} ${locationName}` });
      }
    }
  });

  it("need a store and a name [spec:5.4]", async () => {
    const server = locationsServer();
    server.answer(listStores, { stores: [store(), store({ _id: "store-2", name: "Old Mill" })] });
    const old = location({ _id: "location-2", storeId: { _id: "store-2", name: "Old Mill" } });
    server.answer(listLocations, { locations: [location(), old] });
    const sent = server.answer(createLocation, { location: location() });
    openPage("/admin/locations");
    const form = within(await screen.findByRole("region", { name: "Add New Location" }));
    await form.findByRole("option", { name: "Harbour Street" });
    await userEvent.click(form.getByRole("button", { name: "Add Location" }));
    form.getByText("Store is required");
    form.getByText("Location name is required");
    await userEvent.selectOptions(form.getByLabelText("Store"), "Harbour Street");
    await userEvent.type(form.getByLabelText("Location Name"), "  ");
    await userEvent.click(form.getByRole("button", { name: "Add Location" }));
    expect(form.queryByText("Store is required")).toBeNull();
    form.getByText("Location name is required");
    expect(sent).toEqual([]);
    await userEvent.type(form.getByLabelText("Location Name"), "Cellar");
    await userEvent.click(form.getByRole("button", { name: "Add Location" }));
    await screen.findByText("Sales Floor was added.");
    expect(sent[0]?.body).toEqual({ name: "  Cellar", storeId: "store-1" });
    await waitFor(() => expect(form.getByLabelText("Location Name")).toHaveProperty("value", ""));
    expect(form.queryByText("Location name is required")).toBeNull();
  });
});

it("a location's store is chosen already where there is but one", async () => {
  const sent = locationsServer().answer(createLocation, { location: location({ name: "Cellar" }) });
  openPage("/admin/locations");
  const form = within(await screen.findByRole("region", { name: "Add New Location" }));
  await waitFor(() => expect(form.getByLabelText("Store")).toHaveProperty("value", "store-1"));
  await userEvent.type(form.getByLabelText("Location Name"), "Cellar");
  await userEvent.click(form.getByRole("button", { name: "Add Location" }));
  await screen.findByText("Cellar was added.");
  expect(sent[0]?.body).toEqual({ name: "Cellar", storeId: "store-1" });
});

describe("where there are several stores, a location's store is chosen already", () => {
  const early = "2026-01-01T08:00:00.000Z";
  const late = "2026-01-02T08:00:00.000Z";

  async function openWith(path: string) {
    locationsServer().answer(listStores, {
      stores: [
        store(),
        store({ _id: "store-2", name: "Airport", createdAt: late }),
        store({ _id: "store-3", name: "Old Mill", createdAt: early }),
      ],
    });
    openPage(path);
    const form = within(await screen.findByRole("region", { name: "Add New Location" }));
    await form.findByRole("option", { name: "Airport" });
    return { storeField: form.getByLabelText("Store"), name: form.getByLabelText("Location Name") };
  }

  it("as the newest that has none, and its name can be typed at once", async () => {
    const { storeField, name } = await openWith("/admin/locations");
    await waitFor(() => expect(storeField).toHaveProperty("value", "store-2"));
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it("as the one that a link has led to, and as none where a person says so", async () => {
    const { storeField } = await openWith("/admin/locations?store=store-3");
    await waitFor(() => expect(storeField).toHaveProperty("value", "store-3"));
    await userEvent.selectOptions(storeField, "");
    expect(storeField).toHaveProperty("value", "");
  });
});

describe("an area", () => {
  it("is renamed, and keeps its code", async () => {
    const sent = locationsServer().answer(updateArea, { area: area({ name: "Denim wall" }) });
    openPage("/admin/locations");
    await userEvent.click(await screen.findByRole("button", { name: "EDIT A1" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Area A1" }));
    const field = dialog.getByRole("textbox", { name: "Area Name" });
    await userEvent.clear(field);
    dialog.getByText("Area name is required");
    await userEvent.type(field, "Denim wall");
    await userEvent.click(dialog.getByRole("button", { name: "Save Changes" }));
    await screen.findByText("Denim wall was saved.");
    expect(sent[0]).toMatchObject({ path: "/api/areas/area-1", body: { name: "Denim wall" } });
  });
});

describe("adding areas", () => {
  it("is a text area of seven rows [spec:2.locations.3][spec:9.4]", async () => {
    locationsServer();
    const dialog = await openBulk();
    expect(dialog.getByRole("textbox", { name: "Areas" }).getAttribute("rows")).toBe("7");
  });

  it("sends each line's code and name, the name defaulting to the code [spec:5.5]", async () => {
    const server = locationsServer();
    const sent = server.answer(createAreas, { areas: [area({ code: "B1" }), area({ code: "B2" })] });
    const dialog = await openBulk();
    await userEvent.type(dialog.getByRole("textbox", { name: "Areas" }), "B1, Denim wall\n\nB2");
    await userEvent.click(dialog.getByRole("button", { name: "Add 2 Areas" }));
    await screen.findByText("2 areas were added.");
    expect(sent[0]?.body).toEqual({
      areas: [
        { code: "B1", name: "Denim wall" },
        { code: "B2", name: "B2" },
      ],
    });
  });

  it("marks lines that can't be added and does not send while there are any", async () => {
    locationsServer();
    const dialog = await openBulk();
    await userEvent.type(dialog.getByRole("textbox", { name: "Areas" }), "C1\nc1\na1,Taken\n,Nameless");
    dialog.getByText("This code is listed twice.");
    dialog.getByText("This location already has this code.");
    dialog.getByText("The code is missing.");
    expect(dialog.getByRole("button", { name: "Correct 3 lines first" })).toHaveProperty("disabled", true);
    expect(dialog.queryByRole("button", { name: /Add/ })).toBeNull();
  });

  it("warns of a line that a spreadsheet parted otherwise, and adds it all the same", async () => {
    const sent = locationsServer().answer(createAreas, { areas: [area({ code: "B1" })] });
    const dialog = await openBulk();
    const entry = dialog.getByRole("textbox", { name: "Areas" });
    await userEvent.click(entry);
    await userEvent.paste("B1\tDenim wall\nB2;Shoes\nB3,Bags; belts");
    dialog.getByText(/^This line has a tab but no comma/);
    expect(dialog.getAllByText(/has a (tab|semicolon) but no comma/)).toHaveLength(2);
    await userEvent.click(dialog.getByRole("button", { name: "Add 3 Areas" }));
    await screen.findByText("1 area was added.");
    expect(sent[0]?.body).toMatchObject({ areas: [{ code: "B1 Denim wall" }, {}, { name: "Bags; belts" }] });
  });

  it("what was typed stays where the server refuses it", async () => {
    locationsServer().refuse(createAreas, "DUPLICATE_AREA_CODE", "B1 exists already.");
    const dialog = await openBulk();
    await userEvent.type(dialog.getByRole("textbox", { name: "Areas" }), "B1");
    await userEvent.click(dialog.getByRole("button", { name: "Add 1 Area" }));
    await dialog.findByText("B1 exists already.");
    expect(dialog.getByRole("textbox", { name: "Areas" })).toHaveProperty("value", "B1");
  });
});

describe("the areas of a location", () => {
  it("an area whose finish did not match shows that a recount is needed", async () => {
    const server = locationsServer();
    server.answer(listAreas, {
      areas: [area(), area({ _id: "area-2", code: "A2", status: "in_progress", recountNeeded: true })],
    });
    openPage("/admin/locations");
    const rows = await screen.findAllByRole("listitem");
    expect(rows.filter((row) => row.textContent?.includes("Recount needed"))).toHaveLength(1);
  });

  it("only a closed area can be reopened, and the question mentions that its scans are erased [spec:2.locations.2][spec:4.2][spec:8.confirmation.4]", async () => {
    const server = locationsServer();
    const sent = server.answer(reopenArea, { area: area({ code: "A3" }) });
    openPage("/admin/locations");
    await screen.findByRole("button", { name: "REOPEN A3" });
    expect(screen.queryByRole("button", { name: "REOPEN A1" })).toBeNull();
    expect(screen.queryByRole("button", { name: "REOPEN A2" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "REOPEN A3" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reopen area?" }));
    dialog.getByText(/This erases its scans/);
    await userEvent.click(dialog.getByRole("button", { name: "Reopen Area" }));
    await screen.findByText("Area A3 was reopened.");
    expect(sent[0]?.body).toEqual({ areaId: "area-3", eraseScans: true });
  });

  it("where no session runs there is nothing to reopen: what can be done instead is said, and nothing is sent", async () => {
    const server = locationsServer();
    server.answer(listSessions, { sessions: [session({ _id: "s1" })] });
    const sent = server.answer(reopenArea, { area: area({ code: "A3" }) });
    openPage("/admin/locations");
    await userEvent.click(await screen.findByRole("button", { name: "REOPEN A3" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Area A3 is completed" }));
    dialog.getByText(/there is nothing to reopen\. Its count is in the report/);
    expect(dialog.getByRole("link", { name: "View Report" }).getAttribute("href")).toBe(
      "/admin/reports?session=s1",
    );
    expect(dialog.getByRole("link", { name: "Go to Sessions" }).getAttribute("href")).toBe("/admin/sessions");
    await userEvent.click(dialog.getByRole("button", { name: "Close" }));
    expect(sent).toEqual([]);
  });

  it("a reopening asks for its reason, and its area is marked until it is counted", async () => {
    const server = locationsServer();
    const recount = { pass: 2, reason: null, requestedAt: "2026-03-01T10:00:00.000Z", requestedBy: "admin" };
    server.answer(listAreas, {
      areas: [area({ recount }), area({ _id: "area-3", code: "A3", status: "closed" })],
    });
    const sent = server.answer(reopenArea, { area: area({ code: "A3" }) });
    openPage("/admin/locations");
    await screen.findByText("Recount requested");
    await userEvent.click(screen.getByRole("button", { name: "REOPEN A3" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reopen area?" }));
    const reason = dialog.getByLabelText("Reason (Optional)");
    await userEvent.click(reason);
    await userEvent.paste("x".repeat(501));
    dialog.getByText("Reason can have at most 500 characters.");
    expect(dialog.getByRole("button", { name: "Reopen Area" })).toHaveProperty("disabled", true);
    await userEvent.clear(reason);
    await userEvent.type(reason, "Top shelf");
    await userEvent.click(dialog.getByRole("button", { name: "Reopen Area" }));
    await screen.findByText("Area A3 was reopened.");
    expect(sent[0]?.body).toEqual({ areaId: "area-3", eraseScans: true, reason: "Top shelf" });
  });

  it("have the specification's text for their status [spec:4.1]", async () => {
    locationsServer();
    openPage("/admin/locations");
    await screen.findByText("Not Started");
    screen.getByText("In Progress");
    screen.getByText("Completed");
  });

  it("deleting an area asks first, and lists the consequences [spec:8.confirmation.3]", async () => {
    const sent = locationsServer().answer(deleteArea, { success: true });
    openPage("/admin/locations");
    await userEvent.click(await screen.findByRole("button", { name: "DELETE A1" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete area?" }));
    dialog.getByText("Are you sure you want to delete area A1?");
    dialog.getByText("It can no longer be counted.");
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Delete Area" }));
    await screen.findByText("Window was deleted.");
    expect(sent[0]?.path).toBe("/api/areas/area-1");
  });

  it("deleting a location warns that its areas are deleted too [spec:8.confirmation.2]", async () => {
    locationsServer();
    openPage("/admin/locations");
    await userEvent.click(await screen.findByRole("button", { name: "DELETE Sales Floor" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete location?" }));
    dialog.getByText("Are you sure you want to delete Sales Floor and all its areas?");
    dialog.getByText("Its 3 areas are deleted too.");
  });
});
