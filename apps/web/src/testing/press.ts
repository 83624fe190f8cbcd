import { waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect } from "vitest";

/** Presses a button as soon as it takes a press: not before what it is about has been read, nor while it is at work. */
export async function pressOnceEnabled(button: HTMLElement): Promise<void> {
  await waitFor(() => expect(button).toHaveProperty("disabled", false));
  await userEvent.click(button);
}
