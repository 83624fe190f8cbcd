import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer, wholeReport } from "../testing/report-server.ts";

const known = reportItem({ sku: "LIN-S", variance: 3, costImpact: 30 });
const unknown = reportItem({ sku: "LIN-M", variance: -2, unitCost: null, costImpact: null });

async function impactOf(items: readonly ReturnType<typeof reportItem>[]): Promise<string | null | undefined> {
  reportServer({ items: [...items] });
  openPage(address);
  await wholeReport();
  return (await screen.findByText("Total Impact")).parentElement?.textContent;
}

it("a product's impact says how many of its SKUs have no cost and are not in it", async () => {
  expect(await impactOf([known, unknown])).toBe("Total Impact+$30.00, plus 1 SKU without a cost");
});

it("a product's impact that leaves out nothing is the sum alone", async () => {
  expect(await impactOf([known])).toBe("Total Impact+$30.00");
});
