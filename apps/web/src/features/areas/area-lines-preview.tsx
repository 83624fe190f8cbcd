import { Text } from "@mantine/core";
import type { AreaLine } from "@stocktake/contract";
import { WarningIcon } from "../../ui/icons.tsx";
import classes from "./bulk-areas.module.css";
import { texts } from "./texts.ts";

/** A line pasted from a spreadsheet may part its cells otherwise; it is one code then, which may even be meant. */
function separatorIn({ typed }: AreaLine): keyof typeof texts.bulk.separator | null {
  const line = typed.trim();
  if (line.includes(",")) return null;
  if (line.includes("\t")) return "tab";
  return line.includes(";") ? "semicolon" : null;
}

function PreviewLine({ line }: { line: AreaLine }) {
  const bad = line.problem !== null;
  const separator = separatorIn(line);
  return (
    <li className={`${classes.line} ${bad ? classes.bad : ""}`}>
      <span className={classes.number}>{line.line}</span>
      <span className={classes.code}>{line.code === "" ? "–" : line.code}</span>
      <span>{line.name}</span>
      {bad ? (
        <span className={classes.problem}>
          <WarningIcon size={16} />
          {line.problem}
        </span>
      ) : null}
      {separator === null ? null : (
        <span className={classes.warning}>
          <WarningIcon size={16} />
          {texts.bulk.separator[separator]}
        </span>
      )}
    </li>
  );
}

/** The lines as they will be added, with what is wrong beside each that can't be. */
export function AreaLinesPreview({ lines }: { lines: readonly AreaLine[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <Text fw={560} mb={4}>
        {texts.bulk.preview}
      </Text>
      <ul className={classes.preview}>
        {lines.map((line) => (
          <PreviewLine key={line.line} line={line} />
        ))}
      </ul>
    </div>
  );
}
