import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { openCounter } from "../testing/counter-harness.tsx";
import { ScriptedShop } from "../testing/scripted-shop.ts";

async function openDashboard(): Promise<ScriptedShop> {
  const shop = new ScriptedShop();
  // The list of every area, which keeps those of each location too, has not come yet.
  shop.hold("/api/areas");
  const { client } = await openCounter({ path: "/counter", shop });
  // Asked once: that it asks again is held elsewhere.
  client.setDefaultOptions({ queries: { retry: false, networkMode: "always" } });
  return shop;
}

async function expectErrorBox(text: string): Promise<void> {
  const message = await screen.findByText(text);
  expect(message.closest("[role=alert]")?.className).toBe("notice error");
}

describe("a list that can't be read and was never cached", () => {
  it("of the locations: Failed to fetch locations [spec:8.fallback.19]", async () => {
    const shop = await openDashboard();
    const store = await screen.findByRole("radio", { name: "Harbour Street" });
    shop.isAway = true;
    await userEvent.click(store);
    await expectErrorBox("Failed to fetch locations");
  });

  it("of the areas: Failed to fetch areas [spec:8.fallback.20]", async () => {
    const shop = await openDashboard();
    await userEvent.click(await screen.findByRole("radio", { name: "Harbour Street" }));
    const location = await screen.findByRole("radio", { name: "Sales Floor" });
    shop.isAway = true;
    await userEvent.click(location);
    await expectErrorBox("Failed to fetch areas");
  });
});
