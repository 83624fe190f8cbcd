import { VisuallyHidden } from "@mantine/core";
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

/** A chart of rows above and below nothing under its title; who can't see it is read the same figures. */
export function BarFigure({ title, rows, valueText }: SignedBarsProps & { title: string }) {
  const captionId = useId();
  return (
    <figure className={classes.figure} aria-labelledby={captionId}>
      <figcaption className={classes.caption} id={captionId}>
        {title}
      </figcaption>
      <div aria-hidden="true">
        <Suspense fallback={<LoadingState />}>
          <SignedBars rows={rows} valueText={valueText} />
        </Suspense>
      </div>
      <VisuallyHidden component="ul">
        {rows.map((row) => (
          <li key={row.key}>{sentenceOf(row, valueText)}</li>
        ))}
      </VisuallyHidden>
    </figure>
  );
}
