import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import classes from "./wall.module.css";

const turnEveryMs = 10_000;
/** Widths are rounded to whole pixels. */
const nothing = 0.01;

/** How often the pages have been turned. */
export function useTurns(isPaused: boolean): number {
  const [turns, setTurns] = useState(0);
  useEffect(() => {
    if (isPaused) return;
    const timer = window.setInterval(() => setTurns((before) => before + 1), turnEveryMs);
    return () => window.clearInterval(timer);
  }, [isPaused]);
  return turns;
}

/** What does not fit into a box goes on in further columns to its right: how many boxes that fills. */
function pagesIn(columns: HTMLElement): number {
  const { scrollWidth, clientWidth } = columns;
  const gap = Number.parseFloat(getComputedStyle(columns).columnGap) || 0;
  return clientWidth === 0 ? 1 : Math.max(1, Math.ceil((scrollWidth + gap) / (clientWidth + gap) - nothing));
}

interface PagesProps {
  /** How often the pages of the wall have been turned. */
  readonly turns: number;
  readonly onPages: (pages: number) => void;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A part of the wall that has as many pages as it needs, as nobody scrolls there. A page is cut to, never slid to. */
export function Pages({ turns, onPages, className = "", children }: PagesProps) {
  const columns = useRef<HTMLDivElement>(null);
  const [pages, setPages] = useState(1);
  const measure = () => {
    if (columns.current !== null) setPages(pagesIn(columns.current));
  };
  // What is in it changes with every answer, and its room with the screen.
  useLayoutEffect(measure);
  useEffect(() => {
    const { current } = columns;
    if (current === null) return;
    const observer = new ResizeObserver(() => setPages(pagesIn(current)));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => onPages(pages), [onPages, pages]);
  return (
    <div className={classes.frame} data-pages={pages}>
      <div
        ref={columns}
        className={`${classes.columns} ${className}`}
        style={{ translate: `calc(${-(turns % pages)} * (100% + var(--step)))` }}
      >
        {children}
      </div>
    </div>
  );
}
