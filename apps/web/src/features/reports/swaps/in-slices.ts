import type { Steps } from "@stocktake/contract";

/** So little that no frame is lost by it. */
const sliceMs = 8;

/**
 * Does work in slices, in between which the page answers; the first at once, so that what is little is done by then. Returns what ends
 * it: nothing is told any more.
 */
export function inSlices<Result>(steps: Steps<Result>, onDone: (result: Result) => void): () => void {
  let timer: number | undefined;
  const work = () => {
    const until = performance.now() + sliceMs;
    do {
      const step = steps.next();
      if (step.done === true) return onDone(step.value);
    } while (performance.now() < until);
    timer = window.setTimeout(work);
  };
  work();
  return () => window.clearTimeout(timer);
}
