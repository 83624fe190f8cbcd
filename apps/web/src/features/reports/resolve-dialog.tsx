import { Button, NativeSelect, Radio, Stack, Text, TextInput } from "@mantine/core";
import type { ExceptionScan, Product } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { areasQuery, locationsQuery } from "../../http/shared-queries.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { productsQuery, useResolveScans } from "./api.ts";
import { AlikeChoice, acceptedText, type DecisionProps } from "./decision-dialogs.tsx";
import { createProductSearch } from "./product-search.ts";
import classes from "./reports.module.css";
import { decisionTexts, exceptionTexts, texts } from "./texts.ts";

/** The areas of a store, each with its location's name where it has several. */
function useAreaChoices(storeId: string) {
  const { data: locations = [] } = useQuery(locationsQuery);
  const { data: areas = [] } = useQuery(areasQuery);
  const names = new Map(
    locations
      .filter((location) => location.storeId._id === storeId)
      .map((location) => [location._id, location.name]),
  );
  return areas.flatMap((area) => {
    const location = names.get(area.locationId);
    return location === undefined
      ? []
      : [{ value: area._id, label: `${location}: ${area.code} – ${area.name}` }];
  });
}

interface ProductChoicesProps {
  readonly products: readonly Product[];
  readonly chosen: string | null;
  readonly onChoose: (sku: string) => void;
}

function ProductChoices({ products, chosen, onChoose }: ProductChoicesProps) {
  return (
    <Radio.Group value={chosen} onChange={onChoose} aria-label={exceptionTexts.search}>
      <ul className={classes.choices}>
        {products.map((product) => (
          <li key={product.sku}>
            <Radio
              value={product.sku}
              label={[product.productTitle, product.size, product.sku].filter(Boolean).join(" · ")}
            />
          </li>
        ))}
      </ul>
    </Radio.Group>
  );
}

interface ProductPickerProps {
  readonly storeId: string;
  readonly chosen: string | null;
  readonly onChoose: (sku: string | null) => void;
}

function ProductPicker({ storeId, chosen, onChoose }: ProductPickerProps) {
  const { data: products, error, refetch } = useQuery(productsQuery(storeId));
  const [entry, setEntry] = useState("");
  const search = useMemo(() => createProductSearch(products ?? []), [products]);
  if (error !== null) return <ErrorBox error={error} fallback={texts.productsFailed} onRetry={refetch} />;
  if (products === undefined) return <LoadingState />;
  const found = search(entry);
  return (
    <>
      <TextInput
        label={exceptionTexts.search}
        description={exceptionTexts.searchHint}
        value={entry}
        data-autofocus
        onChange={(event) => {
          setEntry(event.currentTarget.value);
          onChoose(null);
        }}
      />
      {found.length > 0 ? <ProductChoices products={found} chosen={chosen} onChoose={onChoose} /> : null}
      {found.length === 0 && entry.trim() !== "" ? (
        <Text c="dimmed">{exceptionTexts.nothingFound}</Text>
      ) : null}
    </>
  );
}

interface ResolveDialogProps extends DecisionProps {
  readonly storeId: string;
}

type Choice = ReturnType<typeof useAreaChoices>[number];

/** A scan counts where it was scanned, as long as that area is there. */
function hasOwnArea({ area }: ExceptionScan, areas: readonly Choice[]): boolean {
  return areas.some((choice) => choice.value === area._id);
}

function useResolveForm({ scan, alike, setByHand, storeId, onDone, onClose }: ResolveDialogProps) {
  const areas = useAreaChoices(storeId);
  const [sku, setSku] = useState(scan.sku);
  const [chosenArea, setChosenArea] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const resolve = useResolveScans();
  const areaId = chosenArea ?? (hasOwnArea(scan, areas) ? scan.area._id : null);
  const targets = all ? alike : [scan];
  const areaOf = (each: ExceptionScan) => (all && hasOwnArea(each, areas) ? each.area._id : areaId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sku === null || resolve.isPending) return;
    const decisions = targets.map((each) => {
      const target = areaOf(each);
      return { id: each._id, action: "accept", sku, ...(target === null ? {} : { areaId: target }) } as const;
    });
    resolve.send(decisions, () => {
      onDone(acceptedText(decisions.length, sku, setByHand));
      onClose();
    });
  };
  const everyOwn = all && targets.every((each) => hasOwnArea(each, areas));
  return { areas, sku, setSku, areaId, setChosenArea, all, setAll, everyOwn, resolve, submit };
}

/** Accepts a scan as a product of the administrator's choice, in an area of the store. */
export function ResolveDialog(props: ResolveDialogProps) {
  const { scan, alike, storeId, onClose } = props;
  const form = useResolveForm(props);
  const gone = form.areaId === null ? [{ value: "", label: scan.area.name }] : [];
  return (
    <Dialog title={exceptionTexts.resolveTitle} size="lg" onClose={onClose}>
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <Text>
            Scanned code: <span className={classes.code}>{scan.input}</span>
          </Text>
          <ErrorBox error={form.resolve.error} fallback={texts.resolveFailed} />
          {scan.sku === null ? (
            <ProductPicker storeId={storeId} chosen={form.sku} onChoose={form.setSku} />
          ) : (
            <Text>{[scan.productTitle, scan.size, scan.sku].filter(Boolean).join(" · ")}</Text>
          )}
          {scan.sku === null && alike.length > 1 ? (
            <AlikeChoice
              label={decisionTexts.resolveAlike(alike.length)}
              chosen={form.all}
              onChoose={form.setAll}
            />
          ) : null}
          {form.everyOwn ? (
            <Text c="dimmed">{decisionTexts.ownAreas}</Text>
          ) : (
            <NativeSelect
              label={exceptionTexts.area}
              value={form.areaId ?? ""}
              data={[...gone, ...form.areas]}
              onChange={(event) => form.setChosenArea(event.currentTarget.value || null)}
            />
          )}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={form.sku === null || form.resolve.isPending}>
              {exceptionTexts.save}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
