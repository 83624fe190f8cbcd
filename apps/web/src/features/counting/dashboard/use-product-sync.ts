import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  type CountingDevice,
  type ProductSyncProgress,
  type ProductSyncState,
  productSyncMessage,
  syncProducts,
  useOnline,
} from "../../../offline/offline.ts";
import { deviceRoots, productStateQuery } from "../lists/counter-queries.ts";

/** The products of a store on their way onto the device. */
export interface ProductSync {
  readonly state: ProductSyncState | undefined;
  readonly progress: ProductSyncProgress | null;
  readonly isSyncing: boolean;
  /** The store's products are missing, but on their way: perhaps only after another store's. */
  readonly isComing: boolean;
  readonly message: string | null;
  readonly error: unknown;
  readonly start: (storeId: string) => void;
}

/** Whether to sync by itself: once for each store that the device does not have, and again once a network is back. */
function useArrival(
  storeId: string | null,
  isOnline: boolean,
  isMissing: boolean,
  start: (storeId: string) => void,
): void {
  const tried = useRef<string | null>(null);
  useEffect(() => {
    if (!isOnline) tried.current = null;
    if (!isOnline || !isMissing || storeId === null || tried.current === storeId) return;
    tried.current = storeId;
    start(storeId);
  });
}

/** Brings a store's products onto the device: by itself where they are missing, and when a person asks for it. */
export function useProductSync(device: CountingDevice, storeId: string | null): ProductSync {
  const client = useQueryClient();
  const [progress, setProgress] = useState<ProductSyncProgress | null>(null);
  const { data: state } = useQuery(productStateQuery(device, storeId));
  const sync = useMutation({
    mutationFn: (store: string) => syncProducts(device, store, setProgress),
    onSettled: async () => {
      setProgress(null);
      await client.invalidateQueries({ queryKey: [deviceRoots.products] });
      await client.invalidateQueries({ queryKey: [deviceRoots.held] });
    },
  });
  const isOnline = useOnline(device);
  const isComplete = state?.isComplete === true;
  useArrival(storeId, isOnline, state !== undefined && !isComplete && !sync.isPending, sync.mutate);
  // What is told of another store is not true of this one.
  const isOfStore = sync.variables === storeId;
  return {
    ...{ state, isSyncing: sync.isPending, start: sync.mutate },
    progress: isOfStore ? progress : null,
    isComing: storeId !== null && !isComplete && (sync.isPending || (isOnline && !isOfStore)),
    message: sync.data && isOfStore ? productSyncMessage(sync.data) : null,
    error: isOfStore ? sync.error : null,
  };
}
