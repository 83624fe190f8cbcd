import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { type Area, groupBy, type Location, type Store } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { areasQuery, locationsQuery, sessionsQuery, storesQuery } from "../../http/shared-queries.ts";
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
import { AddLocationForm, likelyStoreOf } from "./location-forms.tsx";
import { messages } from "./messages.ts";

function useLocationData() {
  const stores = useQuery(storesQuery);
  const locations = useQuery(locationsQuery);
  const areas = useQuery(areasQuery);
  return {
    stores: stores.data ?? [],
    locations: locations.data ?? [],
    areasByLocation: groupBy(areas.data ?? [], (area) => area.locationId),
    isRead: [stores, locations, areas].every(({ data }) => data !== undefined),
    isPending: stores.isPending || locations.isPending || areas.isPending,
    error: stores.error ?? locations.error ?? areas.error,
    refetch: () => Promise.all([stores.refetch(), locations.refetch(), areas.refetch()]),
  };
}

/** The first location of a store, from when it was added until it is listed. */
function useFirstLocation(listed: readonly Location[]) {
  const [added, setAdded] = useState<Location | null>(null);
  const isListed = listed.some(({ _id }) => _id === added?._id);
  useEffect(() => {
    if (isListed) setAdded(null);
  }, [isListed]);
  return [added, setAdded] as const;
}

interface StoreLocationsProps {
  readonly store: Store;
  readonly stores: readonly Store[];
  readonly locations: readonly Location[];
  readonly areasByLocation: ReadonlyMap<string, readonly Area[]>;
  /** The first location of its store, added just now. */
  readonly firstLocation: Location | null;
  readonly onDone: (message: string) => void;
}

function StoreLocations(props: StoreLocationsProps) {
  const { store, stores, locations, areasByLocation, firstLocation, onDone } = props;
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
            asksForAreas={location._id === firstLocation?._id}
            onDone={onDone}
          />
        ))}
      </Stack>
    </section>
  );
}

/** The next step of a store with areas, as long as it was never counted. */
function StartLink({ storeId }: { storeId: string }) {
  const { data: sessions } = useQuery(sessionsQuery);
  const wasCounted = sessions?.some((session) => session.storeId._id === storeId) ?? true;
  if (wasCounted) return null;
  return (
    <Button component={Link} to={`/admin/sessions?start=${encodeURIComponent(storeId)}`} size="sm">
      {messages.startSession}
    </Button>
  );
}

/** A location, found by its store and its areas too; null for a store that has none. */
interface Row {
  readonly store: Store;
  readonly location: Location | null;
}

export function LocationsPage() {
  const { stores, locations, areasByLocation, isRead, isPending, error, refetch } = useLocationData();
  const [message, setMessage] = useState<string | null>(null);
  const [changedStore, setChangedStore] = useState<string | null>(null);
  const [search] = useSearchParams();
  const likelyStore = likelyStoreOf(stores, locations, search.get("store"));
  const byStore = groupBy(locations, (location) => location.storeId._id);
  const [firstLocation, setFirstLocation] = useFirstLocation(locations);
  const hasAreas = byStore.get(changedStore ?? "")?.some(({ _id }) => areasByLocation.has(_id)) ?? false;
  // Whoever deletes a location is told how many areas go with it.
  const rows = (isRead ? stores : []).flatMap((store): Row[] => {
    const own = byStore.get(store._id) ?? [];
    return own.length === 0 ? [{ store, location: null }] : own.map((location) => ({ store, location }));
  });
  const textOf = ({ store, location }: Row) => {
    const areas = location === null ? [] : (areasByLocation.get(location._id) ?? []);
    return [store.name, location?.name ?? "", ...areas.map(({ code, name }) => `${code} ${name}`)].join(" ");
  };
  const added = (done: string, location: Location) => {
    setMessage(done);
    setChangedStore(null);
    const others = byStore.get(location.storeId._id)?.filter(({ _id }) => _id !== location._id) ?? [];
    if (others.length === 0) setFirstLocation(location);
  };
  const say = (done: string, { _id }: Store) => {
    setMessage(done);
    setChangedStore(_id);
  };
  return (
    <Stack gap="md">
      <SuccessMessage
        floats
        message={message}
        onClose={() => setMessage(null)}
        action={changedStore !== null && hasAreas ? <StartLink storeId={changedStore} /> : null}
      />
      <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      <Section title={messages.addHeading}>
        <AddLocationForm
          stores={stores}
          likelyStore={isPending ? "" : likelyStore}
          isAwaited={!isPending && stores.length > 0 && !byStore.has(likelyStore)}
          onDone={added}
        />
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
              firstLocation={firstLocation}
              onDone={(done) => say(done, store)}
            />
          ))
        }
      </SearchableList>
    </Stack>
  );
}
