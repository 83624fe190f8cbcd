import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openStation } from "../testing/counter-harness.tsx";
import { areaIds, label, labelledShop } from "../testing/labelled-shop.ts";
import { scannerInEachTest } from "../testing/scanning-hand.ts";
import { areaOne } from "../testing/scripted-device.ts";

const hand = scannerInEachTest();

it.each(["Manual Entry", "Finish Area", "Device Settings"])(
  "Back closes the dialog of %s and stays in the area; the next one leaves it",
  async (name) => {
    const harness = await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name }));
    await screen.findByRole("dialog");
    await harness.back();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(harness.path()).toBe("/counter/scan");
    await harness.back();
    await waitFor(() => expect(harness.path()).toBe("/counter"));
  },
);

it("Back leaves the question about a total alone while it is being sent", async () => {
  const harness = await openStation();
  await hand.firstScan();
  await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
  await userEvent.type(
    await screen.findByLabelText("How many items do you think you scanned in this area?"),
    "1",
  );
  const release = harness.shop.hold("/api/area/finish");
  await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
  await harness.back();
  screen.getByRole("dialog", { name: "Finish Area" });
  expect(harness.path()).toBe("/counter/scan");
  release();
  await screen.findByText("Area complete!");
});

it("Back is Cancel where somebody is asked about an area in progress", async () => {
  const harness = await openStation({ shop: labelledShop(), state: { ...areaOne, areaId: areaIds.open } });
  await hand.firstScan();
  await hand.scan(label("begun"));
  await screen.findByRole("dialog", { name: "Area A2 is in progress" });
  await harness.back();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(harness.path()).toBe("/counter/scan");
});

it("Back chooses none of the products that a code may mean", async () => {
  const harness = await openStation();
  await hand.firstScan();
  await hand.scan("TWIN");
  await screen.findByRole("dialog", { name: "Which product is it?" });
  await harness.back();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(harness.path()).toBe("/counter/scan");
});
