import { SimpleGrid, Stack } from "@mantine/core";
import type { Store } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { storesQuery } from "../../http/shared-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { StatCard } from "../../ui/stat-card.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { AddStoreForm } from "./add-store-form.tsx";
import { DeleteStoreDialog } from "./delete-store-dialog.tsx";
import { EditStoreDialog } from "./edit-store-dialog.tsx";
import { StoreCard } from "./store-card.tsx";
import { texts } from "./texts.ts";

function StoreCounts({ stores }: { stores: readonly Store[] | undefined }) {
  const connected = stores?.filter((store) => store.shopifyLocationId !== "").length;
  return (
    <SimpleGrid cols={3} spacing={{ base: "xs", sm: "sm" }}>
      <StatCard label={texts.total} value={stores?.length ?? null} />
      <StatCard label={texts.active} value={stores?.filter((store) => store.isActive).length ?? null} />
      <StatCard label={texts.connected} value={connected ?? null} />
    </SimpleGrid>
  );
}

function StoreCards({ stores, onDone }: { stores: readonly Store[]; onDone: (message: string) => void }) {
  const [edited, setEdited] = useState<Store | null>(null);
  const [removed, setRemoved] = useState<Store | null>(null);
  if (stores.length === 0) return <EmptyState title={texts.none}>{texts.noneText}</EmptyState>;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {stores.map((store) => (
          <StoreCard
            key={store._id}
            store={store}
            onEdit={() => setEdited(store)}
            onDelete={() => setRemoved(store)}
          />
        ))}
      </SimpleGrid>
      {edited === null ? null : (
        <EditStoreDialog store={edited} onDone={onDone} onClose={() => setEdited(null)} />
      )}
      {removed === null ? null : (
        <DeleteStoreDialog store={removed} onDone={onDone} onClose={() => setRemoved(null)} />
      )}
    </>
  );
}

export function StoresPage() {
  const { data: stores, error, refetch, isPending } = useQuery(storesQuery);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <Stack gap="md">
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        actions={<StatusBadge tone="positive">{texts.liveSync}</StatusBadge>}
      />
      <SuccessMessage message={message} onClose={() => setMessage(null)} />
      <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
      <StoreCounts stores={stores} />
      <Section title={texts.addHeading}>
        <AddStoreForm onDone={setMessage} />
      </Section>
      <Section title={texts.listHeading}>
        {isPending ? <LoadingState /> : <StoreCards stores={stores ?? []} onDone={setMessage} />}
      </Section>
    </Stack>
  );
}
