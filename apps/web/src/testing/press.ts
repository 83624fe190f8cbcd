import { waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, vi } from "vitest";

/** Presses a button as soon as it takes a press: not before what it is about has been read, nor while it is at work. */
export async function pressOnceEnabled(button: HTMLElement): Promise<void> {
  await waitFor(() => expect(button).toHaveProperty("disabled", false));
  await userEvent.click(button);
}

/** A press so soon after another of the same button would be taken for the second of a double click. */
export function secondPasses(): void {
  const now = performance.now.bind(performance);
  const passed = vi.spyOn(performance, "now").mockImplementation(() => now() + 1_000);
  onTestFinished(() => passed.mockRestore());
}
