import { vi } from "vitest";

/** Only a failing test waits this long: a busy machine is no failure. By itself vitest gives up after a second. */
export const givingUpMs = 60_000;

const { waitFor } = vi;

/** Lets `vi.waitFor` wait that long in every test of the file. */
export function waitLonger(): void {
  vi.waitFor = (check, options = givingUpMs) => waitFor(check, options);
}
