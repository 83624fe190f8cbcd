import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiClient, freePort } from "@stocktake/testkit";
import { chromium, type Page } from "playwright-core";
import { findChromium } from "../../../scripts/chromium.ts";

/** A browser with a profile of its own, which Lighthouse reaches by its port. */
export interface Person {
  readonly port: number;
  readonly page: Page;
  close(): Promise<void>;
}

/** @param client whose login the browser has, null for a stranger */
export async function openPerson(url: string, client: ApiClient | null): Promise<Person> {
  const executablePath = findChromium();
  const profile = await mkdtemp(join(tmpdir(), "stocktake-bench-"));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath === "" ? {} : { executablePath }),
    args: [
      ...["--no-sandbox", "--disable-background-networking", "--disable-quic"],
      `--remote-debugging-port=${port}`,
    ],
    viewport: { width: 412, height: 823 },
  });
  const [name = "", value = ""] = (client?.cookie ?? "").split("=");
  if (client !== null) await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  const close = async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { port, page, close };
}

/** Waits until the store's products are on the device. */
export async function seeDashboard({ page }: Person, url: string): Promise<void> {
  await page.goto(`${url}/counter`);
  await page.getByText("products for offline use!").waitFor({ timeout: 120_000 });
}

/** Opens an area, by the first location. */
export async function openArea({ page }: Person, url: string, area: string): Promise<void> {
  await page.goto(`${url}/counter`);
  await page.getByRole("radio", { name: "Sales floor" }).check();
  await page.getByRole("radio", { name: area }).check();
  await page.getByRole("button", { name: "Start Counting Area" }).click();
  await page.getByText("READY TO SCAN").waitFor();
}
