import {
  copyAreas,
  listAreas,
  listLocations,
  listStores,
  mergeAreas,
  previewCopy,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, area, location, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const mill = { _id: "store-2", name: "Old Mill" };

function twoStores(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store(), store(mill)] });
  server.answer(listLocations, {
    locations: [location(), location({ _id: "location-2", name: "Stockroom" })],
  });
  const elsewhere = { _id: "area-2", code: "B1", name: "Rack", locationId: "location-2" };
  server.answer(listAreas, { areas: [area(), area(elsewhere)] });
  return server;
}

describe("merging an area", () => {
  async function openMerging() {
    openPage("/admin/locations");
    await userEvent.click(await screen.findByRole("button", { name: "MERGE A1" }));
    return within(await screen.findByRole("dialog", { name: "Merge Area A1" }));
  }

  it("is into another of the store, and says what that means before", async () => {
    const sent = twoStores().answer(mergeAreas, { area: area({ _id: "area-2", code: "B1" }) });
    const dialog = await openMerging();
    dialog.getByText(/its printed label opens the other/);
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Merge Areas" }).disabled).toBe(true);
    expect(dialog.queryByRole("option", { name: "A1 – Window" })).toBeNull();
    await userEvent.selectOptions(dialog.getByLabelText("Into"), "B1 – Rack");
    await userEvent.click(dialog.getByRole("button", { name: "Merge Areas" }));
    await screen.findByText("A1 is now a part of B1.");
    expect(sent[0]?.body).toEqual({ areaId: "area-1", intoAreaId: "area-2" });
  });

  it("that is refused says why, and stays open", async () => {
    twoStores().refuse(mergeAreas, "AREA_BEGUN", "Nothing was changed, because counting has begun in A1.");
    const dialog = await openMerging();
    await userEvent.selectOptions(dialog.getByLabelText("Into"), "B1 – Rack");
    await userEvent.click(dialog.getByRole("button", { name: "Merge Areas" }));
    await dialog.findByText("Nothing was changed, because counting has begun in A1.");
  });
});

describe("copying from a store", () => {
  const copied = {
    newLocations: 1,
    newAreas: 2,
    locations: [
      {
        name: "Sales Floor",
        exists: true,
        areas: [
          { code: "A1", name: "Window", exists: true },
          { code: "A2", name: "Shelf", exists: false },
        ],
      },
      { name: "Cellar", exists: false, areas: [{ code: "C1", name: "Wine", exists: false }] },
    ],
  };

  it("shows first what is added and what stays, and then says what was added", async () => {
    const server = twoStores();
    server.answer(previewCopy, copied);
    const sent = server.answer(copyAreas, copied);
    openPage("/admin/locations");
    await userEvent.click(await screen.findByRole("button", { name: "COPY FROM A STORE to Harbour Street" }));
    const dialog = within(
      await screen.findByRole("dialog", { name: "Copy Locations and Areas to Harbour Street" }),
    );
    await userEvent.selectOptions(dialog.getByLabelText("From"), "Old Mill");
    await dialog.findByText("1 location and 2 areas will be added.");
    const added = within(dialog.getByRole("list", { name: "What is added" })).getAllByRole("listitem");
    expect(added.map((line) => line.textContent)).toEqual([
      "Sales FloorAdded: A2There already, stays as it is: A1",
      "Cellar (new)Added: C1",
    ]);
    await userEvent.click(dialog.getByRole("button", { name: "Copy" }));
    await screen.findByText("Added to Harbour Street: 1 location and 2 areas.");
    expect(sent[0]).toMatchObject({
      path: "/api/stores/store-1/copied-areas",
      body: { fromStoreId: "store-2" },
    });
  });

  it("adds nothing where everything is there already, and says what can't be read", async () => {
    const server = twoStores();
    server.answer(previewCopy, { newLocations: 0, newAreas: 0, locations: [] });
    openPage("/admin/locations");
    await userEvent.click(await screen.findByRole("button", { name: "COPY FROM A STORE to Harbour Street" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.selectOptions(dialog.getByLabelText("From"), "Old Mill");
    await dialog.findByText("Everything of that store is there already.");
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Copy" }).disabled).toBe(true);
  });
});

it("a long list of locations is searched by store, location and area", async () => {
  const server = twoStores();
  const locations = Array.from({ length: 9 }, (_none, index) =>
    location({ _id: `location-${index + 1}`, name: `Room ${index + 1}` }),
  );
  server.answer(listLocations, { locations });
  openPage("/admin/locations");
  await userEvent.type(await screen.findByRole("searchbox", { name: /Locations/ }), "rack");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  screen.getByRole("article", { name: "Room 2" });
});
