import { memo } from "react";
import { messages } from "../messages.ts";
import { namedWithSize } from "../station/product-text.ts";
import { recentScans, type Tally, type TallyEntry } from "../station/tally.ts";
import classes from "./recent-scans.module.css";

// Made once: making one takes longer than drawing the whole list, and it is drawn with every scan.
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

function timeText(time: string): string {
  return timeFormat.format(new Date(time));
}

function Scanned({ entry }: { entry: TallyEntry }) {
  const named = namedWithSize(entry);
  const [name, fact] = entry.isUnknown
    ? [named === "" ? entry.input : named, messages.setAside]
    : [named, entry.sku];
  return (
    <span>
      {name} <span className={classes.facts}>{fact}</span>
    </span>
  );
}

interface RecentScansProps {
  readonly tally: Tally;
  /** Scans that no product was found for: in no count. */
  readonly unknown: Tally;
}

export const RecentScans = memo(function RecentScans({ tally, unknown }: RecentScansProps) {
  const recent = recentScans(tally, unknown);
  return (
    <section aria-label="Recent Scans">
      <h2 className={classes.subheading}>Recent Scans</h2>
      {recent.length === 0 ? (
        <p className={classes.facts}>No scans yet in this area.</p>
      ) : (
        <ul className={classes.recent}>
          {recent.map((entry) => (
            <li key={entry.seq}>
              <Scanned entry={entry} />
              <time className={classes.time} dateTime={entry.scannedAt}>
                {timeText(entry.scannedAt)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
});
