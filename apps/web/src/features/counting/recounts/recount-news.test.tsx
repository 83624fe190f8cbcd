import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { createQueryClient } from "../../../http/query-client.ts";
import { clearDevice } from "../../../offline/testing/fresh-database.ts";
import { deviceRoots } from "../lists/counter-queries.ts";
import { renderWithDevice } from "../testing/render-with-device.tsx";
import { mia, openScriptedDevice } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { RecountNews } from "./recount-news.tsx";

const recount = {
  ...{ pass: 2, reason: "The top shelf was left out.", requestedBy: "admin" },
  requestedAt: "2026-03-01T10:00:00.000Z",
};

async function openAt(path: string) {
  const shop = new ScriptedShop();
  vi.stubGlobal("fetch", shop.fetch);
  clearDevice();
  const device = await openScriptedDevice(shop);
  const client = createQueryClient();
  const router = renderWithDevice({ device, client, element: <RecountNews />, path });
  await waitFor(() => expect(client.getQueryData([deviceRoots.book, mia._id])).toBeDefined());
  const ask = async (changes: object = {}) => {
    shop.areas = shop.areas.map((area) =>
      area.code === "A1" ? { ...area, pass: 2, recount, ...changes } : area,
    );
    await client.invalidateQueries({ queryKey: [deviceRoots.book] });
  };
  return { router, client, ask };
}

it.each(["/counter/search/session-1/3", "/counter/logins"])(
  "S34: a recount is told of on %s",
  async (path) => {
    const { router, ask } = await openAt(path);
    await ask();
    await screen.findByText("Area A1 - Area A1 is to be counted again");
    screen.getByText(/The top shelf was left out\./);
    await userEvent.click(screen.getByRole("link", { name: "Go to the Dashboard" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/counter"));
    expect(screen.queryByRole("status")).toBeNull();
  },
);

it("S34: one that others are at already is not", async () => {
  const { client, ask } = await openAt("/counter/logins");
  const activity = { devices: 1, usernames: ["Tom"], lastScanAt: "2026-03-01T10:05:00.000Z" };
  await ask({ status: "in_progress", activity });
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryByRole("status")).toBeNull();
});
