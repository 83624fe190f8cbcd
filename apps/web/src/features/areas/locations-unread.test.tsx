import { listAreas, listLocations, listSessions, listStores } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { admin, area, location, store } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

function openLocations(arrange: (server: FakeServer) => void) {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, { areas: [area()] });
  server.answer(listSessions, { sessions: [] });
  arrange(server);
  return openPage("/admin/locations");
}

const listedStore = () => screen.queryByRole("region", { name: "Harbour Street" });

it("no location is said to have no areas, nor to take none with it when deleted, before its areas are known", async () => {
  let release = (): void => undefined;
  const { client } = openLocations((server) => {
    ({ release } = server.answerLater(listAreas, { areas: [area()] }));
  });
  await screen.findByRole("option", { name: "Harbour Street" });
  await waitFor(() => expect(client.isFetching()).toBe(1));
  expect(listedStore()).toBeNull();
  release();
  const card = within(await screen.findByRole("article", { name: "Sales Floor" }));
  card.getByText("1 area");
});

it("no store is said to have no locations before they are known", async () => {
  let release = (): void => undefined;
  const { client } = openLocations((server) => {
    ({ release } = server.answerLater(listLocations, { locations: [location()] }));
  });
  await screen.findByRole("option", { name: "Harbour Street" });
  await waitFor(() => expect(client.isFetching()).toBe(1));
  expect(listedStore()).toBeNull();
  release();
  await screen.findByRole("article", { name: "Sales Floor" });
});

it("locations whose areas can't be read are not listed as if they had none", async () => {
  const { client } = openLocations((server) => {
    server.refuse(listAreas, "OVERLOADED", "The server is busy.");
  });
  await screen.findByText("The server is busy.");
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(listedStore()).toBeNull();
});
