import { useState } from "react";

/** SKUs that are ticked in a list, whichever of its pages is shown. */
export interface Ticking {
  readonly ticked: ReadonlySet<string>;
  readonly tick: (skus: readonly string[], isTicked: boolean) => void;
  readonly clear: () => void;
}

/** What is ticked once some more are, or some no longer. */
export function tickedAfter(
  ticked: ReadonlySet<string>,
  skus: readonly string[],
  isTicked: boolean,
): ReadonlySet<string> {
  const after = new Set(ticked);
  for (const sku of skus) {
    if (isTicked) after.add(sku);
    else after.delete(sku);
  }
  return after;
}

/** As long as the list is shown. */
export function useTicking(): Ticking {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  return {
    ticked,
    tick: (skus, isTicked) => setTicked((before) => tickedAfter(before, skus, isTicked)),
    clear: () => setTicked(new Set()),
  };
}
