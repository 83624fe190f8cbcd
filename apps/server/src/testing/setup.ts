import { vi } from "vitest";

// Only a failing test waits this long: a busy machine is no failure. By itself vitest gives up after a second.
const givingUpMs = 30_000;
const { waitFor } = vi;
vi.waitFor = (check, options = givingUpMs) => waitFor(check, options);
