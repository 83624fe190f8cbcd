import { type Area, characterCount, firstCharacters, type Product } from "@stocktake/contract";
import type { PendingOperation, PendingScan } from "../../../offline/offline.ts";
import type { SoundName } from "../../../scanner/feedback.ts";
import { quantityText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import { type Mismatch, mismatchTexts } from "../mismatch.ts";
import type { RequestedRecount } from "../recounts/recounts.ts";
import { restoredMessages } from "../restored-messages.ts";
import { takenBackReason } from "../taken-back-reason.ts";
import { entryText, namedWithSize, scanText } from "./product-text.ts";
import type { TallyEntry } from "./tally.ts";

/** Why nothing more can be scanned here. */
export type Block = "no_session" | "area_closed" | "area_deleted" | "area_assigned" | "finished";

/**
 * What the station tells a person about one event: the banner, its sound, and whether counting is over with it. Of a scan: `success`
 * and `saved` count, `aside` is kept for the manager, nothing was kept of an `error`, and `ignored` is a repeat.
 */
export interface Notice {
  readonly kind: "success" | "saved" | "aside" | "error" | "ignored" | "warning" | "info";
  readonly text: string;
  /** A second, smaller line. */
  readonly detail?: string | undefined;
  /** The product that it says was counted: its photo and how many of it are here are shown with it. */
  readonly sku?: string | null;
  readonly sound?: SoundName;
  /** Absent and null leave counting as it is. */
  readonly block?: Block | null;
  /** Stays until the person scans or taps on: what only mentions the network or the products waits. */
  readonly isReadFirst?: boolean;
  /** Somebody scanned although the session is over. */
  readonly isAfterEnd?: boolean;
  /** What is left of it in sight when the next scan takes the banner, until it is tapped away. */
  readonly stays?: string;
}

type Refusal = NonNullable<PendingOperation["refusal"]>;

const blocksByReason: Partial<Record<string, Block>> = {
  AREA_CLOSED: "area_closed",
  AREA_DELETED: "area_deleted",
  AREA_ASSIGNED: "area_assigned",
  SESSION_CLOSED: "no_session",
};

/** Which end of counting a reason of the server's or a refusal's code means; null where counting goes on. */
function blockOf(reason: string | null): Block | null {
  return reason === null ? null : (blocksByReason[reason] ?? null);
}

/**
 * Which end of counting the server's reason for a row of the area means, where `pass` is counted. That the area was closed is news of the
 * row's pass alone: it may be open again since, and the answer an old one that is repeated.
 */
export function endOf(
  { pass }: { readonly pass: number },
  row: { readonly pass: number },
  reason: string | null,
): Block | null {
  const block = blockOf(reason);
  return block === "area_closed" && row.pass !== pass ? null : block;
}

const ok = (text: string, detail?: string): Notice => ({ kind: "success", text, detail });
const info = (text: string): Notice => ({ kind: "info", text });
const warning = (text: string, detail?: string): Notice => ({ kind: "warning", text, detail });
/** The specification's warning, of a scan that counts all the same. */
const saved = (scan: PendingScan): Notice => ({
  ...{ kind: "saved", text: messages.savedLocally, detail: scanText(scan), sku: scan.sku },
});
const aside = (text: string, detail: string): Notice => ({ kind: "aside", text, detail });
/** Every error that a scan or a tap leads to is heard. */
const error = (text: string, detail?: string, block: Block | null = null): Notice => ({
  ...{ kind: "error", text, detail, sound: "alarm", block },
});

/** What is shown of a scan that has just been written to the disk. */
function written(scan: PendingScan, isOnline: boolean): Notice {
  if (scan.localOutcome === "unresolved")
    return { ...aside(messages.unknownCode(scan.input), messages.unknownNext), sound: "buzz" };
  const { sku } = scan;
  const sound = "beep";
  if (!isOnline) return { ...saved(scan), sound };
  const detail = scan.productTitle === null ? undefined : (sku ?? undefined);
  return { ...ok(namedWithSize(scan), detail), sku, sound };
}

/** With how many scans that were set aside go with the pass that is over; unsaid where there are none, or an earlier count counts again. */
function withAside(notice: Notice, aside: number): Notice {
  if (aside === 0 || notice.stays === restoredMessages.short) return notice;
  return { ...notice, detail: [notice.detail, messages.asideAgain(aside)].filter(Boolean).join(" ") };
}

const asideReasons: readonly (string | null)[] = ["UNKNOWN_CODE", "AMBIGUOUS_CODE"];

/** Of a scan that was shown as counted and is not. */
function takenBack(scan: PendingScan): Notice {
  const reason = scan.acknowledgement?.reason ?? null;
  const text = takenBackReason(reason, scan);
  const isAside = asideReasons.includes(reason);
  return isAside ? { ...aside(text, scanText(scan)), sound: "buzz" } : error(text, scanText(scan));
}

/** Of a scan in another area that was shown as counted there and is not; null where nothing has changed. */
function lostElsewhere(scan: PendingScan): Notice | null {
  const { acknowledgement, refusal, localOutcome, undone, areaCode } = scan;
  if (localOutcome !== "counted" || undone || acknowledgement?.tag !== undefined) return null;
  const isLost = refusal !== null || (acknowledgement !== null && acknowledgement.status !== "counted");
  if (!isLost) return null;
  const reason = refusal?.error ?? takenBackReason(acknowledgement?.reason ?? null, scan);
  return error(`A scan in area ${areaCode} was not counted`, `${reason} ${scanText(scan)}`);
}

function undoneDetail(entry: TallyEntry): string {
  const text = entryText(entry);
  return entry.isUnknown ? `${text}: it was in no count` : text;
}

/** A banner with more would hide the count on a small phone; the dashboard shows all of it. */
const reasonOnBanner = 90;

function shortened(text: string): string {
  return characterCount(text) <= reasonOnBanner ? text : `${firstCharacters(text, reasonOnBanner)}…`;
}

/** Whose the areas are that are to be counted again: this person counted there, they are assigned to them, or neither. */
export type RecountConcern = keyof typeof messages.recountYours;

/** An administrator wants other areas counted again. Every phone tells, so that somebody does it; whom it concerns keeps it in sight. */
function recountsRequested(requests: readonly RequestedRecount[], concern: RecountConcern): Notice {
  const [first, ...others] = requests;
  const only = others.length === 0 ? first : undefined;
  const text =
    only === undefined
      ? messages.recountsRequested(requests.map(({ area }) => area.code).join(", "))
      : messages.recountRequestedOf(only.area.code, only.area.name);
  const where = only === undefined ? "" : messages.recountWhere(only.locationName, only.recount.reason);
  const detail = `${shortened(where)} ${messages.recountYours[concern]}`.trim();
  const notice: Notice = { ...warning(shortened(text), detail), sound: "call", isReadFirst: true };
  return concern === "others" ? notice : { ...notice, stays: shortened(text) };
}

/** An administrator restored an earlier count of this area; whoever takes it for a restart would count everything twice. */
function countRestored(): Notice {
  const { restored, next, short } = restoredMessages;
  return { ...warning(restored, next), sound: "call", isReadFirst: true, stays: short };
}

/** The server was restored, and has not got as far as the pass that was counted here. */
function passLost(): Notice {
  const { restored: text, passLost: detail } = messages;
  return { ...warning(text, detail), sound: "call", isReadFirst: true, stays: messages.passLostShort };
}

/** Somebody else started this area again; where an administrator asked for that, with the reason. */
function startedAgainByOthers({ recount, recountNeeded, pass }: Area): Notice {
  const asked = recount?.pass === pass ? recount : null;
  const mismatched = recountNeeded === true ? messages.mismatchOfOthers : undefined;
  const detail = asked === null ? mismatched : shortened(messages.recountHere(asked.reason));
  const reason = asked?.reason ?? null;
  const stays = messages.startedAgainShort(reason === null ? null : shortened(reason));
  return { ...warning(messages.startedAgain, detail), sound: "alarm", stays };
}

type TaggedProduct = Pick<Product, "sku" | "productTitle" | "size"> | null;

function detailOf(product: TaggedProduct): Pick<Notice, "detail"> {
  return product === null ? {} : { detail: namedWithSize(product) };
}

/** One value, so that it can be taken back once it is no longer true. */
const notReady: Notice = error(messages.notReady);

/** The notice of each situation, made here alone. */
export const notices = {
  withAside,
  written,
  /** It is kept, and in the total until it is undone. */
  notOnList: (scan: PendingScan): Notice => ({
    ...warning(messages.notOnList, `${namedWithSize(scan)}. ${messages.notOnListNext}`),
    sound: "buzz",
  }),
  lostElsewhere,
  notReady: () => notReady,
  ignoredRepeat: (code: string): Notice => ({
    ...{ kind: "ignored", text: messages.ignoredRepeat, sound: "miss" },
    detail: `${messages.ignoredNext} ${code}`,
  }),
  unended: (text: string) => error(messages.unended, text),
  readBehind: (code: string) => error(messages.readBehind, code),
  notSaved: () => error(messages.notSaved),
  storageReopened: (rescued: number | null): Notice => ({
    ...error(rescued === null ? messages.storageReopened : messages.storageDeleted(rescued)),
    isReadFirst: true,
  }),
  /** Without the server that it is away stays the news, and was heard already. */
  offlineProducts: (isOnline: boolean): Notice =>
    isOnline ? warning(messages.offlineProducts) : warning(messages.offline, messages.offlineProducts),
  refused: (scan: PendingScan, { error: reason }: Refusal) => error(`Not counted: ${reason}`, scanText(scan)),
  takenBack,
  /** Without a sound: a reader reads every tag again and again. */
  tagCounted: (product: TaggedProduct): Notice => ({ ...info(messages.tagCounted), ...detailOf(product) }),
  /** Without a sound too: the first read of it was told. */
  tagSetAside: (product: TaggedProduct): Notice => ({
    ...{ kind: "aside", text: messages.tagSetAside },
    ...detailOf(product),
  }),
  /** Heard as whatever is set aside, once: this is of the first read of it alone. */
  tagElsewhere: (scan: PendingScan, areaCode: string | null): Notice => ({
    ...aside(
      areaCode === null ? messages.tagElsewhere : messages.tagElsewhereIn(areaCode),
      `${entryText(scan, namedWithSize)}. ${messages.tagElsewhereNext}`,
    ),
    sound: "buzz",
  }),
  countedAfterAll: (scan: PendingScan): Notice => ({
    ...ok(messages.countedAfterAll, scanText(scan)),
    sound: "beep",
  }),
  /** Of a scan that counts. */
  unsent: saved,
  /** Its knock comes when the undo is on the disk. */
  undone: (entry: TallyEntry): Notice => ({ ...info(messages.undone), detail: undoneDetail(entry) }),
  undoNotSaved: () => error(messages.failedUndo),
  undoRefused: (refusal: Refusal, end: Block | null) => error(messages.failedUndo, refusal.error, end),
  resetRefused: (refusal: Refusal) =>
    error(`${messages.failedReset} ${refusal.error}`, undefined, blockOf(refusal.code)),
  finishRefused: (refusal: Refusal) => error(messages.failedFinish, refusal.error, blockOf(refusal.code)),
  /** `items`: Items Scanned since then; null where the device could not learn it. */
  countChanged: (refusal: Refusal, items: number | null): Notice => ({
    ...warning(items === null ? messages.countChanged : messages.itemsNow(items), refusal.error),
    sound: "alarm",
  }),
  /** An administrator accepted scans into the pass: `items` is Items Scanned since then; null where they are not among them. */
  accepted: (scans: number, items: number | null): Notice => {
    const what = messages.acceptedNow(scans);
    return items === null ? info(what) : { ...info(messages.itemsNow(items)), detail: what };
  },
  areaComplete: (total: number): Notice => ({
    ...ok(messages.areaComplete, `${quantityText(total)} counted`),
    ...{ sound: "fanfare", block: "finished" },
  }),
  ownTotalKept: (waitingFor: readonly string[]): Notice => ({
    ...ok(messages.ownTotalKept, messages.ownTotalWaits(waitingFor)),
    ...{ sound: "beep", block: "finished" },
  }),
  finishQueued: (): Notice => ({
    ...warning(messages.savedLocally, messages.finishQueued),
    block: "finished",
  }),
  finishWaits: (): Notice => ({ ...warning(messages.finishWaits), block: "finished" }),
  areaFinished: (code: string) => error(messages.areaFinished, code),
  mismatch: (mismatch: Mismatch): Notice => ({
    ...error(mismatchTexts.banner(mismatch), messages.mismatchNext),
    stays: mismatchTexts.short(mismatch),
  }),
  /** Learned from what the server took back, which has buzzed already. */
  startedAgain: (): Notice => ({
    ...warning(messages.startedAgain),
    stays: messages.startedAgainShort(null),
  }),
  startedAgainByOthers,
  countRestored,
  passLost,
  recountsRequested,
  /** The end of a count is no fault: whoever counts is called to look, and scans in vain only from here on. */
  noSession: (): Notice => ({ ...info(messages.noSession), sound: "call", block: "no_session" }),
  afterEnd: (code: string): Notice => ({
    ...error(messages.noSession, messages.afterEnd(code)),
    isAfterEnd: true,
  }),
  /** Of a session that had ended, by what this device had heard. */
  goesOn: (): Notice => ({ ...info(messages.countGoesOn), detail: messages.goesOnNext, sound: "call" }),
  areaClosed: () => error(messages.areaClosed, undefined, "area_closed"),
  areaAssigned: (reason: string) => error(messages.nowAssigned, reason, "area_assigned"),
  areaDeleted: () => error(messages.areaDeleted, undefined, "area_deleted"),
  /** What is shown of old products is still so without a network, and is not to be missed. */
  offline: (shown: Notice | null): Notice => ({
    ...(shown?.text === messages.offlineProducts
      ? notices.offlineProducts(false)
      : warning(messages.offline)),
    sound: "chime",
  }),
  backOnline: () => info(messages.backOnline),
  allSent: () => info(messages.allSent),
  labelOpens: () => info(messages.labelOpens),
  labelHere: (): Notice => ({ ...info(messages.labelHere), sound: "knock" }),
  labelRefused: (reason: string) => error(reason),
  labelMeanwhile: (code: string) => error(messages.labelMeanwhile, code),
} as const;
