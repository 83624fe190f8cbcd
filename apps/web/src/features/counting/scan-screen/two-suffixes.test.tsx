import { createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openCounter, openStation } from "../testing/counter-harness.tsx";
import {
  at,
  bannerShows,
  burst,
  burstInto,
  countBecomes,
  scannerInEachTest,
  secondSuffix,
  shirt,
  writtenInto,
} from "../testing/scanning-hand.ts";

const hand = scannerInEachTest();

it("the second Enter behind a scan does not submit the total that was typed before it", async () => {
  await openStation();
  await hand.firstScan();
  await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
  const field = await screen.findByLabelText<HTMLInputElement>(/^How many items/);
  fireEvent.change(field, { target: { value: "25" } });
  expect(burstInto(field, shirt)).toBe(false);
  await screen.findByText("Close this dialog to scan. That scan was not counted.");
  expect(field.value).toBe("25");
  expect(secondSuffix(shirt)).toBe(false);
});

it("the Enters behind the code of a slow scanner do not submit the total that was typed before it, a person's does", async () => {
  const harness = await openStation();
  await hand.firstScan();
  await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
  const field = await screen.findByLabelText<HTMLInputElement>(/^How many items/);
  const { form } = field;
  if (form === null) throw new Error("The total is asked for in no form.");
  at(500, field, createEvent.input(field, { target: { value: "25" } }));
  writtenInto(field, "1234", 9_000, 60);
  at(9_300, form, createEvent.submit(form));
  at(9_780, form, createEvent.submit(form));
  screen.getByRole("button", { name: "Submit Count" });
  screen.getByText("Close this dialog to scan. That scan was not counted.");
  expect([field.value, harness.shop.requests.includes("POST /api/area/finish")]).toEqual(["25", false]);
  at(10_300, form, createEvent.submit(form));
  await bannerShows("COUNT MISMATCH! You declared 25 but scanned 1.");
});

it("the second Enter behind a scan presses no answer of the finish questions", async () => {
  await openStation();
  await hand.firstScan();
  await hand.scan("unknown-77");
  await bannerShows("UNKNOWN BARCODE");
  await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
  await userEvent.type(screen.getByLabelText(/^How many items/), "2");
  await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
  await screen.findByRole("button", { name: "Yes: submit 1" });
  expect([burst(shirt, "Tab"), secondSuffix(shirt)]).toEqual([false, false]);
});

it("the second Enter behind a scan in Manual Entry does not press the button that had opened it", async () => {
  await openStation();
  await hand.firstScan();
  await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
  await screen.findByRole("dialog", { name: "Manual Entry" });
  hand.waits(1_500);
  expect(burst("4006381333948")).toBe(false);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(document.activeElement?.textContent).toBe("Manual Entry");
  expect(secondSuffix("4006381333948")).toBe(false);
  await countBecomes("2");
});

it("the second Enter behind a scan on the dashboard presses nothing there", async () => {
  await openCounter({ path: "/counter" });
  const start = await screen.findByRole("button", { name: "Start Counting Area" });
  start.focus();
  expect([burst(shirt), secondSuffix(shirt)]).toEqual([false, false]);
});
