import { Button, Stack } from "@mantine/core";
import type { DecidedScan } from "@stocktake/contract";
import { dateTimeText, timesText } from "../../../ui/formats.ts";
import { scanText } from "../walk-text.ts";
import classes from "./exceptions.module.css";
import { messages } from "./messages.ts";

const { decided, list } = messages;

function decisionText(scan: DecidedScan): string {
  if (scan.decision === "accepted") {
    return decided.accepted(scanText(scan), `${scan.area.code} – ${scan.area.name}`);
  }
  return scan.reason === null ? decided.dismissed : decided.dismissedBecause(scan.reason);
}

interface DecidedLineProps {
  readonly scan: DecidedScan;
  readonly locked: boolean;
  readonly busy: boolean;
  readonly onTakeBack: () => void;
}

function DecidedLine({ scan, locked, busy, onTakeBack }: DecidedLineProps) {
  return (
    <li className={classes.group}>
      <div className={classes.what}>
        <span className={classes.code}>{scan.input}</span> {timesText(scan.quantity)}
        <div>{decisionText(scan)}</div>
        <div className={classes.note}>{decided.by(scan.decidedBy, dateTimeText(scan.decidedAt))}</div>
      </div>
      {scan.canBeTakenBack ? (
        <Button
          variant="default"
          size="sm"
          disabled={locked || busy}
          onClick={onTakeBack}
          aria-label={`${decided.takeBack}: ${scan.input}`}
        >
          {decided.takeBack}
        </Button>
      ) : (
        <span className={classes.note}>{decided.voided}</span>
      )}
    </li>
  );
}

interface DecidedListProps {
  readonly scans: readonly DecidedScan[];
  readonly total: number;
  readonly locked: boolean;
  readonly busy: boolean;
  readonly onTakeBack: (scanIds: readonly string[]) => void;
  readonly onMore: () => void;
}

/** What was decided before, folded away. */
export function DecidedList({ scans, total, onTakeBack, onMore, ...state }: DecidedListProps) {
  if (total === 0) return null;
  const hidden = total - scans.length;
  return (
    <details className={classes.decided}>
      <summary>{decided.title(total)}</summary>
      <Stack gap="xs">
        <ul className={classes.list}>
          {scans.map((scan) => (
            <DecidedLine key={scan._id} scan={scan} {...state} onTakeBack={() => onTakeBack([scan._id])} />
          ))}
        </ul>
        {hidden <= 0 ? null : (
          <Button variant="subtle" onClick={onMore} style={{ alignSelf: "flex-start" }}>
            {list.more(hidden)}
          </Button>
        )}
      </Stack>
    </details>
  );
}
