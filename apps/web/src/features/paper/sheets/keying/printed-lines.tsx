import type { SheetLine } from "@stocktake/contract";
import { memo } from "react";
import { partsText } from "../../../../ui/formats.ts";
import { unitsIn } from "./draft.ts";
import classes from "./keying.module.css";
import { messages } from "./messages.ts";
import { step } from "./step-on.ts";

interface PrintedLineProps {
  readonly line: SheetLine;
  readonly typed: string;
  readonly onType: (line: number, typed: string) => void;
}

const PrintedLine = memo(function PrintedLine({ line, typed, onType }: PrintedLineProps) {
  const product = partsText(line.productTitle, line.size);
  const isWrong = unitsIn(typed) === undefined;
  return (
    <tr>
      <td className={classes.number}>{line.line}</td>
      <td>
        {product}
        <div className={classes.code}>{line.code}</div>
      </td>
      <td className={classes.box}>
        <input
          {...step}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          className={classes.input}
          aria-label={messages.countedOf(line.line, product)}
          aria-invalid={isWrong}
          value={typed}
          onChange={({ currentTarget }) => onType(line.line, currentTarget.value)}
        />
        {isWrong ? <div className={classes.problem}>{messages.wrong}</div> : null}
      </td>
    </tr>
  );
});

interface PrintedLinesProps {
  readonly lines: readonly SheetLine[];
  readonly boxes: Readonly<Record<string, string>>;
  readonly onType: PrintedLineProps["onType"];
}

/** The lines of a sheet in their printed order, each with its box. */
export function PrintedLines({ lines, boxes, onType }: PrintedLinesProps) {
  return (
    <table className={classes.lines} aria-label={messages.lines}>
      <thead>
        <tr>
          <th scope="col">{messages.line}</th>
          <th scope="col">{messages.product}</th>
          <th scope="col">{messages.counted}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <PrintedLine key={line.line} line={line} typed={boxes[line.line] ?? ""} onType={onType} />
        ))}
      </tbody>
    </table>
  );
}
