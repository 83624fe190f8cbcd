import { memo } from "react";
import { namedWithSize } from "../station/product-text.ts";
import { recentScans, type Tally } from "../station/tally.ts";
import classes from "./recent-scans.module.css";

// Made once: making one takes longer than drawing the whole list, and it is drawn with every scan.
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

function timeText(time: string): string {
  return timeFormat.format(new Date(time));
}

export const RecentScans = memo(function RecentScans({ tally }: { tally: Tally }) {
  const recent = recentScans(tally);
  return (
    <section aria-label="Recent Scans">
      <h2 className={classes.subheading}>Recent Scans</h2>
      {recent.length === 0 ? (
        <p className={classes.facts}>No scans yet in this area.</p>
      ) : (
        <ul className={classes.recent}>
          {recent.map((entry) => (
            <li key={entry.seq}>
              <span>
                {namedWithSize(entry)} <span className={classes.facts}>{entry.sku}</span>
              </span>
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
