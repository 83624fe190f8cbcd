import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openStation } from "../testing/counter-harness.tsx";
import { scannerInEachTest } from "../testing/scanning-hand.ts";

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

it("Back chooses none of the products that a code may mean", async () => {
  const harness = await openStation();
  await hand.firstScan();
  await hand.scan("TWIN");
  await screen.findByRole("dialog", { name: "Which product is it?" });
  await harness.back();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(harness.path()).toBe("/counter/scan");
});
