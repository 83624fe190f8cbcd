import type { Product, ProductIndex } from "@stocktake/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, NoAnswerError } from "../../http/errors.ts";
import { useLiveEvents } from "../../http/live-events.tsx";
import {
  type CountingDevice,
  type HeldProducts,
  openProducts,
  refreshProducts,
} from "../../offline/offline.ts";

/** The products in memory, from which every scan is matched. */
export type ProductsInMemory =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly index: ProductIndex<Product> }
  | { readonly kind: "failed" };

const spreadMs = 10_000;

/** Follows changes of the catalogue, at a moment of chance, so that a shop's devices do not all fetch it at once. */
function useFresheningOnEvent(device: CountingDevice, freshen: () => Promise<void>): void {
  const cancel = useRef(() => {});
  useEffect(() => () => cancel.current(), []);
  useLiveEvents(
    useCallback(
      (event) => {
        if (event.type !== "catalogue") return;
        cancel.current();
        const timer = setTimeout(() => void freshen(), device.random.fraction() * spreadMs);
        cancel.current = () => clearTimeout(timer);
      },
      [device, freshen],
    ),
  );
}

/**
 * Reads the products that the device holds, and freshens them from the server behind the scanner's back. `onStale` is
 * called where that fails and the held ones go on; where none are held, the answer is `failed`.
 */
export function useProductIndex(
  device: CountingDevice,
  storeId: string,
  onStale: () => void,
): ProductsInMemory {
  const [products, setProducts] = useState<ProductsInMemory>({ kind: "loading" });
  const isHere = useRef(true);
  const held = useRef<HeldProducts | null>(null);
  const take = useCallback((taken: HeldProducts) => {
    if (!isHere.current) return;
    held.current = taken;
    setProducts({ kind: "ready", index: taken.index });
  }, []);
  const freshen = useCallback(async () => {
    try {
      const fresh = await refreshProducts(device, storeId, held.current);
      if (fresh !== null) take(fresh);
    } catch (error) {
      if (!(error instanceof NoAnswerError) && !(error instanceof ApiError)) globalThis.reportError(error);
      if (!isHere.current) return;
      if (held.current !== null) onStale();
      else setProducts({ kind: "failed" });
    }
  }, [device, storeId, onStale, take]);
  useEffect(() => {
    isHere.current = true;
    const open = async () => {
      try {
        const opened = await openProducts(device, storeId);
        if (opened !== null) take(opened);
      } catch (error) {
        // The server may still give what could not be read here.
        globalThis.reportError(error);
      }
      if (isHere.current) await freshen();
    };
    void open();
    return () => {
      isHere.current = false;
    };
  }, [device, storeId, freshen, take]);
  useFresheningOnEvent(device, freshen);
  return products;
}
