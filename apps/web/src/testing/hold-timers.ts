import { act, waitFor } from "@testing-library/react";
import { expect, vi } from "vitest";

export interface HeldTimers {
  /** Resolves once something is held. */
  readonly begun: () => Promise<void>;
  /** Lets what is held happen, once there is something. */
  readonly pass: () => Promise<void>;
}

/** Holds what is to happen in `delay` milliseconds, until the test says that they have passed; everything else goes on. */
export function holdTimers(delay: number): HeldTimers {
  const held: (() => void)[] = [];
  const setTimer = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (handler: () => void, wait?: number) => {
    if (wait !== delay) return setTimer(handler, wait);
    held.push(handler);
    return setTimer(() => undefined, 0);
  });
  const begun = () => waitFor(() => expect(held.length).toBeGreaterThan(0));
  return {
    begun,
    async pass() {
      await begun();
      act(() => {
        for (const goOn of held.splice(0)) goOn();
      });
    },
  };
}
