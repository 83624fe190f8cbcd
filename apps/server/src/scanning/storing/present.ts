import { type ProductIndex, type ScanAnswer, type ScanStatus, scannedCode } from "@stocktake/contract";
import type { SessionProduct } from "../../catalogue/catalogue.ts";

interface ScanToPresent {
  readonly id: number;
  readonly seq: number;
  readonly sku: string | null;
  readonly areaCode: string;
  readonly pass: number;
  readonly quantity: number;
  readonly status: ScanStatus;
  readonly reason: ScanAnswer["reason"];
}

/** The answer to a scan; `duplicate` where it was already stored. */
export function presentScan(
  scan: ScanToPresent,
  index: ProductIndex<SessionProduct>,
  duplicate: boolean,
): ScanAnswer {
  const product = scan.sku === null ? undefined : findProduct(index, scan.sku);
  return {
    scan: {
      _id: String(scan.id),
      seq: scan.seq,
      sku: scan.sku,
      productTitle: product?.productTitle ?? null,
      size: product?.size ?? null,
      areaCode: scan.areaCode,
      pass: scan.pass,
      quantity: scan.quantity,
    },
    status: scan.status,
    reason: scan.reason,
    duplicate,
  };
}

/** The product whose SKU this is; a shared label's plain SKU names none. */
export function findProduct(index: ProductIndex<SessionProduct>, sku: string): SessionProduct | undefined {
  return index.bySku.get(scannedCode(sku))?.find((product) => product.sku === sku);
}
