import type { Page } from "@playwright/test";
import { revokeInvitation } from "@stocktake/contract";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, test as stageTest } from "./stage.ts";
import { adminPassword, type Stage } from "./staging.ts";

const missingRedirectMs = 2_000;

interface AccessFixtures {
  readonly count: RunningCount;
}

const test = stageTest.extend<object, AccessFixtures>({
  count: [
    async ({ stage }, use) => {
      const areas = [{ code: "A1", name: "Tables" }];
      await use(await startCount(stage, { store: "Linden Quay Old Mill", location: "Ground Floor", areas }));
    },
    { scope: "worker" },
  ],
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

test("who is not signed in is sent from a guarded page to the login", async ({ openPage }) => {
  const page = await openPage();
  for (const path of ["/", "/admin", "/admin/reports", "/admin/settings", "/counter", "/counter/scan"]) {
    await page.goto(path);
    await expect(page).toHaveURL("/login");
    await expect(heading(page, "Administrator Login")).toBeVisible();
  }
});

test("the login leads to the page that was asked for", async ({ openPage }) => {
  const page = await openPage();
  await page.goto("/admin/locations");
  await page.getByLabel("Password").fill(adminPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(heading(page, "Locations")).toBeVisible();
  await expect(page).toHaveURL("/admin/locations");
});

test("a wrong password says so and leaves the form", async ({ openPage }) => {
  const page = await openPage();
  await page.goto("/login");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("alert")).toContainText("Error");
  await expect(page.getByLabel("Password")).toHaveValue("not the password");
});

test("a counter has no access to the administrator's pages", async ({ openPage, stage, count }) => {
  const page = await openPage();
  await join(page, stage, count, "Ilse");
  for (const path of ["/admin", "/admin/reports"]) {
    await page.goto(path);
    await expect(heading(page, "Access Denied")).toBeVisible();
    await expect(page.getByText("You don't have permission to access this page.")).toBeVisible();
    await page.getByRole("button", { name: "Go Back" }).click();
    await expect(heading(page, "Counter Dashboard")).toBeVisible();
  }
  await page.goto("/admin");
  await page.getByRole("button", { name: "Login with Different Account" }).click();
  await expect(heading(page, "Administrator Login")).toBeVisible();
  await page.goto("/counter");
  await expect(page).toHaveURL("/login");
});

test("an administrator has no access to the counter's pages", async ({ openPage }) => {
  const page = await openPage();
  await new Admin(page).signsIn();
  for (const path of ["/counter", "/counter/scan"]) {
    await page.goto(path);
    await expect(heading(page, "Access Denied")).toBeVisible();
  }
  await page.getByRole("button", { name: "Go Back" }).click();
  await expect(page).toHaveURL("/admin");
});

test("any other path leads to the login, and who is signed in on to their dashboard", async ({
  openPage,
}) => {
  const page = await openPage();
  await page.goto("/no/such/page");
  await expect(page).toHaveURL("/login");
  await new Admin(page).signsIn();
  await page.goto("/no/such/page");
  await expect(page).toHaveURL("/admin");
});

test("the front door leads each role to its dashboard", async ({ openPage, stage, count }) => {
  const atDesk = await openPage();
  await new Admin(atDesk).signsIn();
  await atDesk.goto("/");
  await expect(atDesk).toHaveURL("/admin");
  const onFloor = await openPage();
  await join(onFloor, stage, count, "Piet");
  await onFloor.goto("/");
  await expect(onFloor).toHaveURL("/counter");
});

test.describe("an invitation that the server does not have", () => {
  test.use({ provokedRefusals: [404] });

  test("can be tried again or left for the login", async ({ openPage }) => {
    const page = await openPage();
    await page.goto("/counter/invite/no-such-token");
    await expect(heading(page, "Invalid Invitation")).toBeVisible();
    await expect(page.getByText("Invalid or expired invitation")).toBeVisible();
    const askedAgain = page.waitForResponse("**/api/auth/invite/no-such-token");
    await page.getByRole("button", { name: "Try Again" }).click();
    await askedAgain;
    await expect(heading(page, "Invalid Invitation")).toBeVisible();
    await page.getByRole("link", { name: "Go to Login" }).click();
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

test("a reload keeps the login, a logout ends it", async ({ openPage }) => {
  const page = await openPage();
  await new Admin(page).signsIn();
  await page.reload();
  await expect(heading(page, "Welcome back, admin!")).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/login");
  await page.goto("/admin");
  await expect(page).toHaveURL("/login");
});

test("the scan screen without an area says what is missing and leads back", async ({
  openPage,
  stage,
  count,
}) => {
  const page = await openPage();
  await join(page, stage, count, "Sami");
  await page.getByRole("link", { name: "Scan" }).click();
  await expect(page.getByRole("radiogroup", { name: /^Select (Location|Area)$/ }).first()).toBeVisible();
  await expect(page).toHaveURL("/counter");
  await page.goto("/counter/scan");
  await expect(page.getByText("Missing required data. Redirecting...")).toBeVisible();
  await page.clock.fastForward(missingRedirectMs);
  await expect(heading(page, "Counter Dashboard")).toBeVisible();
});
