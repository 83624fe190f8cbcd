import { onTestFinished } from "vitest";
import type { Catalogue } from "./catalogue.ts";
import { type EmulatorControl, emulatorControl } from "./control/client.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "./emulator.ts";
import { OPERATIONS } from "./operations.ts";

const NOON = Date.parse("2026-10-05T12:00:00.250Z");

/** Two shops, a tee in two sizes, a bundle and a thing nobody tracks; size M is only sold in the first shop. */
export const SMALL_CATALOGUE: Catalogue = {
  fingerprint: "small-1",
  shop: { name: "Small Shop", myshopifyDomain: "small-shop.myshopify.com", currencyCode: "USD" },
  locations: [{ name: "North" }, { name: "South" }],
  products: [
    {
      title: "Tee",
      vendor: "Tern & Co",
      productType: "Tops",
      handle: "tee",
      image: { kind: "drawing", garment: "tee", colour: "#28323f" },
      variants: [
        {
          title: "S",
          sku: "TEE-S",
          barcode: "2900000000018",
          options: [{ name: "Size", value: "S" }],
          unitCost: "6.50",
          stock: [{ available: 5 }, { available: 1 }],
        },
        {
          title: "M",
          sku: "TEE-M",
          options: [{ name: "Size", value: "M" }],
          stock: [{ available: 8, committed: 2 }, null],
        },
      ],
    },
    {
      title: "Set",
      variants: [{ sku: "SET", requiresComponents: true, stock: [{ available: 3 }, { available: 3 }] }],
    },
    {
      title: "Wrap",
      variants: [{ sku: "WRAP", tracked: false, stock: [{ available: 0 }, { available: 0 }] }],
    },
  ],
};

interface ThrottleStatus {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  readonly restoreRate: number;
}

/** A GraphQL response; `data` has the type of what the test asked for. */
export interface GraphqlResult<Data> {
  readonly data: Data;
  readonly errors?: readonly {
    message: string;
    path?: unknown;
    extensions?: { code?: string; problems?: unknown };
  }[];
  readonly extensions: {
    readonly cost: {
      requestedQueryCost: number;
      actualQueryCost: number | null;
      throttleStatus: ThrottleStatus;
    };
  };
}

export interface AdjustResult {
  readonly inventoryAdjustQuantities: {
    readonly inventoryAdjustmentGroup: {
      readonly id: string;
      readonly createdAt: string;
      readonly reason: string;
      readonly referenceDocumentUri: string | null;
      readonly changes: readonly {
        readonly name: string;
        readonly delta: number;
        readonly quantityAfterChange: number | null;
        readonly ledgerDocumentUri: string | null;
        readonly item: { readonly id: string };
        readonly location: { readonly id: string };
      }[];
    } | null;
    readonly userErrors: readonly { code: string; field: readonly string[] | null; message: string }[];
  } | null;
}

interface ChangeOf {
  readonly sku: string;
  readonly location?: string;
  readonly delta: number;
  /** Left out of the input when undefined. */
  readonly from?: number | null;
  readonly ledger?: string;
}

/** A running emulator with a clock that a test moves, closed when the test ends. */
export interface TestShop {
  readonly emulator: Emulator;
  readonly url: string;
  readonly control: EmulatorControl;
  readonly north: string;
  readonly south: string;
  itemId(sku: string): string;
  /** The raw response, for what is not GraphQL. */
  send(
    query: string,
    variables?: object,
    options?: { token?: string; signal?: AbortSignal },
  ): Promise<Response>;
  ask<Data>(query: string, variables?: object): Promise<GraphqlResult<Data>>;
  /** Adjusts `available` for cycle_count_available by default. */
  input(changes: readonly ChangeOf[], more?: object): { readonly input: object };
  adjust(key: string, changes: readonly ChangeOf[], more?: object): Promise<GraphqlResult<AdjustResult>>;
  advance(milliseconds: number): void;
}

export async function openShop(options: EmulatorOptions = {}): Promise<TestShop> {
  let now = NOON;
  const emulator = await startEmulator({ catalogue: SMALL_CATALOGUE, clock: () => now, ...options });
  onTestFinished(emulator.close);
  const { url, store } = emulator;
  const [north = "", south = ""] = store.locations.map(({ id }) => id);
  const itemId = (sku: string): string => {
    const [variant] = store.variantsBySku(sku);
    if (!variant) throw new Error(`No variant ${sku}.`);
    return variant.itemId;
  };
  const send: TestShop["send"] = (
    query,
    variables = {},
    { token = emulator.credentials.accessToken, signal } = {},
  ) =>
    fetch(`${url}/admin/api/2026-10/graphql.json`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Shopify-Access-Token": token },
      body: JSON.stringify({ query, variables }),
      ...(signal && { signal }),
    });
  const ask = async <Data>(query: string, variables = {}): Promise<GraphqlResult<Data>> => {
    const answer: GraphqlResult<Data> = JSON.parse(await (await send(query, variables)).text());
    return answer;
  };
  const input: TestShop["input"] = (changes, more = {}) => ({
    input: {
      name: "available",
      reason: "cycle_count_available",
      referenceDocumentUri: "gid://stocktake/CycleCount/7-1-1",
      changes: changes.map(({ sku, location = north, delta, from, ledger }) => ({
        inventoryItemId: itemId(sku),
        locationId: location,
        delta,
        ...(from !== undefined && { changeFromQuantity: from }),
        ...(ledger !== undefined && { ledgerDocumentUri: ledger }),
      })),
      ...more,
    },
  });
  return {
    emulator,
    url,
    control: emulatorControl(url),
    north,
    south,
    itemId,
    send,
    ask,
    input,
    adjust: (key, changes, more) => ask<AdjustResult>(OPERATIONS.adjust, { ...input(changes, more), key }),
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** Codes of the user errors of an adjustment. */
export function codes(answer: GraphqlResult<AdjustResult>): string[] {
  return answer.data.inventoryAdjustQuantities?.userErrors.map(({ code }) => code) ?? [];
}

/** The changes of the returned group as `name delta`, or null without a group. */
export function changes(answer: GraphqlResult<AdjustResult>): string[] | null {
  const group = answer.data.inventoryAdjustQuantities?.inventoryAdjustmentGroup;
  return group ? group.changes.map(({ name, delta }) => `${name} ${delta}`) : null;
}
