import { Anchor, Button, Card, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { deleteStore, type Store } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { shopifyLocationsQuery, storesQuery } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { StatCard } from "../../ui/figures/stat-card.tsx";
import { dateText } from "../../ui/formats.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchableList } from "../../ui/search/searchable-list.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import { AddStoreForm, EditStoreDialog } from "./store-forms.tsx";
import { StoreToleranceDialog } from "./tolerance-dialog.tsx";

function useDeleteStore() {
  return useChange((id: string) => callApi(deleteStore, { params: { id } }), staleAfter.store);
}

interface DeleteStoreDialogProps {
  readonly store: Store;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function DeleteStoreDialog({ store, onDone, onClose }: DeleteStoreDialogProps) {
  const removal = useDeleteStore();
  const confirm = () =>
    removal.send(store._id, () => {
      onDone(messages.deleted(store.name));
      onClose();
    });
  return (
    <ConfirmDialog
      title={messages.deleteHeading}
      message={messages.deleteQuestion(store.name)}
      consequences={messages.deleteConsequences}
      confirmLabel={messages.deleteConfirm}
      change={removal}
      errorFallback={messages.deleteFailed}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}

/** What people call the Shopify location, as long as Shopify tells. */
function ShopifyLocationName({ id }: { id: string }) {
  const { data: locations = [] } = useQuery(shopifyLocationsQuery);
  const name = locations.find((location) => location.id === id)?.name;
  if (name === undefined) return null;
  return <Text style={{ overflowWrap: "anywhere" }}>{messages.countedAgainst(name)}</Text>;
}

interface StoreCardProps {
  readonly store: Store;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

function StoreCard({ store, onEdit, onDelete }: StoreCardProps) {
  return (
    <Card component="article" aria-label={store.name} p={{ base: "sm", sm: "md" }}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
          <Text component="h3" fw={620} fz="lg" style={{ overflowWrap: "anywhere" }}>
            {store.name}
          </Text>
          <StatusBadge tone={store.isActive ? "positive" : "neutral"}>
            {store.isActive ? "Active" : "Inactive"}
          </StatusBadge>
        </Group>
        <div style={{ flex: 1 }}>
          <ShopifyLocationName id={store.shopifyLocationId} />
          <Text fz="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            Location ID: {store.shopifyLocationId}
          </Text>
          <Text fz="sm" c="dimmed">
            Created {dateText(store.createdAt)}
          </Text>
        </div>
        <Group gap="xs">
          <Button variant="default" onClick={onEdit} aria-label={`${messages.edit} ${store.name}`}>
            {messages.edit}
          </Button>
          <Button
            variant="subtle"
            color="red"
            onClick={onDelete}
            aria-label={`${messages.remove} ${store.name}`}
          >
            {messages.remove}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

function StoreCounts({ stores }: { stores: readonly Store[] | undefined }) {
  const connected = stores?.filter((store) => store.shopifyLocationId !== "").length;
  return (
    <SimpleGrid cols={3} spacing={{ base: "xs", sm: "sm" }}>
      <StatCard label={messages.total} value={stores?.length ?? null} />
      <StatCard label={messages.active} value={stores?.filter((store) => store.isActive).length ?? null} />
      <StatCard label={messages.connected} value={connected ?? null} />
    </SimpleGrid>
  );
}

function StoreCards({ stores, onDone }: { stores: readonly Store[]; onDone: (message: string) => void }) {
  const [edited, setEdited] = useState<Store | null>(null);
  const [tolerant, setTolerant] = useState<Store | null>(null);
  const [removed, setRemoved] = useState<Store | null>(null);
  if (stores.length === 0) return <EmptyState title={messages.none}>{messages.noneText}</EmptyState>;
  return (
    <>
      <SearchableList
        label={messages.listHeading}
        rows={stores}
        textOf={({ name, shopifyLocationId }) => `${name} ${shopifyLocationId}`}
      >
        {(found) => (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
            {found.map((store) => (
              <StoreCard
                key={store._id}
                store={store}
                onEdit={() => setEdited(store)}
                onDelete={() => setRemoved(store)}
              />
            ))}
          </SimpleGrid>
        )}
      </SearchableList>
      {edited === null ? null : (
        <EditStoreDialog
          store={edited}
          onDone={onDone}
          onTolerance={() => {
            setTolerant(edited);
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {tolerant === null ? null : (
        <StoreToleranceDialog store={tolerant} onDone={onDone} onClose={() => setTolerant(null)} />
      )}
      {removed === null ? null : (
        <DeleteStoreDialog store={removed} onDone={onDone} onClose={() => setRemoved(null)} />
      )}
    </>
  );
}

export function StoresPage() {
  const query = useQuery(storesQuery);
  const [message, setMessage] = useState<string | null>(null);
  const [added, setAdded] = useState<Store | null>(null);
  const tell = (done: string, addedNow: Store | null = null) => {
    setMessage(done);
    setAdded(addedNow);
  };
  return (
    <Stack gap="md">
      <SuccessMessage
        floats
        message={message}
        onClose={() => setMessage(null)}
        action={
          added === null ? null : (
            <Anchor component={Link} to={`/admin/locations?store=${encodeURIComponent(added._id)}`}>
              {messages.toLocations}
            </Anchor>
          )
        }
      />
      <PageHeader
        title={messages.title}
        subtitle={messages.subtitle}
        help={help}
        actions={<StatusBadge tone="positive">{messages.liveSync}</StatusBadge>}
      />
      <StoreCounts stores={query.data} />
      <Section title={messages.addHeading}>
        <AddStoreForm onDone={tell} />
      </Section>
      <Section title={messages.listHeading}>
        <Loaded query={query} fallback={messages.fetchFailed}>
          {(stores) => <StoreCards stores={stores} onDone={(done) => tell(done)} />}
        </Loaded>
      </Section>
    </Stack>
  );
}
