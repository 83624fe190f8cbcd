import type { LiveEvent, Product, ProductIndex } from "@stocktake/contract";
import { type HeldProducts, openProducts, refreshProducts } from "../../../offline/offline.ts";
import { isServerFailure } from "../opening/counting-server.ts";
import { notices } from "./notices.ts";
import type { StationCore } from "./station-core.ts";

/** The products in memory, from which every scan is matched. */
export interface StationProducts {
  /** Null until they are read. */
  readonly index: () => ProductIndex<Product> | null;
  readonly onLiveEvent: (event: LiveEvent) => void;
  /** Reads what the device holds, and freshens it from the server in the background; ends with the returned function. */
  readonly start: () => () => void;
}

const spreadMs = 10_000;

export function createStationProducts(core: StationCore): StationProducts {
  const { device, area, timers, state, change } = core;
  let held: HeldProducts | null = null;
  let isOver = false;
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
    if (state().block === null) core.mention(notices.offlineProducts());
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
    index: () => held?.index ?? null,
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
