import { VisuallyHidden } from "@mantine/core";
import { memo } from "react";
import type { CountingDevice } from "../../../offline/offline.ts";
import { quantityText } from "../../../ui/formats.ts";
import {
  CheckIcon,
  CloseIcon,
  ErrorIcon,
  InfoIcon,
  RepeatIcon,
  TrayIcon,
  WarningIcon,
} from "../../../ui/icons.tsx";
import { DeviceBadges } from "../device/device-badges.tsx";
import { messages } from "../messages.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import { ProductPhoto } from "../photos/product-photo.tsx";
import { acceptedAmongItems } from "../station/area-state.ts";
import type { Notice } from "../station/notices.ts";
import { dot, sizeText } from "../station/product-text.ts";
import { itemsScanned, type StationState } from "../station/station-state.ts";
import type { TallyEntry } from "../station/tally.ts";
import header from "./area-header.module.css";
import colours from "./banner-states.module.css";
import words from "./banner-text.module.css";
import figures from "./figures.module.css";
import classes from "./scan-screen.module.css";
import unread from "./unread.module.css";

const states = {
  success: { word: "Counted", Icon: CheckIcon },
  saved: { word: "Counted", Icon: CheckIcon },
  aside: { word: "Set aside", Icon: TrayIcon },
  ignored: { word: "Not counted", Icon: RepeatIcon },
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

/** A product's title, and its size and quantity: where the title is cut, these are still read. */
function titleOf(text: string): ReturnType<typeof leadOf> {
  const end = /\u00a0·\s/.exec(text);
  return end === null
    ? { lead: text, rest: "" }
    : { lead: text.slice(0, end.index), rest: text.slice(end.index + end[0].length) };
}

function Message({ text, isLongTitle }: { text: string; isLongTitle: boolean }) {
  const { lead, rest } = isLongTitle ? titleOf(text) : leadOf(text);
  const size = lead.length > leadMaximum ? `${classes.message} ${classes.long}` : classes.message;
  return (
    <div className={size}>
      <span className={classes.lead}>{lead}</span>
      {rest === "" ? null : <span className={classes.rest}> {rest}</span>}
    </div>
  );
}

/** How much there is to read: on a small phone more of it is written smaller, so that the count stays in sight. */
function amountOf(text: string, detail: string, hasPhoto: boolean): "little" | "some" | "much" {
  const characters = text.length + detail.length;
  if (characters <= 56 && !hasPhoto) return "little";
  return characters <= 110 ? "some" : "much";
}

interface StatusBannerProps {
  readonly notice: Notice | null;
  /** False while products, rows and sequence are still being read. */
  readonly isReady: boolean;
  /** The photo of the product that was counted. */
  readonly image: string | null;
  /** How many of it are here, in words. */
  readonly here: string | null;
}

/** The large status: the last notice, or READY TO SCAN; its colour always with an icon and a word. */
export const StatusBanner = memo(function StatusBanner(props: StatusBannerProps) {
  const { notice, isReady, image, here } = props;
  const idle: Notice = { kind: "info", text: isReady ? messages.ready : messages.gettingReady };
  const shown = notice ?? idle;
  const { kind, text } = shown;
  const detail = [shown.detail, here].filter((part) => (part ?? "") !== "").join(dot);
  const { word, Icon } = states[kind];
  const amount = amountOf(text, detail, image !== null);
  const isProduct = (shown.sku ?? null) !== null;
  return (
    <div
      className={`${classes.banner} ${colours[kind]}`}
      role="status"
      aria-live="assertive"
      data-state={kind}
      data-amount={amount}
      data-product={isProduct}
    >
      <ProductPhoto image={image} isLarge />
      <div className={words.words}>
        <div className={`${classes.state} ${colours.word}`}>
          <Icon size={36} />
          {notice === null && isReady ? null : word}
        </div>
        <Message text={text} isLongTitle={isProduct && amount === "much"} />
        {detail === "" ? null : <div className={classes.detail}>{detail}</div>}
      </div>
    </div>
  );
});

interface UnreadNoticeProps {
  readonly text: string | null;
  readonly onDismiss: () => void;
}

/** What a person has to have read, in a line that the next scan does not take away; a tap does. */
export const UnreadNotice = memo(function UnreadNotice({ text, onDismiss }: UnreadNoticeProps) {
  if (text === null) return null;
  return (
    <button type="button" className={unread.unread} onClick={onDismiss}>
      <WarningIcon />
      <span className={unread.text}>{text}</span>
      <CloseIcon />
      {/* Read out; the cross says it to the eye. */}
      <VisuallyHidden>{messages.dismiss}</VisuallyHidden>
    </button>
  );
});

interface AreaHeaderProps {
  readonly area: CountingArea;
  readonly username: string;
  readonly device: CountingDevice;
}

/** Where, who, and the state of the device. */
export const AreaHeader = memo(function AreaHeader({ area, username, device }: AreaHeaderProps) {
  // The specification's heading; a name that nobody gave is the code once more, which nobody needs to see.
  const name = ` - ${area.area.name}`;
  const isNamed = area.area.name !== area.area.code;
  return (
    <div className={header.header}>
      <div className={header.names}>
        <h1 className={header.area}>
          {`Area ${area.area.code}`}
          {isNamed ? name : <VisuallyHidden component="span">{name}</VisuallyHidden>}
        </h1>
        <div className={header.where}>
          <span>{area.store.name}</span>
          <span>{area.location.name}</span>
          <span>{username}</span>
        </div>
      </div>
      <div className={header.badges}>
        <DeviceBadges device={device} />
      </div>
    </div>
  );
});

function LastScanned({ entry }: { entry: TallyEntry | undefined }) {
  return (
    <div className={figures.last}>
      <div className={figures.label}>Last Scanned</div>
      {entry === undefined ? (
        <div className={figures.facts}>Nothing yet</div>
      ) : (
        <>
          <div className={figures.product}>{entry.productTitle ?? entry.sku}</div>
          {entry.size === null ? null : <div className={figures.size}>{sizeText(entry.size)}</div>}
          <div className={figures.facts}>SKU {entry.sku}</div>
        </>
      )}
    </div>
  );
}

/** How wide a number is, in heights of its letters: Inter's bold digits and separators, set as closely as the figure is. */
function emsOf(text: string): number {
  return Array.from(text).reduce((width, sign) => width + (/\p{Nd}/u.test(sign) ? 0.61 : 0.28), 0);
}

/** The count, the largest figure of the screen, and what was scanned last. */
export const Figures = memo(function Figures({
  tally,
  elsewhere,
}: Pick<StationState, "tally" | "elsewhere">) {
  const accepted = acceptedAmongItems(elsewhere);
  const items = quantityText(itemsScanned({ tally, elsewhere }));
  return (
    <div className={figures.figures} style={{ "--ems": emsOf(items) }}>
      <div>
        <div className={figures.label} id="items-scanned">
          Items Scanned
        </div>
        <output className={figures.count} aria-labelledby="items-scanned">
          {items}
        </output>
      </div>
      <LastScanned entry={tally.at(-1)} />
      {accepted === 0 ? null : <div className={figures.accepted}>{messages.acceptedAmong(accepted)}</div>}
    </div>
  );
});
