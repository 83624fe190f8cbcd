import { memo } from "react";
import { messages } from "../messages.ts";
import { namedWithSize } from "../station/product-text.ts";
import type { Station } from "../station/station.ts";
import classes from "./count-only.module.css";

interface CountOnlyProps {
  readonly only: readonly string[];
  readonly products: Station["products"];
  /** False until the products are read, by which they are named. */
  readonly isReady: boolean;
  /** As it is shown at first; a tap opens and closes it. */
  readonly isOpen: boolean;
}

/** The products that are counted here, where it is not everything: by name, size and code alone, as whoever counts counts blind. */
export const CountOnly = memo(function CountOnly({ only, products, isReady, isOpen }: CountOnlyProps) {
  return (
    <details className={classes.list} open={isOpen}>
      <summary className={classes.title}>{messages.countOnly(only.length)}</summary>
      <ul className={classes.products} aria-label={messages.countOnly(only.length)}>
        {only.map((sku) => {
          const product = isReady ? products.ofSku(sku) : null;
          return (
            <li key={sku}>
              {product === null ? null : <span className={classes.name}>{namedWithSize(product)}</span>}
              <span className={classes.code}>{[sku, product?.barcode].filter(Boolean).join(" · ")}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
});
