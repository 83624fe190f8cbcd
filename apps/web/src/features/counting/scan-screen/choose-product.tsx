import { Button, Stack, Text } from "@mantine/core";
import type { Product } from "@stocktake/contract";
import { Dialog } from "../../../ui/dialog.tsx";
import { quantityText } from "../../../ui/formats.ts";
import { useScanWarning } from "../device/scan-warning.tsx";
import { messages } from "../messages.ts";
import { sizeText } from "../station/product-text.ts";
import type { Choice } from "../station/station-state.ts";
import classes from "./choose-product.module.css";

interface ChooseProductProps {
  readonly choice: Choice;
  readonly onChoose: (product: Product | null) => void;
  readonly onScanIgnored: () => void;
}

function Option({ product, onChoose }: { product: Product; onChoose: (product: Product) => void }) {
  return (
    <button type="button" className={classes.option} onClick={() => onChoose(product)}>
      <strong>{product.productTitle}</strong>
      <span className={classes.where}>
        {product.size === null ? null : <span>{sizeText(product.size)}</span>}
        <span>SKU {product.sku}</span>
      </span>
    </button>
  );
}

/** Asks which product a code means, where it matches several. Another scan meanwhile presses nothing and is not taken. */
export function ChooseProduct({ choice, onChoose, onScanIgnored }: ChooseProductProps) {
  const scanWarning = useScanWarning(messages.chooseFirst, onScanIgnored);
  return (
    <Dialog title="Which product is it?" onClose={() => onChoose(null)}>
      <Stack gap="sm">
        <Text>
          The code <strong>{choice.code}</strong> matches {quantityText(choice.products.length)} products.
          Nothing is counted until you choose.
        </Text>
        {scanWarning}
        <div className={classes.options}>
          {choice.products.map((product) => (
            <Option key={product.sku} product={product} onChoose={onChoose} />
          ))}
        </div>
        <Button variant="default" size="lg" onClick={() => onChoose(null)} data-autofocus>
          Cancel
        </Button>
      </Stack>
    </Dialog>
  );
}
