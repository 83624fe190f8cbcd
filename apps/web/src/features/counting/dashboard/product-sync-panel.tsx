import { Button, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { type ProductSyncProgress, productSyncMessages } from "../../../offline/offline.ts";
import { ErrorBox, ErrorMessage } from "../../../ui/error-box.tsx";
import { countText, dateTimeText, quantityText } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { messages } from "../messages.ts";
import type { ProductSync } from "./use-product-sync.ts";

function stateSentence({ state, isSyncing }: ProductSync): string {
  if (state?.isComplete !== true || state.lastSync === null) {
    return isSyncing ? messages.productsComing : messages.productsMissing;
  }
  const products = countText(state.productCount, "product", "products");
  return `${products} on this device, synced ${dateTimeText(state.lastSync)}.`;
}

/** How far the products have come. */
export function SyncProgress({ progress }: { progress: ProductSyncProgress }) {
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

interface ProductSyncPanelProps {
  readonly storeId: string | null;
  readonly sync: ProductSync;
}

/** What of the store's products is on the device, and the way to bring them up to date. */
export function ProductSyncPanel({ storeId, sync }: ProductSyncPanelProps) {
  const [isStoreMissing, setStoreMissing] = useState(false);
  const start = () => {
    setStoreMissing(storeId === null);
    if (storeId !== null) sync.start(storeId);
  };
  return (
    <Section title="Product Data">
      <Stack gap="sm">
        {storeId === null ? null : <Text>{stateSentence(sync)}</Text>}
        {isStoreMissing && storeId === null ? <ErrorMessage message={messages.selectStore} /> : null}
        <ErrorBox error={sync.error} fallback={productSyncMessages.failed} />
        <SuccessMessage message={sync.isSyncing ? null : sync.message} />
        <Button variant="default" size="lg" disabled={sync.isSyncing} onClick={start}>
          {sync.isSyncing ? "Syncing..." : "Sync Products"}
        </Button>
      </Stack>
    </Section>
  );
}
