import type { Page } from "@playwright/test";
import { endSession } from "@stocktake/contract";
import { still } from "../accessibility/axe.ts";
import { overhangOf } from "../hands.ts";
import { Admin } from "../people/admin.ts";
import { countOverApi, invite, type RunningCount, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import type { Stage } from "../staging.ts";

// Shown as a code, as of every currency without a sign of its own; and a rupiah is worth little, so that sums of it are long.
test.use({ stageName: "wide-sums", currency: "IDR" });

const store = "Linden Quay Old Mill";
const costs = {
  "WIDE-1": "3600.00",
  "WIDE-2": "5550000.00",
  "WIDE-3": "123750000.00",
  "WIDE-4": "98999999010.00",
};
const areas = [
  { code: "A1", name: "Rack, Wall" },
  { code: "A2", name: "Rack" },
];

async function countDearThings(stage: Stage): Promise<RunningCount> {
  const { locations } = await stage.shop.snapshot();
  for (const [sku, unitCost] of Object.entries(costs)) {
    const stock = locations.map(() => ({ available: sku === "WIDE-4" ? 12 : 1 }));
    const variant = { title: "M", sku, options: [{ name: "Size", value: "M" }], unitCost, stock };
    await stage.shop.addProduct({ title: `Coat ${sku}`, vendor: "", productType: "", variants: [variant] });
  }
  const count = await startCount(stage, { store, location: "Floor", areas, scope: "partial" });
  const { link } = await invite(stage, count, { name: "Edda Voss", email: "edda@linden-quay.example" });
  const common = { link, inputType: "sku", finish: true } as const;
  const twice = Object.keys(costs).slice(0, 3);
  await countOverApi(stage, count, { ...common, area: "A1", codes: [...twice, ...twice] });
  await countOverApi(stage, count, { ...common, area: "A2", codes: ["WIDE-3", "WIDE-4"] });
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  return count;
}

/** Sums that are broken over lines, that reach out of their cell or tile, or that something else is drawn over. */
function spoiltSums(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const spoilt: string[] = [];
    const texts = document.createTreeWalker(
      document.querySelector("main") ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      const holder = node.parentElement?.closest("td, dd, li, p, button, span");
      if (holder === null || holder === undefined || !holder.checkVisibility()) continue;
      for (const sum of (node.textContent ?? "").matchAll(/[-+]?\u2060?IDR\s[\d,.]*\d/g)) {
        const range = document.createRange();
        range.setStart(node, sum.index);
        range.setEnd(node, sum.index + sum[0].length);
        const { left, right, height } = range.getBoundingClientRect();
        const box = holder.getBoundingClientRect();
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (height === 0) continue;
        if (lines.size > 1) spoilt.push(`${sum[0]} is broken`);
        if (left < box.left - 1 || right > box.right + 1)
          spoilt.push(`${sum[0]} reaches out of its ${holder.tagName}`);
      }
    }
    return spoilt;
  });
}

test("long sums in a currency that is shown as a code are whole on every screen and on paper", async ({
  openPage,
  stage,
}) => {
  const { sessionId } = await countDearThings(stage);
  const page = await openPage(still);
  await new Admin(page).signsIn();
  for (const rows of ["", "&rows=-cost"]) {
    await page.goto(`/admin/reports?session=${sessionId}${rows}`);
    await expect(page.getByRole("heading", { name: "Variance Report" })).toBeVisible();
    for (const width of [1440, 1200, 900, 390, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const folded = page.locator("main h2 button[aria-expanded=false]");
      while ((await folded.count()) > 0) await folded.first().click();
      await expect(page.getByRole("figure")).toHaveCount(2);
      const dearest = page.locator("td").filter({ hasText: "1,088,999,989,110" });
      await expect(dearest.first()).toBeVisible();
      expect.soft(await spoiltSums(page), `at ${width}${rows}`).toEqual([]);
      expect.soft(await overhangOf(page), `pixels that stick out at ${width}`).toBe(0);
    }
  }
  // The width of A4 without its margins.
  await page.setViewportSize({ width: 718, height: 1_000 });
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(page.getByText("Name, date, signature").first()).toBeVisible();
  expect(await spoiltSums(page)).toEqual([]);
});
