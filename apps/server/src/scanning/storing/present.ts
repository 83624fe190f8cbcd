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
    ...told(scan),
    duplicate,
  };
}

/** The product whose SKU this is; a shared label's plain SKU names none. */
export function findProduct(index: ProductIndex<SessionProduct>, sku: string): SessionProduct | undefined {
  return index.bySku.get(scannedCode(sku))?.find((product) => product.sku === sku);
}

/**
 * What a device is told that counts blind: it never learns of another count of the area. What it scanned in a second count was
 * counted, or fits no product; and what another count took the place of was counted too.
 */
function told({ status, reason, sku }: ScanToPresent): Pick<ScanAnswer, "status" | "reason" | "tag"> {
  if (reason === "TAG_COUNTED" || reason === "TAG_ELSEWHERE") return { status, reason: null, tag: reason };
  const wasCounted = { status: "counted", reason: null } as const;
  if (status === "compared") return sku === null ? { status: "unresolved", reason } : wasCounted;
  return reason === "SUPERSEDED" ? wasCounted : { status, reason };
}
