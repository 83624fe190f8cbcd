import type { Page } from "@playwright/test";
import { acceptInvitation, revokeInvitation, sessionProgress } from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, once, test as stageTest } from "./stage.ts";
import { adminPassword, type Stage } from "./staging.ts";
import { findArticle } from "./stock.ts";

const missingRedirectMs = 2_000;

interface AccessFixtures {
  readonly count: RunningCount;
}

const test = stageTest.extend<AccessFixtures>({
  count: once((stage) => {
    const areas = [{ code: "A1", name: "Tables" }];
    return startCount(stage, { store: "Linden Quay Old Mill", location: "Ground Floor", areas });
  }),
});

test.use({ stageName: "access" });

function heading(page: Page, name: string) {
  return page.getByRole("heading", { level: 1, name });
}

async function join(page: Page, stage: Stage, count: RunningCount, name: string): Promise<string> {
  const person = { name, email: `${name.toLowerCase()}@linden-quay.example` };
  const { link, invitationId } = await invite(stage, count, person);
  await new Counter(page).joins(link, name);
  return invitationId;
}

test("a stranger", async ({ openPage }) => {
  const page = await openPage();

  await test.step("is sent from a guarded page to the login", async () => {
    for (const path of ["/", "/admin", "/admin/reports", "/admin/settings", "/counter", "/counter/scan"]) {
      await page.goto(path);
      await expect(page).toHaveURL("/login");
      await expect(heading(page, "Administrator Login")).toBeVisible();
    }
  });

  await test.step("comes by any other path to the login", async () => {
    await page.goto("/no/such/page");
    await expect(page).toHaveURL("/login");
  });

  await test.step("with a wrong password is told so and left the form", async () => {
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page.getByRole("alert")).toContainText("Error");
    await expect(page.getByLabel("Password")).toHaveValue("not the password");
  });

  await test.step("is led by the login to the page that was asked for", async () => {
    await page.goto("/admin/locations");
    await page.getByLabel("Password").fill(adminPassword);
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(heading(page, "Locations")).toBeVisible();
    await expect(page).toHaveURL("/admin/locations");
  });
});

test("an administrator", async ({ openPage }) => {
  const page = await openPage();
  await new Admin(page).signsInByForm();

  await test.step("has no access to the counter's pages", async () => {
    for (const path of ["/counter", "/counter/scan"]) {
      await page.goto(path);
      await expect(heading(page, "Access Denied")).toBeVisible();
    }
    await page.getByRole("button", { name: "Go Back" }).click();
    await expect(page).toHaveURL("/admin");
  });

  await test.step("comes by any other path, and by the front door, to the dashboard", async () => {
    for (const path of ["/no/such/page", "/"]) {
      await page.goto(path);
      await expect(page).toHaveURL("/admin");
    }
  });

  await test.step("keeps the login over a reload, and loses it by a logout", async () => {
    await page.reload();
    await expect(heading(page, "Welcome, admin!")).toBeVisible();
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL("/login");
    await page.goto("/admin");
    await expect(page).toHaveURL("/login");
  });
});

test("a counter", async ({ openPage, stage, count }) => {
  const page = await openPage();
  await join(page, stage, count, "Sami");

  await test.step("without an area is told by the scan screen what is missing, and led back", async () => {
    await page.getByRole("link", { name: "Scan" }).click();
    await expect(page.getByRole("radiogroup", { name: /^Select (Location|Area)$/ }).first()).toBeVisible();
    await expect(page).toHaveURL("/counter");
    // The sentence is there for two seconds: the page itself looks for it, with each picture that it draws.
    const told = page.getByText("Missing required data. Redirecting...").waitFor();
    await page.goto("/counter/scan");
    await told;
    await page.clock.fastForward(missingRedirectMs);
    await expect(heading(page, "Counter Dashboard")).toBeVisible();
  });

  await test.step("comes by the front door to the dashboard", async () => {
    await page.goto("/");
    await expect(page).toHaveURL("/counter");
  });

  await test.step("has no access to the administrator's pages", async () => {
    await page.goto("/admin");
    await page.getByRole("button", { name: "Login with Different Account" }).click();
    await expect(heading(page, "Administrator Login")).toBeVisible();
    await page.goto("/counter");
    await expect(page).toHaveURL("/login");
  });
});

test("a revoked invitation ends the counter's login", async ({ openPage, stage, count }) => {
  const page = await openPage();
  const invitationId = await join(page, stage, count, "Nora");
  await count.admin.call(revokeInvitation, { params: { id: invitationId } });
  await page.reload();
  await expect(page).toHaveURL("/login");
});

test.describe("a counter who signs in elsewhere once more than an invitation has logins", () => {
  test.use({ provokedRefusals: [401] });

  test("is told so at the login, and what is kept comes by the same invitation", async ({
    openPage,
    stage,
    count,
  }) => {
    const shop = await stage.shop.snapshot();
    const counter = new Counter(await openPage());
    const { page } = counter;
    const person = { name: "Odile", email: "odile@linden-quay.example" };
    const { link } = await invite(stage, count, person);
    await counter.joins(link, person.name);
    await counter.syncsProducts("Linden Quay Old Mill", shop.variants.length);
    await counter.startsArea({ store: "Linden Quay Old Mill", location: "Ground Floor", area: "A1" });
    await counter.goesOffline();
    const { barcode } = findArticle(shop, "Tern Tee Chalk", "M");
    await counter.scans([barcode, barcode]);

    const params = { token: link.split("/").at(-1) ?? "" };
    for (let others = 0; others < 20; others += 1) {
      await new ApiClient(stage.product.url).call(acceptInvitation, { params });
    }
    await page.context().setOffline(false);
    await expect(page).toHaveURL("/login");
    await expect(heading(page, "Administrator Login")).toBeVisible();
    await expect(page.getByText("You were signed out here, because you signed in elsewhere")).toBeVisible();
    await expect(page.getByText("2 scans on this device have not reached the server.")).toBeVisible();
    await expect(page.getByText("open your invitation link again on this device")).toBeVisible();

    await page.goto(link);
    await page.getByRole("button", { name: "Start Counting" }).click();
    await expect(heading(page, "Counter Dashboard")).toBeVisible();
    const scanned = async () => {
      const { areas } = await count.admin.call(sessionProgress, { params: { id: count.sessionId } });
      return areas.find(({ code }) => code === "A1")?.scans;
    };
    await expect.poll(scanned).toBe(2);
  });
});
