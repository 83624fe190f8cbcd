import { Text } from "@mantine/core";
import type { Product } from "@stocktake/contract";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { messages } from "../messages.ts";
import { ProductPhoto } from "../photos/product-photo.tsx";
import { sizeText } from "../station/product-text.ts";
import type { Station } from "../station/station.ts";
import classes from "./found-products.module.css";
import { type ProductSearch, readProductSearch } from "./product-search.ts";

/** A finger reads no more, and each of them has a photo. */
const shownAtMost = 20;

/** Less is in nearly every product. */
const shortestSearch = 2;

const letters = /\p{L}/u;

interface FoundProductsProps {
  readonly products: Pick<Station["products"], "search">;
  readonly text: string;
  /** What is counted of a product in this area already, in words; null where nothing is. */
  readonly hereOf: (sku: string) => string | null;
  readonly onChoose: (product: Product) => void;
  /** Called with what says whether a text lists any product, once that can be said. */
  readonly onSearchable: (finds: (text: string) => boolean) => void;
}

function useSearch({ search }: FoundProductsProps["products"]): ProductSearch | null {
  const [ready, setReady] = useState<ProductSearch | null>(null);
  useEffect(() => {
    let isOver = false;
    search(readProductSearch).then((read) => {
      if (!isOver) setReady(read);
    }, globalThis.reportError);
    return () => {
      isOver = true;
    };
  }, [search]);
  return ready;
}

/** Null where there is nothing to be searched by, or in. */
function find(search: ProductSearch | null, text: string, limit: number): Product[] | null {
  return text.length < shortestSearch ? null : (search?.find(text, limit) ?? null);
}

type HitProps = Pick<FoundProductsProps, "hereOf" | "onChoose"> & { readonly product: Product };

function Hit({ product, hereOf, onChoose }: HitProps) {
  const { productTitle, size, sku, image } = product;
  const here = hereOf(sku);
  return (
    <li>
      <button type="button" className={classes.hit} onClick={() => onChoose(product)}>
        <ProductPhoto image={image} />
        <span className={classes.words}>
          <strong>{productTitle}</strong>
          <span className={classes.facts}>
            {size === null ? null : <span className={classes.size}>{sizeText(size)}</span>}
            <span>SKU {sku}</span>
            {here === null ? null : <span className={classes.here}>{here}</span>}
          </span>
        </span>
      </button>
    </li>
  );
}

/** The products that hold the words typed so far, to be counted by a tap. Digits alone that find none may be a barcode. */
export default function FoundProducts(props: FoundProductsProps) {
  const { products, text, hereOf, onChoose, onSearchable } = props;
  const search = useSearch(products);
  const searched = useDeferredValue(text.trim());
  const found = useMemo(() => find(search, searched, shownAtMost + 1), [search, searched]);
  useEffect(() => {
    onSearchable((typed) => (find(search, typed.trim(), 1) ?? []).length > 0);
  }, [search, onSearchable]);
  if (found === null) return null;
  const shown = found.slice(0, shownAtMost);
  if (shown.length === 0 && !letters.test(searched)) return null;
  return (
    <div>
      <Text role="status" fz="sm" c="dimmed" mb="xs">
        {shown.length === 0
          ? messages.foundNone
          : messages.foundProducts(shown.length, found.length > shown.length)}
      </Text>
      <ul className={classes.hits} aria-label="Products found">
        {shown.map((product) => (
          <Hit key={product.sku} product={product} hereOf={hereOf} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  );
}
