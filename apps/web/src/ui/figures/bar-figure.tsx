import { type CSSProperties, type ReactNode, useId } from "react";
import { varianceColor } from "../formats.ts";
import classes from "./bar-figure.module.css";

/** One line of a chart: how far it reaches above and below nothing. */
export interface SignedRow {
  readonly key: string;
  readonly label: string;
  /** 0 or more. */
  readonly above: number;
  /** 0 or less. */
  readonly below: number;
}

interface BarFigureProps {
  readonly title: string;
  readonly rows: readonly SignedRow[];
  readonly valueText: (value: number) => string;
  /** What the bars are of, and what choosing one does. */
  readonly hint: string;
  /** What the bars leave out: said before they are read. */
  readonly note?: ReactNode;
  /** Is given the key of the row that was pressed: its name, its bar or its figures. */
  readonly onChoose: (key: string) => void;
}

/** What all the bars of a chart are drawn to: the ends of the longest ones, in the chart's unit. */
interface Scale {
  readonly lowest: number;
  readonly length: number;
}

function scaleOf(rows: readonly SignedRow[]): Scale {
  const lowest = Math.min(0, ...rows.map(({ below }) => below));
  const highest = Math.max(0, ...rows.map(({ above }) => above));
  return { lowest, length: highest - lowest || 1 };
}

/** Where something from one value to another lies on the scale. */
function placeOn({ lowest, length }: Scale, from: number, to: number): CSSProperties {
  const share = (units: number) => `${(100 * units) / length}%`;
  return { insetInlineStart: share(from - lowest), width: share(to - from) };
}

function valuesOf({ above, below }: SignedRow): readonly number[] {
  const values = [above, below].filter((value) => value !== 0);
  return values.length === 0 ? [0] : values;
}

/** How many letters the longest figure has: all rows leave it the same room. */
function lettersOf(rows: readonly SignedRow[], valueText: (value: number) => string): number {
  return Math.max(...rows.flatMap(valuesOf).map((value) => valueText(value).length));
}

function Bar({ row, scale }: { readonly row: SignedRow; readonly scale: Scale }) {
  const { above, below } = row;
  return (
    <span className={classes.track}>
      {below === 0 ? null : <span className={classes.below} style={placeOn(scale, below, 0)} />}
      {above === 0 ? null : <span className={classes.above} style={placeOn(scale, 0, above)} />}
      <span className={classes.zero} style={placeOn(scale, 0, 0)} />
    </span>
  );
}

/**
 * A chart of rows above and below nothing under its title: green to the right and red to the left as everywhere, each with
 * its figures. A row is one button with the words that a screen reader says, so that it is chosen by any of its parts and
 * by the keyboard.
 */
export function BarFigure({ title, rows, valueText, hint, note, onChoose }: BarFigureProps) {
  const captionId = useId();
  const scale = scaleOf(rows);
  return (
    <figure className={classes.figure} aria-labelledby={captionId}>
      <figcaption className={classes.caption} id={captionId}>
        {title}
      </figcaption>
      <p className={`${classes.hint} screen-only`}>{hint}</p>
      {note}
      <ul className={classes.list} style={{ "--figure-letters": lettersOf(rows, valueText) }}>
        {rows.map((row) => {
          const values = valuesOf(row);
          return (
            <li key={row.key}>
              <button
                type="button"
                className={classes.row}
                aria-label={`${row.label}: ${values.map(valueText).join(", ")}`}
                onClick={() => onChoose(row.key)}
              >
                <span className={classes.label}>{row.label}</span>
                <Bar row={row} scale={scale} />
                <span className={classes.values}>
                  {values.map((value) => (
                    <span key={value} style={{ color: varianceColor(value) }}>
                      {valueText(value)}
                    </span>
                  ))}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
