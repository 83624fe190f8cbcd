import { Button, Progress, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  type CountingDevice,
  type ProductSyncProgress,
  type ProductSyncState,
  productSyncMessage,
  productSyncMessages,
  syncProducts,
} from "../../../offline/offline.ts";
import { ErrorBox, ErrorMessage } from "../../../ui/error-box.tsx";
import { countText, dateTimeText, quantityText } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { deviceRoots, productStateQuery } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";

interface ProductSyncPanelProps {
  readonly device: CountingDevice;
  readonly storeId: string | null;
}

function stateSentence(state: ProductSyncState | undefined): string {
  if (state?.isComplete !== true || state.lastSync === null) {
    return "Not synced on this device yet. Sync before you start, so that you can count offline.";
  }
  const products = countText(state.productCount, "product", "products");
  return `${products} on this device, synced ${dateTimeText(state.lastSync)}.`;
}

function SyncProgress({ progress }: { progress: ProductSyncProgress }) {
  const isSaving = progress.phase === "saving";
  const percentage = isSaving && progress.of > 0 ? Math.round((progress.saved / progress.of) * 100) : 0;
  const text = isSaving
    ? `Saving ${quantityText(progress.saved)} of ${quantityText(progress.of)} products`
    : "Downloading products";
  return (
    <div role="status">
      <Text fz="sm">{text}</Text>
      <Progress
        value={isSaving ? percentage : 100}
        animated={!isSaving}
        striped={!isSaving}
        aria-label={text}
      />
    </div>
  );
}

function useProductSync({ device, storeId }: ProductSyncPanelProps) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<ProductSyncProgress | null>(null);
  const sync = useMutation({
    mutationFn: (store: string) => syncProducts(device, store, setProgress),
    onSettled: async () => {
      setProgress(null);
      await client.invalidateQueries({ queryKey: [deviceRoots.products] });
      await client.invalidateQueries({ queryKey: [deviceRoots.held] });
    },
  });
  // A message about another store is not true of this one.
  const isOfStore = sync.variables === storeId;
  return {
    sync,
    progress,
    message: sync.data && isOfStore ? productSyncMessage(sync.data) : null,
    isOfStore,
  };
}

/** Brings the store's products onto the device, and shows what is there. */
export function ProductSyncPanel({ device, storeId }: ProductSyncPanelProps) {
  const { sync, progress, message, isOfStore } = useProductSync({ device, storeId });
  const [isStoreMissing, setStoreMissing] = useState(false);
  const state = useQuery(productStateQuery(device, storeId)).data;
  const start = () => {
    setStoreMissing(storeId === null);
    if (storeId !== null) sync.mutate(storeId);
  };
  return (
    <Section title="Product Data">
      <Stack gap="sm">
        {storeId === null ? null : <Text>{stateSentence(state)}</Text>}
        {progress === null ? null : <SyncProgress progress={progress} />}
        {isStoreMissing && storeId === null ? <ErrorMessage message={messages.selectStore} /> : null}
        <ErrorBox error={isOfStore ? sync.error : null} fallback={productSyncMessages.failed} />
        <SuccessMessage message={sync.isPending ? null : message} />
        <Button variant="default" size="lg" disabled={sync.isPending} onClick={start}>
          {sync.isPending ? "Syncing..." : "Sync Products"}
        </Button>
      </Stack>
    </Section>
  );
}
