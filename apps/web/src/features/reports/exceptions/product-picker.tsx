import { Radio, Text, TextInput } from "@mantine/core";
import type { Product } from "@stocktake/contract";
import type { UseQueryResult } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Loaded } from "../../../ui/drawing/loaded.tsx";
import { scanText } from "../walk-text.ts";
import classes from "./exceptions.module.css";
import { messages } from "./messages.ts";
import type { ProductSearch } from "./product-search.ts";
import type { ShopProducts } from "./shop-products.ts";

const { decisions } = messages;

const productText = (product: Product) => scanText({ ...product, input: product.sku });

interface ProductChoicesProps {
  readonly products: readonly Product[];
  readonly chosen: string;
  readonly onChoose: (sku: string) => void;
}

function ProductChoices({ products, chosen, onChoose }: ProductChoicesProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (chosen !== "") list.current?.querySelector("[data-chosen]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <Radio.Group value={chosen} onChange={onChoose} aria-label={decisions.found}>
      <ul className={classes.choices} ref={list}>
        {products.map((product) => (
          <li key={product.sku} {...(product.sku === chosen ? { "data-chosen": true } : {})}>
            <Radio value={product.sku} label={productText(product)} />
          </li>
        ))}
      </ul>
    </Radio.Group>
  );
}

/** The product beside the chosen one, in the direction of the key. */
function besideChosen(key: string, products: readonly Product[], chosen: string): string | null {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined || products.length === 0) return null;
  const at = products.findIndex(({ sku }) => sku === chosen) + step;
  return products[Math.min(Math.max(at, 0), products.length - 1)]?.sku ?? null;
}

/**
 * The first where none is chosen yet. What is chosen is accepted by a press of its own: one that is held down, or that
 * ends what is being composed, stays what it was. Null where the key is for the form.
 */
function chosenByEnter(event: KeyboardEvent, products: readonly Product[], chosen: string): string | null {
  if (event.repeat || event.nativeEvent.isComposing) return chosen;
  return chosen === "" ? (products[0]?.sku ?? "") : null;
}

interface PickingProps {
  /** "" where none is. */
  readonly chosen: string;
  readonly onChoose: (sku: string) => void;
}

/** Of several products none is chosen by itself: the first would often be the wrong size. */
function onlyOne(found: readonly Product[]): string {
  return found.length === 1 ? (found[0]?.sku ?? "") : "";
}

interface SearchFieldProps extends PickingProps {
  readonly search: ProductSearch;
}

function SearchField({ search, chosen, onChoose }: SearchFieldProps) {
  const [entry, setEntry] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const found = search(entry);
  const onKeyDown = (event: KeyboardEvent) => {
    const next =
      event.key === "Enter" ? chosenByEnter(event, found, chosen) : besideChosen(event.key, found, chosen);
    if (next === null) return;
    event.preventDefault();
    onChoose(next);
  };
  const named = found.find(({ sku }) => sku === chosen);
  const noneChosen = found.length > 0 ? decisions.noneChosen : "";
  return (
    <>
      <TextInput
        ref={field}
        label={decisions.search}
        description={decisions.searchHint}
        value={entry}
        data-autofocus
        classNames={{ input: classes.sought ?? "" }}
        // On a phone the buttons would stand over it.
        onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: "nearest" })}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget: { value } }) => {
          setEntry(value);
          onChoose(onlyOne(search(value)));
        }}
      />
      {found.length > 0 ? <ProductChoices products={found} chosen={chosen} onChoose={onChoose} /> : null}
      {found.length === 0 && entry.trim() !== "" ? <Text c="dimmed">{decisions.nothingFound}</Text> : null}
      <Text component="div" role="status" fz="sm" c="dimmed">
        {named === undefined ? noneChosen : decisions.chosen(productText(named))}
      </Text>
    </>
  );
}

interface ProductPickerProps extends PickingProps {
  readonly shop: UseQueryResult<ShopProducts>;
}

/** Searches the shop's products. The arrow keys choose one, and Enter the first where none is chosen yet. */
export function ProductPicker({ shop, ...picking }: ProductPickerProps) {
  return (
    <Loaded query={shop} fallback={decisions.productsFailed}>
      {({ search }) => <SearchField search={search} {...picking} />}
    </Loaded>
  );
}
