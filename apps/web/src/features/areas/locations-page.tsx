import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { type Area, groupBy, type Location, type Store } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { areasQuery, locationsQuery, storesQuery } from "../../http/shared-queries.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { NoStores } from "../../ui/no-stores.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchableList } from "../../ui/search/searchable-list.tsx";
import { Section } from "../../ui/section.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { CopyDialog } from "./copy-dialog.tsx";
import { help } from "./help.ts";
import { LocationCard } from "./location-card.tsx";
import { AddLocationForm } from "./location-forms.tsx";
import { messages } from "./messages.ts";

function useLocationData() {
  const stores = useQuery(storesQuery);
  const locations = useQuery(locationsQuery);
  const areas = useQuery(areasQuery);
  return {
    stores: stores.data ?? [],
    locations: locations.data ?? [],
    areasByLocation: groupBy(areas.data ?? [], (area) => area.locationId),
    isPending: stores.isPending || locations.isPending || areas.isPending,
    error: stores.error ?? locations.error ?? areas.error,
    refetch: () => Promise.all([stores.refetch(), locations.refetch(), areas.refetch()]),
  };
}

interface StoreLocationsProps {
  readonly store: Store;
  readonly stores: readonly Store[];
  readonly locations: readonly Location[];
  readonly areasByLocation: ReadonlyMap<string, readonly Area[]>;
  readonly onDone: (message: string) => void;
}

function StoreLocations({ store, stores, locations, areasByLocation, onDone }: StoreLocationsProps) {
  const [isCopying, setCopying] = useState(false);
  return (
    <section aria-label={store.name}>
      <Group justify="space-between" mb="xs">
        <Title order={2} fz="1.25rem">
          {store.name}
        </Title>
        {stores.length < 2 ? null : (
          <Button
            variant="subtle"
            size="sm"
            onClick={() => setCopying(true)}
            aria-label={messages.copy.buttonOf(store.name)}
          >
            {messages.copy.button}
          </Button>
        )}
      </Group>
      {isCopying ? (
        <CopyDialog store={store} stores={stores} onDone={onDone} onClose={() => setCopying(false)} />
      ) : null}
      <Stack gap="sm">
        {locations.length === 0 ? <Text c="dimmed">{messages.noLocationsHere}</Text> : null}
        {locations.map((location) => (
          <LocationCard
            key={location._id}
            location={location}
            areas={areasByLocation.get(location._id) ?? []}
            onDone={onDone}
          />
        ))}
      </Stack>
    </section>
  );
}

/** A location, found by its store and its areas too; null for a store that has none. */
interface Row {
  readonly store: Store;
  readonly location: Location | null;
}

export function LocationsPage() {
  const { stores, locations, areasByLocation, isPending, error, refetch } = useLocationData();
  const [message, setMessage] = useState<string | null>(null);
  const byStore = groupBy(locations, (location) => location.storeId._id);
  const rows = stores.flatMap((store): Row[] => {
    const own = byStore.get(store._id) ?? [];
    return own.length === 0 ? [{ store, location: null }] : own.map((location) => ({ store, location }));
  });
  const textOf = ({ store, location }: Row) => {
    const areas = location === null ? [] : (areasByLocation.get(location._id) ?? []);
    return [store.name, location?.name ?? "", ...areas.map(({ code, name }) => `${code} ${name}`)].join(" ");
  };
  return (
    <Stack gap="md">
      <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      <SuccessMessage message={message} onClose={() => setMessage(null)} />
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      <Section title={messages.addHeading}>
        <AddLocationForm stores={stores} onDone={setMessage} />
      </Section>
      {isPending ? <LoadingState /> : null}
      {!isPending && error === null && stores.length === 0 ? (
        <NoStores>{messages.noStoresText}</NoStores>
      ) : null}
      <SearchableList label={messages.title} rows={rows} textOf={textOf}>
        {(found) =>
          [...groupBy(found, ({ store }) => store)].map(([store, here]) => (
            <StoreLocations
              key={store._id}
              store={store}
              stores={stores}
              locations={here.flatMap(({ location }) => (location === null ? [] : [location]))}
              areasByLocation={areasByLocation}
              onDone={setMessage}
            />
          ))
        }
      </SearchableList>
    </Stack>
  );
}
