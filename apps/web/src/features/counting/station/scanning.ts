import { isAreaLabel, type Product } from "@stocktake/contract";
import type { PendingScan, ScanDraft } from "../../../offline/offline.ts";
import { createDebounce } from "../../../scanner/debounce.ts";
import { chosen, type Interpretation, interpret, type SentCode } from "../../../scanner/interpret.ts";
import type { AreaOpening, LabelOutcome } from "../opening/area-opening.ts";
import { countedArea } from "../opening/counting-area.ts";
import { type Notice, notices } from "./notices.ts";
import type { StationProducts } from "./products.ts";
import type { StationCore } from "./station-core.ts";
import { isAskedFor, type ScanMethod } from "./station-state.ts";
import { createTagReads } from "./tag-reads.ts";
import { changeableUnits, presentEntry, type TallyEntry, undoOf } from "./tally.ts";

/** What is shown of the product that a scan counts. */
type ScannedProduct = Pick<Product, "sku"> & Pick<ScanDraft, "productTitle" | "size">;

interface AcceptedScan {
  readonly sent: SentCode;
  /** Null sends an unknown code, for an administrator to see. */
  readonly product: ScannedProduct | null;
  readonly method: ScanMethod;
  /** One where absent. */
  readonly quantity?: number;
  /** The units of the pack that was scanned. */
  readonly packUnits?: number | null;
  /** The code of the area where the item of the RFID tag counts by this device's word. */
  readonly countedIn?: string;
}

/** What was read: a product or nobody's code, without a question to a person. */
type Found = Exclude<Interpretation, { readonly kind: "choose" }>;

export interface Scanning {
  readonly scan: (code: string, method: ScanMethod) => void;
  /** Makes a counted entry so many units in all, in the place of what it was. One that has gone meanwhile stays gone. */
  readonly setQuantity: (entry: TallyEntry, quantity: number) => void;
  /** Counts a product that a person found by its name. */
  readonly countFound: (product: Product) => void;
  /** The person's choice for a code that matches several products; null counts nothing. */
  readonly chooseProduct: (product: Product | null) => void;
  /** Follows what becomes of the tags that were read; ends with the returned function. */
  readonly start: () => () => void;
}

function draftOf({ area, state, userId }: StationCore, scan: AcceptedScan): ScanDraft {
  const { sent, product, method, quantity = 1, packUnits = null, countedIn } = scan;
  return {
    ...{ area: countedArea(area, state().pass), ...sent, method, scannedById: userId },
    ...(quantity === 1 ? {} : { quantity }),
    ...(packUnits === null ? {} : { packUnits }),
    localOutcome: product === null || countedIn !== undefined ? "unresolved" : "counted",
    sku: product?.sku ?? null,
    productTitle: product?.productTitle ?? null,
    size: product?.size ?? null,
  };
}

/** Takes codes: debounces, matches in memory, writes to the outbox, and only then shows and sounds success. */
export function createScanning(core: StationCore, products: StationProducts, opening: AreaOpening): Scanning {
  const { area, device, feedback, state, change, show } = core;
  const debounce = createDebounce();
  const tags = createTagReads(core);
  /** Whether what was taken last could be saved; true where there is nothing to save. */
  let writing = Promise.resolve(true);
  let reading = Promise.resolve();

  function showWritten(
    written: Promise<PendingScan>,
    noticeOf?: (row: PendingScan) => Notice,
  ): Promise<boolean> {
    const noticed = noticeOf ?? noticeOfWritten;
    writing = written.then(
      (scan) => {
        change({ type: "scanned", scan, notice: noticed(scan) });
        return true;
      },
      (error: unknown) => {
        globalThis.reportError(error);
        show(notices.notSaved());
        return false;
      },
    );
    return writing;
  }

  const noticeOfWritten = (row: PendingScan) =>
    isAskedFor(state(), row.sku)
      ? notices.written(row, device.connectivity.isOnline())
      : notices.notOnList(row);

  const write = (scan: AcceptedScan) => showWritten(device.scan(draftOf(core, scan)));

  /** Where it could not be saved, the next scan is no repeat of it. */
  async function writeScanned(scan: AcceptedScan, code: string, at: number): Promise<void> {
    if (!(await write(scan))) debounce.forget(code, at);
  }

  function setQuantity(entry: TallyEntry, quantity: number): void {
    const { tally, pass, block } = state();
    const present = block === null ? presentEntry(tally, entry) : undefined;
    const units = changeableUnits(present);
    if (present === undefined || present.sku === null || units === null || units === quantity) return;
    const { sku, productTitle, size } = present;
    const scan = draftOf(core, {
      // By its own SKU, so that no code is asked about again.
      sent: { input: sku, inputType: "sku" },
      product: { sku, productTitle, size },
      method: "manual",
      quantity,
    });
    const undo = undoOf(present, countedArea(area, pass));
    void showWritten(device.replace({ undo, scan }).then((replacement) => replacement.scan));
  }

  function isIgnoredRepeat(code: string, method: ScanMethod, at = core.now()): boolean {
    // Typing takes a person longer than the debounce; what was submitted was meant.
    if (method === "manual" || debounce.accept(code, at, feedback.settings().debounce)) {
      writing = writing.then(() => true);
      return false;
    }
    // After the scan before it, whose notice, still on its way through the device's storage, would replace this one. Where that could
    // not be saved, this must not take the word of it away.
    void writing.then((isSaved) => show(isSaved ? notices.ignoredRepeat(code) : notices.notSaved()));
    return true;
  }

  function showOutcome(outcome: LabelOutcome): void {
    if (outcome.kind === "opened") show(null);
    else if (outcome.kind === "here") show(notices.labelHere());
    else show(notices.labelRefused(outcome.error));
  }

  // A label opens its area, and never counts, from an area that is closed or done, too.
  function handleLabel(code: string): void {
    show(notices.labelOpens());
    opening.openLabel(code).then(showOutcome, globalThis.reportError);
  }

  function refuseBlocked(code: string): void {
    if (state().block === "finished") show(notices.areaFinished(code));
    else if (state().block === "no_session") show(notices.afterEnd(code));
    // Every other block's notice is on the banner already.
    else feedback.play("alarm");
  }

  /** One tag after the other, as a reader sends them faster than they are stored. A repeated read is not stored. */
  async function handleTag(found: Found, tag: string, method: ScanMethod): Promise<void> {
    if (state().block !== null) return refuseBlocked(found.sent.input);
    const known = await tags.find(tag);
    const product = found.kind === "product" ? found.product : null;
    if (known.kind === "here") return show(notices.tagCounted(product));
    if (known.kind === "set_aside") return show(notices.tagSetAside(product));
    const packUnits = found.kind === "product" ? found.packUnits : null;
    const scan = { sent: found.sent, product, method, packUnits };
    if (known.kind === "new") {
      await showWritten(device.scan(draftOf(core, scan)).then(remembered));
      return;
    }
    const { areaCode: countedIn } = known;
    const written = device.scan(draftOf(core, { ...scan, countedIn }));
    await showWritten(written.then(remembered), (row) => notices.tagElsewhere(row, countedIn));
  }

  /** The device's rows can't be read: so that it counts once, it is not stored. */
  function handleUnread(error: unknown): void {
    globalThis.reportError(error);
    show(notices.notSaved());
    // A storage that the browser has closed is opened again.
    device.checkStorage();
  }

  function remembered(row: PendingScan): PendingScan {
    tags.add(row);
    return row;
  }

  function handleProduct(code: string, method: ScanMethod) {
    if (state().block !== null) return refuseBlocked(code);
    const held = products.held();
    if (!state().isPrepared || held === null) return show(notices.notReady());
    const found = interpret(held, code);
    if (found.kind !== "choose" && found.tag !== null) {
      const { key } = found.tag;
      // It counts once, however often it is read: there is no repeat to be ignored.
      reading = reading.then(() => handleTag(found, key, method)).catch(handleUnread);
      return;
    }
    const at = core.now();
    if (isIgnoredRepeat(code, method, at)) return;
    if (found.kind === "choose")
      return change({ type: "patched", patch: { choice: { code, products: found.products, method } } });
    const { product, packUnits } = found.kind === "product" ? found : { product: null, packUnits: null };
    void writeScanned({ sent: found.sent, product, packUnits, method }, code, at);
  }

  return {
    scan(code, method) {
      const isOpening = opening.get().isLabelOpening;
      if (!isAreaLabel(code) && !isOpening) return handleProduct(code, method);
      if (isIgnoredRepeat(code, method)) return;
      // Until the area is open, nothing that is scanned counts in the one being left.
      if (isOpening) show(notices.labelMeanwhile(code));
      else handleLabel(code);
    },
    setQuantity,
    start: tags.start,
    countFound(product) {
      if (state().block !== null) return refuseBlocked(product.sku);
      if (!state().isPrepared) return show(notices.notReady());
      void write({ sent: chosen(product), product, method: "manual" });
    },
    chooseProduct(product) {
      const { choice } = state();
      change({ type: "patched", patch: { choice: null } });
      if (product !== null && choice !== null)
        void write({ sent: chosen(product), product, method: choice.method });
    },
  };
}
