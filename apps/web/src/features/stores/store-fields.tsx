import { NativeSelect, TextInput } from "@mantine/core";
import { limits, type ShopifyLocation, type Store } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { storesQuery } from "../../http/shared-queries.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { type StoreEntry, shopifyLocationsQuery } from "./api.ts";
import { texts } from "./texts.ts";

/** What is wrong with each field, for the person who typed it. */
export interface StoreProblems {
  readonly name?: string;
  readonly shopifyLocationId?: string;
}

/** Specification, section 5: name and Shopify location are required. */
export function problemsOfStore(entry: StoreEntry): StoreProblems {
  return {
    ...(entry.name.trim() === "" ? { name: texts.nameRequired } : {}),
    ...(entry.shopifyLocationId === "" ? { shopifyLocationId: texts.locationRequired } : {}),
  };
}

/** Choosing a location prefills the name while it is empty. */
function withLocation(entry: StoreEntry, id: string, locations: readonly ShopifyLocation[]): StoreEntry {
  const chosen = locations.find((location) => location.id === id);
  const name = entry.name.trim() === "" ? (chosen?.name ?? entry.name) : entry.name;
  return { name, shopifyLocationId: id };
}

function choicesFor(locations: readonly ShopifyLocation[], stores: readonly Store[], current: string) {
  const used = new Set(stores.map((store) => store.shopifyLocationId));
  return locations.map(({ id, name }) => {
    const taken = used.has(id) && id !== current;
    return { value: id, label: taken ? `${name} (in use)` : name, disabled: taken };
  });
}

interface StoreFieldsProps {
  readonly entry: StoreEntry;
  readonly problems: StoreProblems;
  /** The location of the store being edited, or "" for a new one. */
  readonly ownLocation: string;
  readonly onChange: (entry: StoreEntry) => void;
}

/** The store form's two fields, for adding and editing alike. */
export function StoreFields({ entry, problems, ownLocation, onChange }: StoreFieldsProps) {
  const stores = useQuery(storesQuery);
  const { data: locations = [], error, refetch } = useQuery(shopifyLocationsQuery);
  const choices = choicesFor(locations, stores.data ?? [], ownLocation);
  const known = choices.some((choice) => choice.value === ownLocation);
  const kept = ownLocation === "" || known ? [] : [{ value: ownLocation, label: ownLocation }];
  return (
    <>
      <ErrorBox error={error} fallback={texts.shopifyFailed} onRetry={refetch} />
      <TextInput
        label={texts.nameLabel}
        maxLength={limits.name}
        value={entry.name}
        error={problems.name}
        onChange={(event) => onChange({ ...entry, name: event.currentTarget.value })}
      />
      <NativeSelect
        label={texts.locationLabel}
        value={entry.shopifyLocationId}
        error={problems.shopifyLocationId}
        data={[{ value: "", label: texts.choose }, ...kept, ...choices]}
        onChange={(event) => onChange(withLocation(entry, event.currentTarget.value, locations))}
      />
    </>
  );
}
