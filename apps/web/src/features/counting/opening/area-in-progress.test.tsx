import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { holdTimers } from "../../../testing/hold-timers.ts";
import { type CounterHarness, openCounter } from "../testing/counter-harness.tsx";

const answers = ["Continue Counting", "Reset Area", "Cancel"] as const;

async function tapStart(): Promise<CounterHarness> {
  const harness = await openCounter({ path: "/counter" });
  for (const name of ["Harbour Street", "Sales Floor", /A2/]) {
    await userEvent.click(await screen.findByRole("radio", { name }));
  }
  await userEvent.click(screen.getByRole("button", { name: "Start Counting Area" }));
  await screen.findByRole("dialog", { name: "Area A2 is in progress" });
  return harness;
}

it("opens beneath a double tap and takes nothing of it, whichever button the second tap falls on", async () => {
  const held = holdTimers(400);
  const harness = await tapStart();
  // A touch's second tap is a click of its own.
  for (const name of answers) fireEvent.click(screen.getByRole("button", { name }), { detail: 1 });
  await held.pass();
  screen.getByRole("dialog", { name: "Area A2 is in progress" });
  expect([harness.path(), harness.device.queue.state().pending]).toEqual(["/counter", 0]);
  expect(harness.shop.scanning.passOf("A2")).toBe(1);
  fireEvent.click(screen.getByRole("button", { name: "Reset Area" }), { detail: 1 });
  await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-2", pass: 2 }));
});

it("has the focus on going on, not on what deletes, from its first moment", async () => {
  holdTimers(400);
  await tapStart();
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Continue Counting"));
});
