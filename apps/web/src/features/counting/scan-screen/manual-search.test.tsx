import { cleanup, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { openStation } from "../testing/counter-harness.tsx";
import { allSent, banner, bannerShows, countBecomes, scannerInEachTest } from "../testing/scanning-hand.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const hand = scannerInEachTest();

async function openEntry(): Promise<HTMLElement> {
  await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
  return screen.findByPlaceholderText("Enter SKU, Barcode, or Last 4-8 digits");
}

async function hits(): Promise<string[]> {
  const list = await screen.findByRole("list", { name: "Products found" });
  return within(list)
    .getAllByRole("button")
    .map((button) => button.textContent ?? "");
}

describe("finding a product by hand", () => {
  it("S36: names what matches with its size and how many are here already, also offline, and a tap counts it as its SKU", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await allSent(harness);
    harness.shop.isAway = true;
    await userEvent.type(await openEntry(), "lin shirt");
    await waitFor(async () =>
      expect(await hits()).toEqual([
        "Linen ShirtSize MSKU SHIRT-Malready 1\u00a0here",
        "Linen ShirtSize LSKU SHIRT-L",
      ]),
    );
    screen.getByText("2 products found. Tap one to count it.");
    await userEvent.click(screen.getByRole("button", { name: /SHIRT-L/ }));
    expect(screen.queryByRole("dialog", { name: "Manual Entry" })).toBeNull();
    await countBecomes("2");
    await bannerShows("SHIRT-L) · 1 here");
    harness.shop.isAway = false;
    harness.device.engine.retryNow();
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({
      ...{ input: "SHIRT-L", inputType: "sku", method: "manual" },
    });
  });

  it("says so where nothing matches, and nothing at all of digits, which may be a barcode", async () => {
    await openStation();
    await hand.firstScan();
    const field = await openEntry();
    // Not key by key: the clock of this hand stops between its scans, so that typing would be a scanner's burst.
    fireEvent.change(field, { target: { value: "trousers" } });
    await screen.findByText("No product on this device has that in its title, size or SKU.");
    fireEvent.change(field, { target: { value: "4006381333948" } });
    await waitFor(() => expect(screen.queryByText(/^No product on this device/)).toBeNull());
    await userEvent.type(field, "{Enter}");
    await countBecomes("2");
  });
});

/** As pressed once what is asked has been read. */
function submitLater(field: HTMLElement): void {
  const form = field.closest("form");
  if (form === null) throw new Error("The field is in no form.");
  const event = createEvent.submit(form);
  Object.defineProperty(event, "timeStamp", { value: event.timeStamp + 600 });
  fireEvent(form, event);
}

describe("Submit of what is the code of no product", () => {
  const question =
    "No product here has exactly this code. Tap the one that you mean, or press Submit again to set it aside as unknown.";

  it.each(["shirt-m", "Linen Shirt"])(
    "asks first where products are listed, and takes a tap on one: %s",
    async (typed) => {
      const harness = await openStation();
      await hand.firstScan();
      const field = await openEntry();
      fireEvent.change(field, { target: { value: typed } });
      await screen.findByText(/Tap one to count it\.$/);
      await userEvent.type(field, "{Enter}");
      expect(screen.getByRole("alert").textContent).toBe(question);
      expect(harness.shop.scanning.scans.map(({ payload }) => payload.input)).not.toContain(typed);
      await userEvent.click(screen.getByRole("button", { name: /SHIRT-M/ }));
      await countBecomes("2");
      await allSent(harness);
      expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({
        input: "SHIRT-M",
        method: "manual",
      });
    },
  );

  it("is unknown by a second Submit, and asked about anew once it is another", async () => {
    const shop = new ScriptedShop();
    shop.products = shop.products.map((product) => ({ ...product, productTitle: "Shirt of unknown linen" }));
    await openStation({ shop });
    await hand.firstScan();
    const field = await openEntry();
    for (const typed of ["unknown", "unknown linen"]) {
      fireEvent.change(field, { target: { value: typed } });
      await screen.findByText(/Tap one to count it\.$/);
      await userEvent.click(screen.getByRole("button", { name: "Submit" }));
      expect(screen.getByRole("alert").textContent).toBe(question);
    }
    // The second tap of a double tap is none.
    await userEvent.click(screen.getByRole("button", { name: "Submit" }));
    expect(screen.getByRole("alert").textContent).toBe(question);
    submitLater(field);
    await bannerShows("UNKNOWN BARCODE: unknown linen");
    expect(screen.queryByRole("dialog", { name: "Manual Entry" })).toBeNull();
  });

  it("asks nothing where none is listed, nor of a code, though others are listed too", async () => {
    const shop = new ScriptedShop();
    const [first, ...others] = shop.products;
    if (first === undefined) throw new Error("There is no product.");
    shop.products = [first, { ...first, sku: "SHIRT", barcode: "1111111111116" }, ...others];
    await openStation({ shop });
    await hand.firstScan();
    fireEvent.change(await openEntry(), { target: { value: "unknown trousers" } });
    await screen.findByText("No product on this device has that in its title, size or SKU.");
    await userEvent.click(screen.getByRole("button", { name: "Submit" }));
    await bannerShows("UNKNOWN BARCODE: unknown trousers");
    fireEvent.change(await openEntry(), { target: { value: "SHIRT" } });
    await screen.findByText(/Tap one to count it\.$/);
    await userEvent.click(screen.getByRole("button", { name: "Submit" }));
    await countBecomes("2");
  });
});

describe("the banner of a counted product", () => {
  it("shows its photo, and how many of it are in this area", async () => {
    const shop = new ScriptedShop();
    shop.products = shop.products.map((product) => ({ ...product, image: "https://photos.example/a.jpg" }));
    await openStation({ shop });
    await hand.firstScan();
    await bannerShows("SHIRT-M · 1 here");
    await waitFor(() => expect(banner()?.querySelector("img")?.src).toBe("https://photos.example/a.jpg"));
    await hand.scan("4006381333931");
    await bannerShows("SHIRT-M · 2 here");
  });

  it("speaks of this device where others counted here too", async () => {
    const shop = new ScriptedShop();
    const before = await openStation({ shop });
    await hand.firstScan();
    await allSent(before);
    cleanup();
    shop.othersCounted = true;
    await openStation({ shop, device: before.device });
    await screen.findByText("READY TO SCAN");
    await countBecomes("1");
    await hand.scan("4006381333931");
    await bannerShows("2 here on this device");
  });

  it("speaks of this device from when somebody else scans here, too", async () => {
    const { shop, client } = await openStation();
    await hand.firstScan();
    await bannerShows("SHIRT-M · 1 here");
    await waitFor(() => expect(shop.scanning.total("A1")).toBe(1));
    shop.othersCounted = true;
    shop.devices = [{ deviceId: "device-of-tom", usernames: ["Tom"], holdsScans: false, silentSince: null }];
    const activity = { devices: 2, usernames: ["Mia", "Tom"], lastScanAt: "2026-03-01T09:30:00.000Z" };
    shop.areas = shop.areas.map((area) =>
      area.code === "A1" ? { ...area, status: "in_progress", activity } : area,
    );
    await client.invalidateQueries({ queryKey: [queryRoots.areas] });
    await bannerShows("1 here on this device");
    const asked = () => shop.requests.filter((request) => request === "GET /api/area/session-1/A1").length;
    const before = asked();
    await client.invalidateQueries({ queryKey: [queryRoots.areas] });
    await hand.scan("4006381333931");
    await bannerShows("2 here on this device");
    expect(asked()).toBe(before);
  });
});
