import { isAreaLabel, type Product } from "@stocktake/contract";
import type { PendingScan, ScanDraft } from "../../../offline/offline.ts";
import { createDebounce } from "../../../scanner/debounce.ts";
import { chosen, interpret, type SentCode } from "../../../scanner/interpret.ts";
import type { AreaOpening, LabelOutcome } from "../opening/area-opening.ts";
import { countedArea } from "../opening/counting-area.ts";
import { notices } from "./notices.ts";
import type { StationProducts } from "./products.ts";
import type { StationCore } from "./station-core.ts";
import type { ScanMethod } from "./station-state.ts";
import { type TallyEntry, undoOf } from "./tally.ts";

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
}

export interface Scanning {
  readonly scan: (code: string, method: ScanMethod) => void;
  /** Makes a counted entry so many units in all, in the place of what it was. One that has gone meanwhile stays gone. */
  readonly setQuantity: (entry: TallyEntry, quantity: number) => void;
  /** Counts a product that a person found by its name. */
  readonly countFound: (product: Product) => void;
  /** The person's choice for a code that matches several products; null counts nothing. */
  readonly chooseProduct: (product: Product | null) => void;
}

function draftOf({ area, state, userId }: StationCore, scan: AcceptedScan): ScanDraft {
  const { sent, product, method, quantity = 1, packUnits = null } = scan;
  return {
    ...{ area: countedArea(area, state().pass), ...sent, method, scannedById: userId },
    ...(quantity === 1 ? {} : { quantity }),
    ...(packUnits === null ? {} : { packUnits }),
    localOutcome: product === null ? "unresolved" : "counted",
    sku: product?.sku ?? null,
    productTitle: product?.productTitle ?? null,
    size: product?.size ?? null,
  };
}

/** Takes codes: debounces, matches in memory, writes to the outbox, and only then shows and sounds success. */
export function createScanning(core: StationCore, products: StationProducts, opening: AreaOpening): Scanning {
  const { area, device, feedback, state, change, show } = core;
  const debounce = createDebounce();
  let writing = Promise.resolve();

  function showWritten(written: Promise<PendingScan>): void {
    writing = written.then(
      (row) =>
        change({ type: "scanned", scan: row, notice: notices.written(row, device.connectivity.isOnline()) }),
      (error: unknown) => {
        globalThis.reportError(error);
        show(notices.notSaved());
      },
    );
  }

  const write = (scan: AcceptedScan) => showWritten(device.scan(draftOf(core, scan)));

  function setQuantity(entry: TallyEntry, quantity: number): void {
    const { tally, pass, block } = state();
    const { sku, productTitle, size } = entry;
    const isThere = block === null && tally.some(({ seq }) => seq === entry.seq);
    if (!isThere || sku === null || entry.quantity === quantity) return;
    const scan = draftOf(core, {
      // By its own SKU, so that no code is asked about again.
      sent: { input: sku, inputType: "sku" },
      product: { sku, productTitle, size },
      method: "manual",
      quantity,
    });
    const undo = undoOf(entry, countedArea(area, pass));
    showWritten(device.replace({ undo, scan }).then((replacement) => replacement.scan));
  }

  function isIgnoredRepeat(code: string, method: ScanMethod): boolean {
    // Typing takes a person longer than the debounce; what was submitted was meant.
    if (method === "manual" || debounce.accept(code, core.now(), feedback.settings().debounce)) return false;
    // After the scan before it, whose notice, still on its way through the device's storage, would replace this one.
    void writing.then(() => show(notices.ignoredRepeat(code)));
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
    // Every other block's notice is on the banner already.
    else feedback.play("buzz");
  }

  function handleProduct(code: string, method: ScanMethod) {
    if (state().block !== null) return refuseBlocked(code);
    const held = products.held();
    if (!state().isPrepared || held === null) return show(notices.notReady());
    if (isIgnoredRepeat(code, method)) return;
    const found = interpret(held, code);
    if (found.kind === "unknown") return write({ sent: found.sent, product: null, method });
    if (found.kind === "product") {
      const { sent, product, packUnits } = found;
      return write({ sent, product, method, packUnits });
    }
    change({ type: "patched", patch: { choice: { code, products: found.products, method } } });
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
    countFound(product) {
      if (state().block !== null) return refuseBlocked(product.sku);
      if (!state().isPrepared) return show(notices.notReady());
      write({ sent: chosen(product), product, method: "manual" });
    },
    chooseProduct(product) {
      const { choice } = state();
      change({ type: "patched", patch: { choice: null } });
      if (product !== null && choice !== null)
        write({ sent: chosen(product), product, method: choice.method });
    },
  };
}
