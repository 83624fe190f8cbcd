import { NativeSelect, Radio, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ExceptionScan, type Product, productMap } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { callApi } from "../../../http/call.ts";
import { areasQuery, locationsQuery } from "../../../http/shared-queries.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { useResolveScans } from "../api.ts";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";
import { ApplyToAllChoice, acceptedText, type DecisionProps } from "./decision-dialogs.tsx";
import { createProductSearch } from "./product-search.ts";

const catalogueFreshMs = 300_000;

/** The shop's products, for resolving scans; large, so read only when a scan is resolved. */
function productsQuery(storeId: string) {
  return queryOptions({
    queryKey: ["products", storeId],
    queryFn: ({ signal }) => callApi(productMap, { query: { storeId }, signal }),
    select: (answer) => answer.products,
    staleTime: catalogueFreshMs,
    gcTime: catalogueFreshMs,
  });
}

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
    <Radio.Group value={chosen} onChange={onChoose} aria-label={messages.exceptions.search}>
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
  if (error !== null) return <ErrorBox error={error} fallback={messages.productsFailed} onRetry={refetch} />;
  if (products === undefined) return <LoadingState />;
  const found = search(entry);
  return (
    <>
      <TextInput
        label={messages.exceptions.search}
        description={messages.exceptions.searchHint}
        value={entry}
        data-autofocus
        onChange={(event) => {
          setEntry(event.currentTarget.value);
          onChoose(null);
        }}
      />
      {found.length > 0 ? <ProductChoices products={found} chosen={chosen} onChoose={onChoose} /> : null}
      {found.length === 0 && entry.trim() !== "" ? (
        <Text c="dimmed">{messages.exceptions.nothingFound}</Text>
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

/** "" means that no product or area is chosen. */
interface Resolution {
  readonly sku: string;
  readonly areaId: string;
  readonly all: boolean;
}

function useResolving({ scan, sameCode, setByHand, storeId, onDone, onClose }: ResolveDialogProps) {
  const areas = useAreaChoices(storeId);
  const form = useForm<Resolution>({
    initialValues: { sku: scan.sku ?? "", areaId: "", all: false },
    validate: ({ sku }) => (sku === "" ? { sku: messages.exceptions.search } : {}),
  });
  const resolve = useResolveScans();
  const { all } = form.values;
  const areaId = form.values.areaId || (hasOwnArea(scan, areas) ? scan.area._id : null);
  const targets = all ? sameCode : [scan];
  const areaOf = (each: ExceptionScan) => (all && hasOwnArea(each, areas) ? each.area._id : areaId);
  const submit = form.onSubmit(({ sku }) => {
    if (resolve.isPending) return;
    const decisions = targets.map((each) => {
      const target = areaOf(each);
      return { id: each._id, action: "accept", sku, ...(target === null ? {} : { areaId: target }) } as const;
    });
    resolve.send(decisions, () => {
      onDone(acceptedText(decisions.length, sku, setByHand));
      onClose();
    });
  });
  const everyOwn = all && targets.every((each) => hasOwnArea(each, areas));
  return { form, areas, areaId, everyOwn, targets, resolve, submit };
}

/** Accepts a scan as a product of the administrator's choice, in an area of the store. */
export function ResolveDialog(props: ResolveDialogProps) {
  const { scan, sameCode, storeId, onClose } = props;
  const { form, areas, areaId, everyOwn, targets, resolve, submit } = useResolving(props);
  const gone = areaId === null ? [{ value: "", label: scan.area.name }] : [];
  return (
    <FormDialog
      title={messages.exceptions.resolveTitle}
      size="lg"
      onClose={onClose}
      onSubmit={submit}
      change={resolve}
      errorFallback={messages.resolveFailed}
      heading={
        <Text>
          Scanned code: <span className={classes.code}>{scan.input}</span>
        </Text>
      }
      submitLabel={messages.exceptions.save}
      disabled={!form.isValid()}
    >
      {scan.sku === null ? (
        <ProductPicker
          storeId={storeId}
          chosen={form.values.sku || null}
          onChoose={(sku) => form.setFieldValue("sku", sku ?? "")}
        />
      ) : (
        <Text>{[scan.productTitle, scan.size, scan.sku].filter(Boolean).join(" · ")}</Text>
      )}
      {scan.sku === null && sameCode.length > 1 ? (
        <ApplyToAllChoice
          label={messages.decisions.applyToAll(sameCode.length)}
          chosen={form.values.all}
          onChoose={(all) => form.setFieldValue("all", all)}
        />
      ) : null}
      {everyOwn ? (
        <Text c="dimmed">{messages.decisions.ownAreas}</Text>
      ) : (
        <NativeSelect
          label={messages.exceptions.area}
          value={areaId ?? ""}
          data={[...gone, ...areas]}
          onChange={(event) => form.setFieldValue("areaId", event.currentTarget.value)}
        />
      )}
      {targets.some(({ afterEnd }) => afterEnd) ? (
        <Text c="dimmed">{messages.decisions.afterEnd}</Text>
      ) : null}
    </FormDialog>
  );
}
