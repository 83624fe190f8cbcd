import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer } from "../testing/report-server.ts";

it("no wheel and no arrow key changes the count that was typed", async () => {
  reportServer();
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Adjust Count of LIN-M" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Adjust Count" }));
  const field = dialog.getByRole<HTMLInputElement>("spinbutton", { name: "New Count" });
  await userEvent.clear(field);
  await userEvent.type(field, "12");
  const isLetThrough = ["ArrowUp", "ArrowDown", "ArrowLeft"].map((key) => fireEvent.keyDown(field, { key }));
  expect(isLetThrough).toEqual([false, false, true]);
  fireEvent.wheel(field, { deltaY: 100 });
  // Without the focus the wheel moves the page.
  expect([field === document.activeElement, field.value]).toEqual([false, "12"]);
});
