import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { openStation } from "../testing/counter-harness.tsx";
import { allSent, bannerShows, countBecomes, scannerInEachTest, shirt } from "../testing/scanning-hand.ts";
import { mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const hand = scannerInEachTest();

/** Ada's station in an area where Tom has counted too. */
async function besideTom() {
  const shop = new ScriptedShop();
  const harness = await openStation({ shop });
  await hand.firstScan();
  await allSent(harness);
  shop.othersCounted = true;
  await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
  await screen.findByText("Other devices counted here too. Enter the total of all devices.");
  return harness;
}

async function declare(total: string): Promise<void> {
  await userEvent.type(
    screen.getByLabelText("How many items do you think you scanned in this area?"),
    `${total}{Enter}`,
  );
}

describe("a total of one's own", () => {
  it("S37: is offered where others counted too, is kept with its person's name, and waits for theirs", async () => {
    const harness = await besideTom();
    harness.shop.waitingFor = ["Tom"];
    await userEvent.click(screen.getByRole("radio", { name: "What I counted" }));
    screen.getByText(
      "It is kept until everyone who counted here has given theirs. Then the sum is compared.",
    );
    await declare("1");
    await bannerShows("Your total is kept");
    await bannerShows("The area is finished when Tom has given theirs.");
    const [finish] = await harness.device.database.getAll("pendingSubmissions");
    expect(finish).toMatchObject({ kind: "finish", declaredTotal: 1, ownOf: mia._id, synced: true });
    await waitFor(() => expect(harness.path()).toBe("/counter"), { timeout: 4_000 });
    expect(screen.queryByText("Recount needed")).toBeNull();
  });

  it("the last one's is answered for the sum", async () => {
    const harness = await besideTom();
    await userEvent.click(screen.getByRole("radio", { name: "What I counted" }));
    await declare("7");
    await bannerShows("COUNT MISMATCH! You declared 7 but scanned 1. Please recount.");
    await countBecomes("0");
    await hand.scan(shirt);
    await countBecomes("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({ pass: 2 });
  });

  it("is not offered where nobody else counted", async () => {
    await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByRole("dialog", { name: "Finish Area" });
    expect(screen.queryByRole("radio", { name: "What I counted" })).toBeNull();
  });
});
