import {
  acceptInvitation,
  deviceMaxSequence,
  endSession,
  finishArea,
  postScan,
  resolveScan,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { Admin } from "../people/admin.ts";
import { invite, type RunningCount, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { findArticle } from "../stock.ts";
import {
  expectAccessible,
  expectAccessibleDialog,
  expectAccessibleInside,
  still,
  twoAppearances,
} from "./axe.ts";

const edda = { name: "Edda", email: "edda@linden-quay.example" };

/** A phone that has joined: it may still send what it holds once the session has ended. */
async function phoneOf(url: string, { sessionId, storeId, locationId }: RunningCount, link: string) {
  const counter = new ApiClient(url);
  await counter.call(acceptInvitation, { params: { token: link.split("/").at(-1) ?? "" } });
  const inSession = { sessionId, locationId, deviceId: "phone of Edda" };
  const opened = { sessionId, deviceId: inSession.deviceId, tellsQueue: "true" as const };
  let seq = 0;
  return {
    /** Another phone of hers opens an area, and is never heard of. */
    opensUnheard: () =>
      counter.call(deviceMaxSequence, { query: { sessionId, deviceId: "Edda's old phone" } }),
    /** It says what it holds, which is nothing. */
    opens: () => counter.call(deviceMaxSequence, { query: { ...opened, pending: "0", pendingOrder: "1" } }),
    async scans(areaCode: string, input: string): Promise<string> {
      seq += 1;
      const body = { ...inSession, storeId, areaCode, input, inputType: "barcode" as const, seq };
      return (await counter.call(postScan, { body })).scan._id;
    },
    finishes: (areaCode: string, declaredTotal: number) =>
      counter.call(finishArea, { body: { ...inSession, areaCode, declaredTotal } }),
  };
}

test.use({ stageName: "certificates" });

test("a count is worked off until nothing is open and certified; a late scan takes that away, and its decision renews it", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2", "A3"].map((code) => ({ code, name: `Shelf ${code}` }));
  const place = { store: "Linden Quay Old Mill", location: "Ground Floor" };
  const count = await startCount(stage, { ...place, areas });
  const { barcode } = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const { link } = await invite(stage, count, edda);
  const phone = await phoneOf(stage.product.url, count, link);
  await phone.opens();
  await phone.opensUnheard();
  await phone.scans("A1", barcode);
  await phone.finishes("A1", 1);
  await phone.finishes("A2", 0);

  const admin = new Admin(await openPage({ ...still }));
  const { page, dialog } = admin;
  await admin.signsIn();
  await page.goto("/admin/sessions");
  await page.getByRole("link", { name: /^Coverage: [\d,]+ things open$/ }).click();
  await expect(page.getByText("1 empty area to be confirmed")).toBeVisible();
  await expectAccessible(page, "coverage, with things open", twoAppearances);
  await page.getByRole("button", { name: "Confirm Empty: A2" }).click();
  await page.getByRole("button", { name: "Don't Count: A3" }).click();
  await expectAccessibleInside(page, "ReasonDialog");
  await dialog.getByLabel("Reason").fill("Being rebuilt");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /^Leave All [\d,]+ SKUs Alone/ }).click();
  await dialog.getByLabel("Reason").fill("Only tees are counted today");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("1 device of which it is not known whether everything was sent")).toBeVisible();
  await page.getByRole("button", { name: "Account for: Edda" }).click();
  await expectAccessibleInside(page, "AccountDialog");
  await dialog.getByLabel("Reason").fill("Looked at: nothing to send");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("table", { name: "Devices accounted for" })).toContainText(
    "Looked at: nothing to send",
  );
  await expect(page.getByText("Nothing Is Open", { exact: true })).toBeVisible();

  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  await page.getByRole("button", { name: "Issue Certificate" }).click();
  await expect(page.getByText("Version 1 of the coverage certificate was issued.")).toBeVisible();
  await expectAccessible(page, "coverage, certified", twoAppearances);

  const report = `/admin/reports?session=${count.sessionId}`;
  await page.goto(report);
  await expect(page.getByRole("region", { name: "Coverage" })).toContainText("Certificate version 1");
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(
    page.getByRole("definition").filter({ hasText: /^Certificate version 1 [0-9a-f]{64}$/ }),
  ).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Deploy to Shopify" }).click();
  await expect(dialog.getByText("Certificate version 1")).toBeVisible();
  await page.keyboard.press("Escape");

  const late = await phone.scans("A1", barcode);
  await expect(page.getByRole("region", { name: "Coverage" })).toContainText(
    "Certificate version 1 no longer holds: 1 thing open",
  );
  await page.getByRole("button", { name: "Deploy to Shopify" }).click();
  await expect(dialog.getByText("Certificate version 1 no longer holds: 1 thing open")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto(`/admin/sessions/${count.sessionId}/exceptions`);
  await expectAccessibleDialog(page, "AcceptDialog", `Accept: ${barcode}`);
  await page.goto(report);
  await count.admin.call(resolveScan, { params: { id: late }, body: { action: "accept" } });
  await expect(page.getByRole("region", { name: "Coverage" })).toContainText("Certificate version 2");
  await page.getByRole("link", { name: "Coverage of this session" }).click();
  const versions = page.getByRole("table", { name: "Versions of the certificate" });
  await expect(versions.getByRole("row")).toHaveCount(3);
  await expect(versions.getByRole("row").nth(1)).toContainText("1 SKU");
});
