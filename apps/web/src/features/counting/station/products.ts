import { isAreaLabel, type LiveEvent, type Product, scannedCode } from "@stocktake/contract";
import { type HeldProducts, openProducts, refreshProducts } from "../../../offline/offline.ts";
import { interpret } from "../../../scanner/interpret.ts";
import type { ProductSearch } from "../finding/product-search.ts";
import { isServerFailure } from "../opening/counting-server.ts";
import { notices } from "./notices.ts";
import type { StationCore } from "./station-core.ts";

/** Reads the products for a search, with pauses in between for the page. */
type ReadSearch = (held: HeldProducts, pause: () => Promise<void>) => Promise<ProductSearch>;

/** The products in memory, from which every scan is matched. */
export interface StationProducts {
  /** Null until they are read. */
  readonly held: () => HeldProducts | null;
  /** The product whose own SKU it is; null where the device does not have it. */
  readonly ofSku: (sku: string) => Product | null;
  /** What is typed or scanned as this code is set aside as unknown: it is no product's, no pack's and no area's label. */
  readonly isUnknown: (code: string) => boolean;
  /** Ready once the products are read for it; null where the device has none. Begun when it is first asked for. */
  readonly search: (read: ReadSearch) => Promise<ProductSearch | null>;
  readonly onLiveEvent: (event: LiveEvent) => void;
  /** Reads what the device holds, and freshens it from the server in the background; ends with the returned function. */
  readonly start: () => () => void;
}

const spreadMs = 10_000;

/** Most areas are counted without it. */
function createSearching({ timers }: StationCore) {
  let made: { readonly of: HeldProducts; readonly search: Promise<ProductSearch> } | null = null;
  const pause = () => new Promise<void>((resolve) => void timers.after(0, resolve));
  return async (held: HeldProducts | null, read: ReadSearch) => {
    if (held === null) return null;
    if (made?.of !== held) made = { of: held, search: read(held, pause) };
    return made.search;
  };
}

export function createStationProducts(core: StationCore): StationProducts {
  const { device, area, timers, state, change } = core;
  let held: HeldProducts | null = null;
  let isOver = false;
  const searching = createSearching(core);
  let cancelFreshening = () => {};
  const handleProducts = (products: HeldProducts | null) => {
    if (products === null || isOver) return;
    held = products;
    change({ type: "patched", patch: { products: "ready" } });
  };
  const fail = (error: unknown) => {
    if (!isServerFailure(error)) globalThis.reportError(error);
    if (isOver) return;
    if (held === null) return change({ type: "patched", patch: { products: "failed" } });
    // Where nothing more can be counted, the banner tells why.
    if (state().block === null) core.mention(notices.offlineProducts(device.connectivity.isOnline()));
  };
  const freshen = () => refreshProducts(device, area.storeId, held).then(handleProducts, fail);
  const open = async () => {
    try {
      handleProducts(await openProducts(device, area.storeId));
    } catch (error) {
      // The server may still give what could not be read here.
      globalThis.reportError(error);
    }
    if (!isOver) await freshen();
  };
  return {
    held: () => held,
    isUnknown: (code) => held !== null && !isAreaLabel(code) && interpret(held, code).kind === "unknown",
    search: (read) => searching(held, read),
    ofSku: (sku) => held?.index.bySku.get(scannedCode(sku))?.find((product) => product.sku === sku) ?? null,
    onLiveEvent({ type }) {
      if (type !== "catalogue") return;
      cancelFreshening();
      // At a random moment, so that a shop's devices do not all fetch it at once.
      cancelFreshening = timers.after(device.random.fraction() * spreadMs, () => void freshen());
    },
    start() {
      isOver = false;
      void open();
      return () => {
        isOver = true;
        cancelFreshening();
      };
    },
  };
}
