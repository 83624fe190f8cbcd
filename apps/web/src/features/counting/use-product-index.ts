import { indexProducts, type Product, type ProductIndex } from "@stocktake/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, NoAnswerError } from "../../http/errors.ts";
import { useLiveEvents } from "../../http/live-events.tsx";
import type { CountingDevice } from "../../offline/counting-device.ts";
import { readProducts } from "../../offline/product-store.ts";
import { syncProducts } from "../../offline/product-sync.ts";

/** The products in memory, from which every scan is matched. */
export type ProductsInMemory =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly index: ProductIndex<Product> }
  | { readonly kind: "failed" };

async function loadIndex(device: CountingDevice, storeId: string): Promise<ProductIndex<Product> | null> {
  const products = await readProducts(device.database, storeId);
  return products.length === 0 ? null : indexProducts(products);
}

const spreadMs = 10_000;

/** Follows changes of the catalogue, at a moment of chance, so that a shop's devices do not all fetch it at once. */
function useFresheningOnEvent(device: CountingDevice, freshen: (isHeld: boolean) => Promise<void>): void {
  const cancel = useRef(() => {});
  useEffect(() => () => cancel.current(), []);
  useLiveEvents(
    useCallback(
      (event) => {
        if (event.type !== "catalogue") return;
        cancel.current();
        const timer = setTimeout(() => void freshen(true), device.random.fraction() * spreadMs);
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
  const freshen = useCallback(
    async (isHeld: boolean) => {
      try {
        const result = await syncProducts(device.database, storeId, device.clock);
        if (result.kind === "current" && isHeld) return;
        const index = (await loadIndex(device, storeId)) ?? indexProducts<Product>([]);
        if (isHere.current) setProducts({ kind: "ready", index });
      } catch (error) {
        if (!(error instanceof NoAnswerError) && !(error instanceof ApiError)) globalThis.reportError(error);
        if (!isHere.current) return;
        if (isHeld) onStale();
        else setProducts({ kind: "failed" });
      }
    },
    [device, storeId, onStale],
  );
  useEffect(() => {
    isHere.current = true;
    loadIndex(device, storeId).then(async (index) => {
      if (!isHere.current) return;
      if (index !== null) setProducts({ kind: "ready", index });
      await freshen(index !== null);
    }, globalThis.reportError);
    return () => {
      isHere.current = false;
    };
  }, [device, storeId, freshen]);
  useFresheningOnEvent(device, freshen);
  return products;
}
