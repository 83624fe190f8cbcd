import { type RefObject, useLayoutEffect, useRef } from "react";

/** The header's height, a gap below the bar included. */
const aroundBar = "4.25rem";

/**
 * Messages and headings that are led to come below the bar, whose lines depend on the width and on what is unfolded in it.
 * The page that the bar is in is told how far down that is.
 */
export function useBarHeight(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = bar;
    const page = current?.parentElement;
    if (current === null || !page) return;
    const tell = () => {
      page.style.setProperty("--stocktake-message-top", `calc(${aroundBar} + ${current.offsetHeight}px)`);
    };
    // Not here: all that is drawn with the bar would be laid out at once. Yet before what leads to a heading, which waits for a frame as well.
    const frame = requestAnimationFrame(tell);
    const observer = new ResizeObserver(tell);
    observer.observe(current);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);
  return bar;
}
