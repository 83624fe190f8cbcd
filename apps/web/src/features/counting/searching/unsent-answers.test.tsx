import { limits } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openList, press } from "../testing/searched-shop.ts";

describe("an answer that did not reach the server", () => {
  it("keeps what could not be sent in sight, and sends it again by a touch", async () => {
    const { shop } = await openList();
    shop.isAway = true;
    await press("Found Linen Shirt M");
    await screen.findByText("Not sent: Found. Stay on this page and send it again.");
    expect(shop.said).toEqual([]);
    shop.isAway = false;
    await press("Send Again");
    await screen.findByText("Now scan it in its area.");
    expect(shop.said).toHaveLength(1);
  });

  it.each([
    ["elapsed", 20 * 60_000, 20 * 60_000],
    // A phone that sleeps may stop the clock that nobody sets.
    ["now", 20 * 60_000, 20 * 60_000],
    ["elapsed", 1e12, limits.searchAnswerAgeMs],
  ] as const)("tells how long ago it was given, by the clock %s after %i ms", async (clock, passed, told) => {
    const { shop, harness } = await openList();
    shop.isAway = true;
    await press("Not There Linen Shirt M");
    await screen.findByText("Not sent: Not There. Stay on this page and send it again.");
    const read = harness.device.clock[clock];
    const later = vi.spyOn(harness.device.clock, clock).mockImplementation(() => read() + passed);
    onTestFinished(() => later.mockRestore());
    shop.isAway = false;
    await press("Send Again");
    await screen.findByText("You looked, and it isn't there.");
    const [said] = shop.said;
    expect(said?.saidAgoMs).toBeGreaterThanOrEqual(told);
    expect(said?.saidAgoMs).toBeLessThan(told + 60_000);
  });

  it("is told again under the number that it was given with, so that it overtakes nothing", async () => {
    const { shop } = await openList();
    shop.losesAnswers = true;
    await press("Found Linen Shirt M");
    await screen.findByText("Not sent: Found. Stay on this page and send it again.");
    shop.losesAnswers = false;
    const [lost] = shop.said;
    if (lost === undefined) throw new Error("Nothing was said.");
    const answerOrder = (lost.answerOrder ?? 0) + 1;
    // Said in another tab of this phone meanwhile.
    shop.said.push({ ...lost, answer: "not_there", answerOrder });
    shop.items = shop.items.map((each) => ({ ...each, answer: "not_there" }));
    await press("Send Again");
    await screen.findByText(/^Not kept: Found\. You answered Not There after it, and that is kept\./);
    expect(shop.said.at(-1)).toEqual({ ...lost, saidAgoMs: expect.any(Number) });
    expect(screen.getByRole("button", { name: "Not There Linen Shirt M", pressed: true })).toBeDefined();
    await press("Found Linen Shirt M");
    await screen.findByText("Now scan it in its area.");
    expect(screen.queryByText(/^Not kept/)).toBeNull();
    expect(shop.said.at(-1)?.answerOrder).toBeGreaterThanOrEqual(answerOrder);
  });
});
