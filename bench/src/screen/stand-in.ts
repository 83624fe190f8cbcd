import type { Product, ScanPayload } from "@stocktake/contract";
import type { BrowserContext, Route } from "playwright-core";

const json = "application/json";

/** The barcode of a product of the stand-in's catalogue. */
export function barcodeAt(index: number): string {
  return String(2_000_000_000_000 + index);
}

function productAt(index: number, storeId: string, edition: number): Product {
  // A hundredth of the catalogue is another in each edition.
  const title = index % 100 === 0 ? `Long Sleeve Shirt, edition ${edition}` : "Long Sleeve Shirt";
  return {
    sku: `SKU-${String(index).padStart(7, "0")}`,
    barcode: barcodeAt(index),
    productTitle: `${title} ${index % 9_000}`,
    size: ["XS", "S", "M", "L", "XL"][index % 5] ?? null,
    image: `https://cdn.example/files/${index % 9_000}.jpg?v=1700000000`,
    storeId,
  };
}

function acceptedScan(scan: ScanPayload, index: number) {
  return {
    scan: {
      ...{ _id: String(index), seq: scan.seq, sku: scan.input, productTitle: "Long Sleeve Shirt", size: "M" },
      ...{ areaCode: scan.areaCode, pass: scan.pass ?? 1 },
    },
    ...{ status: "counted", reason: null, duplicate: false },
  };
}

/** Takes the place of the product for the page: a catalogue of any size, and scans that are accepted at once. */
export interface StandIn {
  /** Brings out the next edition: from now on the held one is not current any more. */
  change(): void;
}

function respond(route: Route, status: number, body: unknown): Promise<void> {
  return route.fulfill({ status, contentType: json, body: JSON.stringify(body) });
}

async function acceptScans(context: BrowserContext): Promise<void> {
  await context.route("**/api/scan", (route) =>
    respond(route, 201, acceptedScan(route.request().postDataJSON(), 1)),
  );
  await context.route("**/api/scan/batch", (route) => {
    const { scans }: { scans: ScanPayload[] } = route.request().postDataJSON();
    const results = scans.map((scan, index) => ({ httpStatus: 201, ...acceptedScan(scan, index) }));
    return respond(route, 200, { results });
  });
}

/** The network's part is not what is measured: the products are made here. Each edition has one new product at its end. */
export async function standIn(context: BrowserContext, storeId: string, products: number): Promise<StandIn> {
  const editionOf = (edition: number) => {
    const etag = `"edition-${edition}"`;
    const all = Array.from({ length: products + edition }, (_none, index) =>
      productAt(index, storeId, edition),
    );
    return { etag, body: JSON.stringify({ products: all, etag }) };
  };
  let edition = 0;
  let current = editionOf(edition);
  await context.route("**/api/products/map?**", (route) => {
    const { etag, body } = current;
    if (route.request().headers()["if-none-match"] === etag) return route.fulfill({ status: 304 });
    return route.fulfill({ status: 200, contentType: json, headers: { etag }, body });
  });
  await acceptScans(context);
  return {
    change() {
      edition += 1;
      current = editionOf(edition);
    },
  };
}
