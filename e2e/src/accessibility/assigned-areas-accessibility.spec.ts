import { smallScreens } from "../hands.ts";
import { Admin } from "../people/admin.ts";
import { Counter } from "../people/counter.ts";
import { addPlace, invite, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { findArticle } from "../stock.ts";
import {
  expectAccessible,
  expectAccessibleDialog,
  expectAccessibleOpenDialog,
  still,
  twoAppearances,
} from "./axe.ts";

const store = "Linden Quay Old Mill";
const location = "Ground Floor";

test.use({ stageName: "assigned-areas" });

test("an area that is given to somebody else while it is counted stops on the phone; what was scanned counts and the administrator sees whose it is", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, { store, location, areas });
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  await invite(stage, running, { name: "Edda", email: "edda@linden-quay.example" });
  const { link } = await invite(stage, running, { name: "Mila", email: "mila@linden-quay.example" });
  const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
  await counter.joins(link, "Mila");
  await counter.startsArea({ store, location, area: "A1" });
  await counter.scans([tee.barcode]);

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  await expectAccessibleDialog(admin.page, "AssignDialog", "Assign Areas");
  await admin.page.getByRole("button", { name: "Assign Areas" }).click();
  await admin.dialog.getByLabel("Person").selectOption({ label: "Edda, edda@linden-quay.example: 0 areas" });
  await admin.dialog.getByRole("checkbox", { name: "A1" }).check();
  await admin.dialog.getByRole("checkbox", { name: "Only who is assigned may count an area" }).check();
  await admin.dialog.getByRole("button", { name: "Save" }).click();
  await expect(admin.dialog).toBeHidden();

  await expect(counter.banner).toContainText(
    "This area is now assigned to Edda. What you scanned here counts.",
  );
  await counter.page.getByRole("button", { name: "Exit Area" }).click();
  const taken = counter.page.getByRole("radio", { name: "A1" });
  await expect(taken).toBeDisabled();
  await expect(counter.page.getByText("Assigned to Edda alone.")).toBeVisible();
  await expectAccessible(counter.page, "areas of others", twoAppearances);
  await counter.startsArea({ store, location, area: "A2" });

  await admin.page.getByRole("button", { name: "Show 2 Areas and Devices" }).click();
  const row = admin.dialog.getByRole("row", { name: /A1/ });
  await expect(row).toContainText("Edda");
  await expect(row).toContainText("Mila");
});

test("areas that are assigned beforehand are the counter's as soon as the plan is started, and nobody else's", async ({
  openPage,
  stage,
}) => {
  const planned = "Linden Quay Harbour Street";
  const areas = [
    { code: "P1", name: "Racks" },
    { code: "P2", name: "Window" },
  ];
  await addPlace(stage, { store: planned, location, areas });
  const admin = new Admin(await openPage({ ...still, viewport: smallScreens[0] }));
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  await admin.page.getByRole("button", { name: "Plan a Session" }).click();
  await admin.dialog.getByLabel("Store").selectOption({ label: planned });
  const people = "Nora, nora@linden-quay.example\nOle, ole@linden-quay.example";
  await admin.dialog.getByLabel("People to Invite (Optional)").fill(people);
  await admin.dialog.getByRole("button", { name: "Assign Areas to These People" }).click();
  await admin.dialog.getByRole("checkbox", { name: "P1 – Racks" }).check();
  await admin.dialog.getByRole("checkbox", { name: "Only who is assigned may count an area" }).check();
  await admin.dialog.getByRole("button", { name: "Save Plan" }).click();
  await expect(admin.dialog).toBeHidden();
  const card = admin.page.getByRole("article", { name: `Planned: ${planned}` });
  await expect(card).toContainText("1 area to 1 person alone");
  const opener = card.getByRole("button", { name: "Edit the planned" });
  await opener.click();
  await expect(admin.dialog.getByRole("checkbox", { name: "P1 – Racks" })).toBeChecked();
  await expectAccessibleOpenDialog(admin.page, "PlanDialog", opener);
  await expectAccessibleDialog(admin.page, "DeleteButton", "Delete the planned");
  await expectAccessibleDialog(admin.page, "PlanCard", "Start Now: the planned");
  await card.getByRole("button", { name: "Start Now: the planned" }).click();
  await admin.dialog.getByRole("button", { name: "Start Session" }).click();
  await expect(admin.page.getByText(`Counting has started in ${planned}.`)).toBeVisible();

  const link = await stage.mailbox.linkFor("ole@linden-quay.example");
  const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
  await counter.joins(link, "Ole");
  await expect(counter.page.getByRole("radio", { name: "P1" })).toBeDisabled();
  await expect(counter.page.getByText("Assigned to Nora alone.")).toBeVisible();
  await expect(counter.page.getByRole("radio", { name: "P2" })).toBeEnabled();
});
