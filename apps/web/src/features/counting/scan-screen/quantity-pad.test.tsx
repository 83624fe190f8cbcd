import { createEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openStation } from "../testing/counter-harness.tsx";
import {
  at,
  bannerShows,
  burst,
  burstInto,
  count,
  countBecomes,
  feelAlarms,
  scannerInEachTest,
  writtenInto,
} from "../testing/scanning-hand.ts";

const hand = scannerInEachTest();

const open = async () => userEvent.click(screen.getByRole("button", { name: /change the quantity/ }));
const pad = () => screen.queryByRole("dialog", { name: "How many of these?" });
const quantity = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Quantity" });

it("×N opens a pad for the thumb: twelve in all count twelve, and the count, the banner and the list say so", async () => {
  await openStation();
  await hand.firstScan();
  await open();
  // Not the area's total, which the finish asks for.
  expect(pad()?.textContent).toMatch(/^How many of these\?.*Linen Shirt/);
  for (const key of ["1", "3", "Delete the last digit", "2", "OK"]) {
    await userEvent.click(screen.getByRole("button", { name: key }));
  }
  await countBecomes("12");
  expect(pad()).toBeNull();
  await bannerShows("×12");
  expect(screen.getByRole("region", { name: "Recent Scans" }).textContent).toContain("×12");
  // What the next scan counts, not what the last one did.
  expect(screen.getByRole("button", { name: "×N, change the quantity, now 12" }).textContent).toBe("×N");
});

it("keys do as well, and what is no quantity is told", async () => {
  await openStation();
  await hand.firstScan();
  await open();
  expect(document.activeElement).toBe(quantity());
  await userEvent.keyboard("{Enter}");
  expect(pad()?.textContent).toContain("Enter how many there are.");
  await userEvent.keyboard("0{Enter}");
  expect(pad()?.textContent).toContain("The number of units can't be below 1.");
  await userEvent.clear(quantity());
  // Five keys at a machine's pace would be a scanner's.
  for (const key of ["9", "9", "9", "9", "9", "OK"]) {
    await userEvent.click(screen.getByRole("button", { name: key }));
  }
  expect(pad()?.textContent).toContain("The number of units can't be above 9,999.");
  await userEvent.keyboard("{Escape}");
  expect(pad()).toBeNull();
  expect(count()).toBe("1");
});

it("what looks like a barcode is asked about, and never taken for a quantity", async () => {
  await openStation();
  await hand.firstScan();
  await open();
  await userEvent.type(quantity(), "400638{Enter}");
  expect(pad()?.textContent).toContain("400638 looks like a barcode, not a quantity. Count it as a scan?");
  expect(document.activeElement?.textContent).toBe("Back to the Quantity");
  await userEvent.click(screen.getByRole("button", { name: "Back to the Quantity" }));
  expect(count()).toBe("1");
  expect(document.activeElement).toBe(quantity());
  await userEvent.type(quantity(), "4006381333948{Enter}");
  hand.waits(1_500);
  await userEvent.click(screen.getByRole("button", { name: "Count as a Scan" }));
  await countBecomes("2");
  expect(pad()).toBeNull();
});

it("a scan into the pad is heard and asked about; a second one is refused with words, and what was typed stays", async () => {
  const alarms = feelAlarms();
  await openStation();
  await hand.firstScan();
  await open();
  await userEvent.click(screen.getByRole("button", { name: "4" }));
  await userEvent.click(screen.getByRole("button", { name: "8" }));
  burstInto(quantity(), "4006381333948");
  expect(pad()?.textContent).toContain("4006381333948 looks like a barcode, not a quantity.");
  expect(alarms()).toBe(1);
  burst("4006381333931");
  await screen.findByText(
    "Decide about 4006381333948 first. 4006381333931 was not counted: scan it again afterwards.",
  );
  expect([alarms(), count()]).toEqual([2, "1"]);
  expect(pad()?.textContent).toContain("4006381333948 looks like a barcode, not a quantity.");
  // Below the buttons, which it must not move.
  const scan = screen.getByRole("button", { name: "Count as a Scan" });
  expect(scan.compareDocumentPosition(screen.getByRole("alert"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  burst("4006381333948");
  await screen.findByText(
    "Decide about 4006381333948 first. Its second scan was not counted: scan it again afterwards.",
  );
  await userEvent.click(screen.getByRole("button", { name: "Back to the Quantity" }));
  expect(quantity().value).toBe("48");
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  await countBecomes("48");
});

it.each([
  ["typed by a person", 300],
  ["of a slow scanner", 60],
  ["of a scanner that writes as a keyboard app", 1],
])("a code with letters %s is asked about whole, and counts no part of it as a quantity", async (_, gap) => {
  await openStation();
  await hand.firstScan();
  await open();
  writtenInto(quantity(), "ABC-12", 5_000, gap);
  expect(pad()?.textContent).toContain("ABC-12 looks like a barcode, not a quantity. Count it as a scan?");
  hand.waits(1_500);
  await userEvent.click(screen.getByRole("button", { name: "Count as a Scan" }));
  await bannerShows("ABC-12");
  // The server knows the code.
  await countBecomes("2");
});

it.each([
  ["by keys", (field: HTMLInputElement) => burstInto(field, "TSH-M-012")],
  ["slowly", (field: HTMLInputElement) => writtenInto(field, "TSH-M-012", 9_000, 60)],
  ["as a keyboard app", (field: HTMLInputElement) => writtenInto(field, "TSH-M-012", 9_000, 1)],
])("a 4 that was typed before a scanner wrote %s is no part of the code, and stays", async (_, scanned) => {
  await openStation();
  await hand.firstScan();
  await open();
  at(500, quantity(), createEvent.input(quantity(), { target: { value: "4" } }));
  scanned(quantity());
  expect(pad()?.textContent).toContain("TSH-M-012 looks like a barcode");
  expect(pad()?.textContent).not.toContain("4TSH");
  await userEvent.click(screen.getByRole("button", { name: "Back to the Quantity" }));
  expect(quantity().value).toBe("4");
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  await countBecomes("4");
});

it("what was set aside has no quantity: ×N is off until a product is the last scan again", async () => {
  await openStation();
  await hand.firstScan();
  const change = () => screen.getByRole<HTMLButtonElement>("button", { name: /change the quantity/ });
  expect(change().disabled).toBe(false);
  await hand.scan("unknown-77");
  await bannerShows("UNKNOWN BARCODE");
  expect(change().disabled).toBe(true);
  hand.waits(1_000);
  await userEvent.click(screen.getByRole("button", { name: "Undo Last" }));
  await bannerShows("Undone");
  expect(change().disabled).toBe(false);
});
