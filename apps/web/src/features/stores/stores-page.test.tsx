import {
  createStore,
  deleteStore,
  listShopifyLocations,
  listStores,
  setStoreTolerance,
  storeTolerance,
  updateStore,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

function storesServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, {
    stores: [store(), store({ _id: "store-2", name: "Old Mill", isActive: false })],
  });
  server.answer(listShopifyLocations, {
    locations: [
      { id: "gid://shopify/Location/1", name: "Harbour Street" },
      { id: "gid://shopify/Location/9", name: "Airport" },
    ],
  });
  return server;
}

async function openForm() {
  openPage("/admin/stores");
  await screen.findByRole("option", { name: "Airport" });
  return within(screen.getByRole("region", { name: "Add New Store" }));
}

describe("adding a store", () => {
  it("name and Shopify location are required [spec:5.3]", async () => {
    const sent = storesServer().answer(createStore, { store: store() });
    const form = await openForm();
    await userEvent.click(form.getByRole("button", { name: "Add Store" }));
    form.getByText("Store name is required");
    form.getByText("Shopify location is required");
    expect(sent).toEqual([]);
  });

  it("choosing a location prefills an empty name and leaves a typed one [spec:2.stores.1][spec:2.stores.2]", async () => {
    storesServer();
    const form = await openForm();
    const name = form.getByLabelText("Store Name");
    await userEvent.selectOptions(form.getByLabelText("Shopify Location"), "Airport");
    expect(name).toHaveProperty("value", "Airport");
    await userEvent.clear(name);
    await userEvent.type(name, "Terminal 2");
    await userEvent.selectOptions(form.getByLabelText("Shopify Location"), "Airport");
    expect(name).toHaveProperty("value", "Terminal 2");
  });

  it("leads on to the store's locations", async () => {
    storesServer().answer(createStore, { store: store({ _id: "store-3", name: "Airport" }) });
    const form = await openForm();
    await userEvent.selectOptions(form.getByLabelText("Shopify Location"), "Airport");
    await userEvent.click(form.getByRole("button", { name: "Add Store" }));
    await screen.findByText("Airport was added.");
    const next = screen.getByRole("link", { name: "Add Its Locations and Areas" });
    expect(next.getAttribute("href")).toBe("/admin/locations?store=store-3");
  });

  it("can begin at once where there is none: nobody has to press a field first", async () => {
    storesServer().answer(listStores, { stores: [] });
    const form = await openForm();
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText("Store Name")));
  });

  it("says that another store has the name, and adds it all the same", async () => {
    const sent = storesServer().answer(createStore, { store: store({ _id: "store-3", name: "old mill" }) });
    const form = await openForm();
    const name = form.getByLabelText("Store Name");
    await userEvent.selectOptions(form.getByLabelText("Shopify Location"), "Airport");
    expect(form.queryByText(/Another store has this name/)).toBeNull();
    await userEvent.clear(name);
    await userEvent.type(name, " old mill");
    form.getByText(/Another store has this name/);
    await userEvent.click(form.getByRole("button", { name: "Add Store" }));
    await screen.findByText("old mill was added.");
    expect(sent).toHaveLength(1);
  });

  it("a location that another store has can't be chosen", async () => {
    storesServer();
    const form = await openForm();
    const taken = await form.findByRole("option", { name: "Harbour Street (in use)" });
    expect(taken).toHaveProperty("disabled", true);
  });

  it("the server's refusal is shown and what was typed stays", async () => {
    const server = storesServer();
    server.refuse(createStore, "SHOPIFY_LOCATION_IN_USE", "Another store uses this location.");
    const form = await openForm();
    await userEvent.selectOptions(form.getByLabelText("Shopify Location"), "Airport");
    await userEvent.click(form.getByRole("button", { name: "Add Store" }));
    await form.findByText("Another store uses this location.");
    expect(form.getByLabelText("Store Name")).toHaveProperty("value", "Airport");
  });
});

describe("the list of stores", () => {
  it("counts all, active and connected ones, and shows that live sync is enabled [spec:2.stores.4][spec:2.stores.5]", async () => {
    storesServer();
    openPage("/admin/stores");
    await screen.findByText("Old Mill");
    expect(screen.getByText("Total").parentElement?.textContent).toBe("Total2");
    expect(screen.getByText("Shopify Connected").parentElement?.textContent).toBe("Shopify Connected2");
    screen.getByText("Live sync enabled");
    screen.getByText("Inactive");
  });

  it("has a card for each: whether it is active, its location's id, when it was created, EDIT and DELETE [spec:2.stores.3]", async () => {
    storesServer();
    openPage("/admin/stores");
    const harbour = within(await screen.findByRole("article", { name: "Harbour Street" }));
    harbour.getByText("Active");
    await harbour.findByText("Shopify location: Harbour Street");
    harbour.getByText("Location ID: gid://shopify/Location/1");
    harbour.getByText("Created Jan 5, 2026");
    expect(harbour.getAllByRole("button").map((button) => button.textContent)).toEqual(["EDIT", "DELETE"]);
    within(screen.getByRole("article", { name: "Old Mill" })).getByText("Inactive");
  });

  it("deleting asks first, and shows the server's refusal in the question [spec:8.confirmation.1]", async () => {
    const server = storesServer();
    const sent = server.refuse(deleteStore, "SESSION_ACTIVE", "End the store's session first.");
    openPage("/admin/stores");
    await userEvent.click(await screen.findByRole("button", { name: "DELETE Old Mill" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete store?" }));
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Delete Store" }));
    await dialog.findByText("End the store's session first.");
    expect(sent[0]?.path).toBe("/api/stores/store-2");
  });

  it("a list that can't be read shows an error and can be read again [spec:8.fallback.2]", async () => {
    const server = storesServer();
    server.loseNetwork(listStores);
    openPage("/admin/stores");
    await screen.findByText("Failed to fetch stores");
    expect(screen.queryByText("No Stores Yet")).toBeNull();
    server.answer(listStores, { stores: [store()] });
    await userEvent.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("article", { name: "Harbour Street" });
  });
});

describe("editing a store", () => {
  async function openEdit(name = "Old Mill") {
    openPage("/admin/stores");
    await screen.findByRole("option", { name: "Airport" });
    await userEvent.click(await screen.findByRole("button", { name: `EDIT ${name}` }));
    return within(await screen.findByRole("dialog", { name: "Edit Store" }));
  }

  async function typeName(edit: Awaited<ReturnType<typeof openEdit>>, name: string) {
    await userEvent.clear(edit.getByLabelText("Store Name"));
    await userEvent.type(edit.getByLabelText("Store Name"), name);
  }

  const save = (edit: Awaited<ReturnType<typeof openEdit>>) =>
    userEvent.click(edit.getByRole("button", { name: "Save Changes" }));

  it("sends what was changed alone: the rest may be another by now", async () => {
    const server = storesServer();
    const sent = server.answer(updateStore, { store: store({ _id: "store-2", name: "New Mill" }) });
    const edit = await openEdit();
    await typeName(edit, "New Mill");
    await save(edit);
    await screen.findByText("New Mill was saved.");
    expect(sent.map(({ body }) => body)).toEqual([{ name: "New Mill" }]);
  });

  it("sends each field that was changed, and one that was changed back not", async () => {
    const server = storesServer();
    const sent = server.answer(updateStore, { store: store({ _id: "store-2", name: "Old Mill" }) });
    const edit = await openEdit();
    await userEvent.selectOptions(edit.getByLabelText("Shopify Location"), "Airport");
    await userEvent.click(edit.getByRole("switch"));
    await typeName(edit, "New Mill");
    await typeName(edit, "Old Mill");
    await save(edit);
    await screen.findByText("Old Mill was saved.");
    expect(sent.map(({ body }) => body)).toEqual([
      { shopifyLocationId: "gid://shopify/Location/9", isActive: true },
    ]);
  });
});

it("the way to the tolerance waits until what was typed is saved, and says so", async () => {
  storesServer();
  openPage("/admin/stores");
  await userEvent.click(await screen.findByRole("button", { name: "EDIT Old Mill" }));
  const edit = within(await screen.findByRole("dialog", { name: "Edit Store" }));
  const tolerance = edit.getByRole("button", { name: "Set the Tolerance for Second Counts" });
  expect(tolerance).toHaveProperty("disabled", false);
  await userEvent.type(edit.getByLabelText("Store Name"), "s");
  expect(tolerance).toHaveProperty("disabled", true);
  edit.getByText("Save your changes first.");
});

it("a store's tolerance is shown and changed; with every field empty it has none", async () => {
  const server = storesServer();
  const none = { units: null, money: null, stockPercent: null, moneyPercent: null };
  const seen = { over: none, short: { ...none, stockPercent: 2.5 } };
  server.answer(storeTolerance, { tolerance: seen });
  const sent = server.answer(setStoreTolerance, { tolerance: null });
  openPage("/admin/stores");
  await userEvent.click(await screen.findByRole("button", { name: "EDIT Old Mill" }));
  const edit = within(await screen.findByRole("dialog", { name: "Edit Store" }));
  await userEvent.click(edit.getByRole("button", { name: "Set the Tolerance for Second Counts" }));
  const short = within(await screen.findByRole("group", { name: "Less Than Shopify Has" }));
  const dialog = within(screen.getByRole("dialog", { name: "Tolerance of Old Mill" }));
  const percent = short.getByRole("textbox", { name: "Per Cent of Stock" });
  expect(percent).toHaveProperty("value", "2.5");
  await userEvent.clear(percent);
  await userEvent.type(percent, "x");
  dialog.getByText("Enter a number.");
  await userEvent.clear(percent);
  await userEvent.click(dialog.getByRole("button", { name: "Save Tolerance" }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ tolerance: null, seen }]));
  await screen.findByText("The tolerance of Old Mill was saved.");
});
