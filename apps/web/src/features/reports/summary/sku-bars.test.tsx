import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer } from "../testing/report-server.ts";

const items = [
  reportItem({ sku: "JK-100", productTitle: "Jacket", size: "M", variance: -2, costImpact: -80 }),
  reportItem({ sku: "JK-1000", productTitle: "Jacket", size: "L", variance: -1, costImpact: -40 }),
];

async function skusShown() {
  const table = await screen.findByRole("table", { name: "Variance Report" });
  return Array.from(table.querySelectorAll("button[data-sku]"), ({ textContent }) => textContent);
}

it("a bar of a SKU shows the row of that SKU alone, which the address keeps", async () => {
  reportServer({ items });
  const page = openPage(address);
  const impacts = within(
    await screen.findByRole("figure", { name: "Ten largest cost impacts of what was counted, in USD" }),
  );
  await userEvent.click(impacts.getByRole("button", { name: /^Jacket · M/ }));
  await waitFor(async () => expect(await skusShown()).toEqual(["JK-100"]));
  expect(page.address()).toBe(`${address}&show=variances&sku=JK-100&tab=variances`);
  expect(screen.getByLabelText("Search")).toHaveProperty("value", "");
  screen.getByText("Only SKU JK-100");
  await userEvent.click(screen.getByRole("button", { name: "Show every SKU" }));
  await waitFor(async () => expect(await skusShown()).toHaveLength(2));
  expect(page.address()).toBe(`${address}&show=variances&tab=variances`);
});

it("a link to one SKU shows it alone", async () => {
  reportServer({ items });
  openPage(`${address}&sku=JK-100`);
  await waitFor(async () => expect(await skusShown()).toEqual(["JK-100"]));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Variance Report"));
});
