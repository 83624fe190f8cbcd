import { Stack, Text, Title } from "@mantine/core";
import type { Area, Location, Store } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { areasQuery, locationsQuery, storesQuery } from "../../http/shared-queries.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { groupBy } from "../../ui/group-by.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { NoStores } from "../../ui/no-stores.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
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
  readonly locations: readonly Location[];
  readonly areasByLocation: ReadonlyMap<string, readonly Area[]>;
  readonly onDone: (message: string) => void;
}

function StoreLocations({ store, locations, areasByLocation, onDone }: StoreLocationsProps) {
  return (
    <section aria-label={store.name}>
      <Title order={2} fz="1.25rem" mb="xs">
        {store.name}
      </Title>
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

export function LocationsPage() {
  const { stores, locations, areasByLocation, isPending, error, refetch } = useLocationData();
  const [message, setMessage] = useState<string | null>(null);
  const byStore = groupBy(locations, (location) => location.storeId._id);
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
      {stores.map((store) => (
        <StoreLocations
          key={store._id}
          store={store}
          locations={byStore.get(store._id) ?? []}
          areasByLocation={areasByLocation}
          onDone={setMessage}
        />
      ))}
    </Stack>
  );
}
