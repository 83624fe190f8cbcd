// node measure.js PORT ADDRESS RESULT [reload]: loads the address in the browser that listens on the port, writes Lighthouse's
// result to a file. With "reload" the browser's tab that shows the address is loaded again, with its history entry's state.
// Started by bench:pages as a program of its own: Lighthouse is no dependency of the workspaces.
import { writeFile } from "node:fs/promises";
import { navigation } from "lighthouse";
import { connect } from "puppeteer-core";

const [port, address, result, how] = process.argv.slice(2);
// Lighthouse's own default is the mobile preset; it is said for whoever reads this.
const settings = { onlyCategories: ["performance"], formFactor: "mobile", throttlingMethod: "simulate" };

const browser = await connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null });
try {
  const pages = await browser.pages();
  const shown = how === "reload" ? pages.find((page) => page.url() === address) : undefined;
  if (how === "reload" && shown === undefined) throw new Error(`No tab of the browser shows ${address}.`);
  const page = shown ?? (await browser.newPage());
  const measured = await navigation(
    page,
    shown === undefined ? address : async () => void (await page.reload()),
    {
      config: { extends: "lighthouse:default", settings },
    },
  );
  if (measured === undefined) throw new Error("Lighthouse measured nothing.");
  await writeFile(result, JSON.stringify(measured.lhr));
  if (shown === undefined) await page.close();
} finally {
  await browser.disconnect();
}
