import { Button, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { type ProductSyncProgress, productSyncMessages } from "../../../offline/offline.ts";
import { ErrorBox, ErrorMessage } from "../../../ui/error-box.tsx";
import { countText, dateTimeText, quantityText } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { messages } from "../messages.ts";
import classes from "./counter-dashboard.module.css";
import type { ProductSync } from "./use-product-sync.ts";

function progressText(progress: ProductSyncProgress): string {
  if (progress.phase !== "saving") return "Downloading products";
  return `Saving ${quantityText(progress.saved)} of ${quantityText(progress.of)} products`;
}

function stateSentence({ state, isSyncing, progress }: ProductSync): string {
  if (progress !== null) return progressText(progress);
  if (state?.isComplete !== true || state.lastSync === null) {
    return isSyncing ? messages.productsComing : messages.productsMissing;
  }
  const products = countText(state.productCount, "product", "products");
  return `${products} on this device, synced ${dateTimeText(state.lastSync)}.`;
}

/** How far the products have come, as a bar under what it follows, where it moves nothing; the panel says it in words. */
export function SyncProgress({ progress }: { progress: ProductSyncProgress }) {
  const isSaving = progress.phase === "saving";
  const percentage = isSaving && progress.of > 0 ? Math.round((progress.saved / progress.of) * 100) : 0;
  return (
    <Progress
      className={classes.syncing ?? ""}
      value={isSaving ? percentage : 100}
      animated={!isSaving}
      striped={!isSaving}
      aria-label={progressText(progress)}
    />
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
        {storeId === null ? null : <Text role="status">{stateSentence(sync)}</Text>}
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
