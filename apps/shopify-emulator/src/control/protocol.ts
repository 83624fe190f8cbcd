import type { ProductSeed, VariantSeed } from "../catalogue.ts";
import type { Movement, Product, Quantities, Shop, ShopifyLocation, Variant } from "../entities.ts";
import type { ProductChange, VariantChange } from "../events.ts";
import type { Fault, FaultRequest } from "../faults.ts";
import type { LoggedCall } from "../http/call-log.ts";
import type { Settings } from "../settings.ts";

/** An inventory item by its id, its variant's id, or a SKU that only one variant has. */
type ItemReference = string;

/** A location by its id or its name. */
type LocationReference = string;

export interface ItemAt {
  readonly item: ItemReference;
  readonly location: LocationReference;
}

export interface StockReading extends Quantities {
  readonly variantId: string;
  readonly itemId: string;
  readonly sku: string | null;
  readonly locationId: string;
  /** False for a level that was deactivated or never existed. */
  readonly isActive: boolean;
  readonly on_hand: number;
}

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export interface WebhookDelivery {
  readonly id: string;
  readonly topic: string;
  readonly body: string;
  /** Of the receiver's response; null where none came. */
  readonly status: number | null;
}

export interface ShopSnapshot {
  readonly shop: Shop;
  readonly locations: readonly ShopifyLocation[];
  readonly products: readonly Product[];
  readonly variants: readonly Variant[];
}

/**
 * The controls of the emulator: POST /emulator/<command> with the input as JSON, with the output
 * as JSON in the response. A wrong input is 400, an unknown thing 404, both with {"error"}.
 */
export interface ControlCommands {
  stock(input: ItemAt): StockReading;
  /** Brings the given quantities to these values; what is not given stays. */
  setStock(input: ItemAt & { readonly quantities: Partial<Quantities> }): StockReading;
  /** A sale at the counter: the units leave at once. `ship: true` only commits them, until `fulfil`. */
  sell(input: ItemAt & { readonly quantity: number; readonly ship?: boolean }): StockReading;
  fulfil(input: ItemAt & { readonly quantity: number }): StockReading;
  receive(input: ItemAt & { readonly quantity: number }): StockReading;
  activateLevel(input: ItemAt): StockReading;
  deactivateLevel(input: ItemAt): StockReading;
  /** Every stock movement since the shop was loaded, oldest first; `after` is a sequence number. */
  movements(input: {
    readonly item?: ItemReference;
    readonly location?: LocationReference;
    readonly after?: number;
  }): {
    readonly movements: readonly Movement[];
  };
  addProduct(input: ProductSeed): { readonly productId: string; readonly variants: readonly Variant[] };
  changeProduct(input: { readonly productId: string; readonly change: ProductChange }): Product;
  deleteProduct(input: { readonly productId: string }): Record<string, never>;
  addVariant(input: { readonly productId: string; readonly variant: VariantSeed }): Variant;
  changeVariant(input: { readonly item: ItemReference; readonly change: VariantChange }): Variant;
  deleteVariant(input: { readonly item: ItemReference }): Record<string, never>;
  snapshot(input: Record<string, never>): ShopSnapshot;
  settings(input: Record<string, never>): Settings;
  changeSettings(input: Partial<Settings>): Settings;
  addFaults(input: { readonly faults: readonly FaultRequest[] }): { readonly faults: readonly Fault[] };
  faults(input: Record<string, never>): { readonly faults: readonly Fault[]; readonly hanging: number };
  clearFaults(input: Record<string, never>): Record<string, never>;
  /** Lets every hanging call go on; returns how many there were. */
  releaseHanging(input: Record<string, never>): { readonly released: number };
  /** Resolves once a call hangs. */
  untilHanging(input: Record<string, never>): Promise<{ readonly hanging: number }>;
  /** The calls to the Admin API, oldest first. */
  calls(input: Record<string, never>): { readonly calls: readonly LoggedCall[] };
  clearCalls(input: Record<string, never>): Record<string, never>;
  /** Sets the emulator's clock forward, or back where it is negative. */
  advanceClock(input: { readonly milliseconds: number }): { readonly now: string };
  /** Ends every token from client credentials; a static token stays. */
  revokeTokens(input: Record<string, never>): Record<string, never>;
  /** Leaves this many points in the cost bucket. */
  leavePoints(input: { readonly points: number }): Record<string, never>;
  /** Where inventory_levels/update goes; null ends it. */
  setWebhook(input: { readonly target: WebhookTarget | null }): Record<string, never>;
  /** Resolves once nothing is left to deliver. */
  deliveries(input: Record<string, never>): Promise<{ readonly deliveries: readonly WebhookDelivery[] }>;
  /** Back to the catalogue and the settings of the start; faults, tokens, calls and bulk operations go. */
  reset(input: Record<string, never>): Record<string, never>;
}

export type CommandName = keyof ControlCommands;
export type CommandInput<Name extends CommandName> = Parameters<ControlCommands[Name]>[0];
export type CommandOutput<Name extends CommandName> = Awaited<ReturnType<ControlCommands[Name]>>;
