import {
  createAreas,
  createLocation,
  listAreas,
  listLocations,
  listSessions,
  listStores,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, area, location, session, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

/** A store that was never counted, without a location. */
function emptyStore(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listLocations, { locations: [] });
  server.answer(listAreas, { areas: [] });
  server.answer(listSessions, { sessions: [] });
  return server;
}

async function addLocation(server: FakeServer, before: readonly string[], name: string): Promise<void> {
  const all = [...before, name].map((each) => location({ _id: each, name: each }));
  server.answer(createLocation, () => {
    server.answer(listLocations, { locations: all });
    return { location: location({ _id: name, name }) };
  });
  const form = within(await screen.findByRole("region", { name: "Add New Location" }));
  await waitFor(() => expect(form.getByLabelText("Store")).toHaveProperty("value", "store-1"));
  await userEvent.type(form.getByLabelText("Location Name"), name);
  await userEvent.click(form.getByRole("button", { name: "Add Location" }));
  await screen.findByRole("article", { name });
}

const areasDialog = (name: string) => screen.findByRole("dialog", { name: `Add areas to ${name}` });

async function addArea(server: FakeServer, locationId: string): Promise<void> {
  const added = area({ locationId });
  server.answer(createAreas, () => {
    server.answer(listAreas, { areas: [added] });
    return { areas: [added] };
  });
  const dialog = within(await areasDialog(locationId));
  await userEvent.type(dialog.getByRole("textbox", { name: "Areas" }), "A1");
  await userEvent.click(dialog.getByRole("button", { name: "Add 1 Area" }));
  await screen.findByText("1 area was added.");
}

describe("whoever sets up a store", () => {
  it("is led from its first location to the location's areas, once, and not from the next", async () => {
    const server = emptyStore();
    openPage("/admin/locations");
    await addLocation(server, [], "Cellar");
    await areasDialog("Cellar");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await addLocation(server, ["Cellar"], "Attic");
    await screen.findByText("Attic was added.");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is led from the first areas to the start of the first session", async () => {
    const server = emptyStore();
    const { path } = openPage("/admin/locations");
    await addLocation(server, [], "Cellar");
    await addArea(server, "Cellar");
    await userEvent.click(await screen.findByRole("link", { name: "Start a Session" }));
    await screen.findByText(/This takes a snapshot of its inventory/);
    expect(path()).toBe("/admin/sessions");
  });

  it("is offered no session where the store was counted before", async () => {
    const server = emptyStore();
    const asked = server.answer(listSessions, { sessions: [session({ status: "closed" })] });
    const { client } = openPage("/admin/locations");
    await addLocation(server, [], "Cellar");
    await addArea(server, "Cellar");
    await waitFor(() => expect([asked.length > 0, client.isFetching()]).toEqual([true, 0]));
    expect(screen.queryByRole("link", { name: "Start a Session" })).toBeNull();
  });
});
