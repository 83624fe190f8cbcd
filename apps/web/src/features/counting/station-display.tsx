import { memo } from "react";
import { type CountingDevice, useOnline, useQueueState } from "../../offline/offline.ts";
import { CheckIcon, ErrorIcon, InfoIcon, WarningIcon } from "../../ui/icons.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { words } from "./messages.ts";
import { namedWithSize, sizeText } from "./product-text.ts";
import type { ScanPlace } from "./route-state.ts";
import classes from "./scan-screen.module.css";
import type { Banner } from "./station-state.ts";
import { recentScans, type Tally, type TallyEntry } from "./tally.ts";

const states = {
  success: { word: "Counted", Icon: CheckIcon },
  error: { word: "Error", Icon: ErrorIcon },
  warning: { word: "Warning", Icon: WarningIcon },
  info: { word: "Info", Icon: InfoIcon },
};

const leadMaximum = 30;

/** A message's first words, for reading from afar, and the rest, for reading up close. */
function leadOf(text: string): { readonly lead: string; readonly rest: string } {
  const end = /[!:.](?= )/.exec(text);
  if (end === null || end.index >= leadMaximum) return { lead: text, rest: "" };
  const at = end.index + end[0].length;
  return { lead: text.slice(0, at).trimEnd(), rest: text.slice(at).trimStart() };
}

function Message({ text }: { text: string }) {
  const { lead, rest } = leadOf(text);
  const size = lead.length > leadMaximum ? `${classes.message} ${classes.long}` : classes.message;
  return (
    <div className={size}>
      <span className={classes.lead}>{lead}</span>
      {rest === "" ? null : <span className={classes.rest}> {rest}</span>}
    </div>
  );
}

interface StatusBannerProps {
  readonly banner: Banner | null;
  /** False while products, rows and sequence are still being read. */
  readonly isReady: boolean;
}

/** The large status: the last message, or READY TO SCAN; its colour always with an icon and a word. */
export const StatusBanner = memo(function StatusBanner({ banner, isReady }: StatusBannerProps) {
  const idle: Banner = { kind: "info", text: isReady ? words.ready : words.gettingReady };
  const { kind, text, detail } = banner ?? idle;
  const { word, Icon } = states[kind];
  return (
    <div
      className={`${classes.banner} ${classes[kind]}`}
      role="status"
      aria-live="assertive"
      data-state={kind}
    >
      <div className={classes.state}>
        <Icon size={36} />
        {banner === null && isReady ? "Ready" : word}
      </div>
      <Message text={text} />
      {detail === undefined || detail === "" ? null : <div className={classes.detail}>{detail}</div>}
    </div>
  );
});

function PendingBadge({ pending }: { pending: number }) {
  return <StatusBadge tone={pending === 0 ? "neutral" : "warning"}>{`${pending} pending`}</StatusBadge>;
}

function OnlineBadge({ isOnline }: { isOnline: boolean }) {
  return (
    <StatusBadge tone={isOnline ? "positive" : "warning"}>{isOnline ? "Online" : "Offline"}</StatusBadge>
  );
}

/** How the device stands: whether the server answers, and how much waits for it. */
export function DeviceBadges({ device }: { device: CountingDevice }) {
  const { pending } = useQueueState(device);
  return (
    <>
      <OnlineBadge isOnline={useOnline(device)} />
      <PendingBadge pending={pending} />
    </>
  );
}

interface PlaceHeaderProps {
  readonly place: ScanPlace;
  readonly username: string;
  readonly device: CountingDevice;
}

/** Where, who, and how the device stands. */
export const PlaceHeader = memo(function PlaceHeader({ place, username, device }: PlaceHeaderProps) {
  return (
    <div className={classes.place}>
      <div className={classes.names}>
        <h1 className={classes.area}>{`Area ${place.area.code} - ${place.area.name}`}</h1>
        <div className={classes.where}>
          <span>{place.store.name}</span>
          <span>{place.location.name}</span>
          <span>{username}</span>
        </div>
      </div>
      <div className={classes.badges}>
        <DeviceBadges device={device} />
      </div>
    </div>
  );
});

function LastScanned({ entry }: { entry: TallyEntry | undefined }) {
  return (
    <div className={classes.last}>
      <div className={classes.label}>Last Scanned</div>
      {entry === undefined ? (
        <div className={classes.facts}>Nothing yet</div>
      ) : (
        <>
          <div className={classes.product}>{entry.productTitle ?? entry.sku}</div>
          {entry.size === null ? null : <div className={classes.size}>{sizeText(entry.size)}</div>}
          <div className={classes.facts}>SKU {entry.sku}</div>
        </>
      )}
    </div>
  );
}

/** The count, the largest figure of the screen, and what was scanned last. */
export const Figures = memo(function Figures({ tally }: { tally: Tally }) {
  return (
    <div className={classes.figures}>
      <div>
        <div className={classes.label} id="items-scanned">
          Items Scanned
        </div>
        <output className={classes.count} aria-labelledby="items-scanned">
          {tally.length}
        </output>
      </div>
      <LastScanned entry={tally.at(-1)} />
    </div>
  );
});

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
