import { waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, vi } from "vitest";

/** Presses a button as soon as it takes a press: not before what it is about has been read, nor while it is at work. */
export async function pressOnceEnabled(button: HTMLElement): Promise<void> {
  await waitFor(() => expect(button).toHaveProperty("disabled", false));
  await userEvent.click(button);
}

const realNow = performance.now.bind(performance);

/** A press so soon after another of the same button would be taken for the second of a double click. Each call adds a second. */
export function secondPasses(): void {
  const ahead = performance.now() - realNow() + 1_000;
  const passed = vi.spyOn(performance, "now").mockImplementation(() => realNow() + ahead);
  onTestFinished(() => passed.mockRestore());
}
