import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect } from "vitest";

/** Presses a button of the dialog about an area in progress, once it takes presses. */
export async function answerAboutArea(name: string): Promise<void> {
  const button = await screen.findByRole("button", { name });
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"));
  await userEvent.click(button);
}
