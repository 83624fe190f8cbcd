import { lazy, Suspense, useId } from "react";
import { LoadingState } from "../loading-state.tsx";
import classes from "./bar-figure.module.css";
import type { SignedBarsProps, SignedRow } from "./signed-bars.tsx";

// Drawing charts takes a large library, which no other page should wait for.
const SignedBars = lazy(async () => ({ default: (await import("./signed-bars.tsx")).SignedBars }));

function sentenceOf({ label, above, below }: SignedRow, valueText: (value: number) => string): string {
  const values = [above, below].filter((value) => value !== 0).map(valueText);
  return `${label}: ${values.join(", ") || valueText(0)}`;
}

interface BarFigureProps extends SignedBarsProps {
  readonly title: string;
  /** What choosing a bar does. */
  readonly hint: string;
}

/**
 * A chart of rows above and below nothing under its title. Who can't see it is read the same figures, and who has no
 * pointer chooses a row there, where the list then comes in sight.
 */
export function BarFigure({ title, rows, valueText, hint, onChoose }: BarFigureProps) {
  const captionId = useId();
  return (
    <figure className={classes.figure} aria-labelledby={captionId}>
      <figcaption className={classes.caption} id={captionId}>
        {title}
      </figcaption>
      <p className={`${classes.hint} screen-only`}>{hint}</p>
      <div aria-hidden="true">
        <Suspense fallback={<LoadingState />}>
          <SignedBars rows={rows} valueText={valueText} onChoose={onChoose} />
        </Suspense>
      </div>
      <ul className={classes.list}>
        {rows.map((row) => (
          <li key={row.key}>
            <button type="button" className={classes.row} onClick={() => onChoose(row.key)}>
              {sentenceOf(row, valueText)}
            </button>
          </li>
        ))}
      </ul>
    </figure>
  );
}
