import { Button, Stack, Text } from "@mantine/core";
import type { Product } from "@stocktake/contract";
import { useCallback, useState } from "react";
import { useBurstGuard } from "../../scanner/use-scanner-input.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { words } from "./messages.ts";
import classes from "./scan-screen.module.css";
import type { Choice } from "./use-station.ts";

interface ChooseProductProps {
  readonly choice: Choice;
  readonly onChoose: (product: Product | null) => void;
  readonly onScanIgnored: () => void;
}

function Option({ product, onChoose }: { product: Product; onChoose: (product: Product) => void }) {
  return (
    <button type="button" className={classes.option} onClick={() => onChoose(product)}>
      <strong>{product.productTitle}</strong>
      <br />
      <span className={classes.facts}>
        {product.size === null ? "" : `Size ${product.size} · `}SKU {product.sku}
      </span>
    </button>
  );
}

/** Asks which product a code means, where it fits several. Another scan meanwhile presses nothing and is not taken. */
export function ChooseProduct({ choice, onChoose, onScanIgnored }: ChooseProductProps) {
  const [isScanIgnored, setScanIgnored] = useState(false);
  useBurstGuard(
    true,
    useCallback(() => {
      setScanIgnored(true);
      onScanIgnored();
    }, [onScanIgnored]),
  );
  return (
    <Dialog title="Which product is it?" onClose={() => onChoose(null)}>
      <Stack gap="sm">
        <Text>
          The code <strong>{choice.code}</strong> fits {choice.products.length} products. Nothing is counted
          until you choose.
        </Text>
        {isScanIgnored ? (
          <Notice kind="warning" role="alert">
            {words.chooseFirst}
          </Notice>
        ) : null}
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
