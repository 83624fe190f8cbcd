import { still } from "./accessibility/axe.ts";
import { layoutShiftOf, sumLayoutShifts } from "./layout-shifts.ts";
import { Admin } from "./people/admin.ts";
import { startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";

test.use({ stageName: "steady-pages" });

test("nothing moves from under the pointer on the sessions while one counts, nor on the settings", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  await startCount(stage, { store: "Linden Quay Old Mill", location: "Floor", areas });
  const desk = await openPage(still);
  await new Admin(desk).signsIn();
  const storageState = await desk.context().storageState();
  for (const { address, lastDrawn } of [
    { address: "/admin/sessions", lastDrawn: "Show 2 Areas and Devices" },
    { address: "/admin/settings", lastDrawn: "Check Again" },
  ]) {
    const page = await openPage({ ...still, viewport: { width: 1440, height: 900 }, storageState });
    await page.addInitScript(sumLayoutShifts);
    await page.goto(address);
    await expect(page.getByRole("button", { name: lastDrawn })).toBeVisible();
    expect.soft(await layoutShiftOf(page), address).toBeLessThan(0.02);
  }
});
