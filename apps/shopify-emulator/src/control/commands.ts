import type { MovableClock } from "../clock.ts";
import {
  type MovementCause,
  onHand,
  type Quantities,
  type ShopifyLocation,
  STORED_QUANTITIES,
  type Variant,
} from "../entities.ts";
import type { MovementRow } from "../events.ts";
import type { Faults, HangingCalls } from "../faults.ts";
import type { CostBucket } from "../graphql/cost.ts";
import type { CallLog } from "../http/call-log.ts";
import type { Tokens } from "../http/tokens.ts";
import type { Settings } from "../settings.ts";
import type { Store } from "../store.ts";
import type { Webhooks } from "../webhooks.ts";
import { ControlError, Fields } from "./fields.ts";
import type { CommandName, CommandOutput, StockReading } from "./protocol.ts";
import {
  readFault,
  readProductChange,
  readProductSeed,
  readQuantities,
  readSettings,
  readVariantChange,
  readVariantSeed,
} from "./readers.ts";

export interface Controlled {
  readonly store: Store;
  readonly clock: MovableClock;
  readonly settings: Settings;
  readonly faults: Faults;
  readonly hanging: HangingCalls;
  readonly tokens: Tokens;
  readonly bucket: CostBucket;
  readonly log: CallLog;
  readonly webhooks: Webhooks;
  readonly reset: () => void;
}

type Handlers = {
  readonly [Name in CommandName]: (input: Fields) => CommandOutput<Name> | Promise<CommandOutput<Name>>;
};

function findVariant(store: Store, reference: string): Variant {
  const byId = store.items.get(reference) ?? store.variants.get(reference);
  if (byId) return byId;
  const [first, second] = store.variantsBySku(reference);
  if (second) throw new ControlError(409, `Several variants have the SKU ${reference}: name one by its id.`);
  if (!first) throw new ControlError(404, `The shop has no item ${reference}.`);
  return first;
}

function findLocation(store: Store, reference: string): ShopifyLocation {
  const found = store.locations.find(({ id, name }) => id === reference || name === reference);
  if (!found) throw new ControlError(404, `The shop has no location ${reference}.`);
  return found;
}

interface Place {
  readonly variant: Variant;
  readonly location: ShopifyLocation;
}

function placeOf(store: Store, input: Fields): Place {
  return {
    variant: findVariant(store, input.text("item")),
    location: findLocation(store, input.text("location")),
  };
}

function reading(store: Store, { variant, location }: Place): StockReading {
  const level = store.level(variant, location.id);
  const none: Quantities = {
    available: 0,
    committed: 0,
    damaged: 0,
    incoming: 0,
    quality_control: 0,
    reserved: 0,
    safety_stock: 0,
  };
  const quantities = level?.quantities ?? none;
  return {
    ...quantities,
    variantId: variant.id,
    itemId: variant.itemId,
    sku: variant.sku,
    locationId: location.id,
    isActive: level?.isActive ?? false,
    on_hand: onHand(quantities),
  };
}

function positive(input: Fields, name: string): number {
  const value = input.integer(name);
  if (value <= 0) throw new ControlError(400, `${name} must be above 0.`);
  return value;
}

function stockCommands({ store, clock }: Controlled) {
  const move = (place: Place, cause: MovementCause, deltas: Partial<Quantities>): StockReading => {
    const rows = STORED_QUANTITIES.flatMap((name): MovementRow[] => {
      const delta = deltas[name] ?? 0;
      return delta === 0
        ? []
        : [{ itemId: place.variant.itemId, locationId: place.location.id, name, delta }];
    });
    if (rows.length > 0) store.commit({ type: "moved", at: clock.now(), cause, rows });
    return reading(store, place);
  };
  const switchLevel = (input: Fields, isActive: boolean): StockReading => {
    const place = placeOf(store, input);
    const { variant, location } = place;
    const event = { itemId: variant.itemId, locationId: location.id, isActive };
    store.commit({ type: "levelSwitched", at: clock.now(), ...event });
    return reading(store, place);
  };
  return {
    stock: (input) => reading(store, placeOf(store, input)),
    setStock: (input) => {
      const place = placeOf(store, input);
      const present = reading(store, place);
      const wanted = readQuantities(input.object("quantities"));
      const deltas: Partial<Quantities> = {};
      for (const name of STORED_QUANTITIES) deltas[name] = (wanted[name] ?? present[name]) - present[name];
      return move(place, "set", deltas);
    },
    sell: (input) => {
      const quantity = positive(input, "quantity");
      const committed = input.has("ship") && input.flag("ship") ? quantity : 0;
      return move(placeOf(store, input), "sale", { available: -quantity, committed });
    },
    fulfil: (input) => move(placeOf(store, input), "fulfilment", { committed: -positive(input, "quantity") }),
    receive: (input) => move(placeOf(store, input), "receipt", { available: positive(input, "quantity") }),
    activateLevel: (input) => switchLevel(input, true),
    deactivateLevel: (input) => switchLevel(input, false),
    movements: (input) => {
      const item = input.has("item") ? findVariant(store, input.text("item")).itemId : null;
      const location = input.has("location") ? findLocation(store, input.text("location")).id : null;
      const after = input.has("after") ? input.integer("after") : 0;
      const movements = store.movements
        .slice(after)
        .filter(
          (row) => (item ?? row.itemId) === row.itemId && (location ?? row.locationId) === row.locationId,
        );
      return { movements };
    },
  } satisfies Partial<Handlers>;
}

function productOf(store: Store, input: Fields) {
  const product = store.products.get(input.text("productId"));
  if (!product) throw new ControlError(404, `The shop has no product ${input.text("productId")}.`);
  return product;
}

function catalogueCommands({ store, clock }: Controlled) {
  return {
    addProduct: (input) => {
      store.commit({ type: "productAdded", at: clock.now(), product: readProductSeed(input) });
      const product = [...store.products.values()].at(-1);
      if (!product) throw new ControlError(500, "The product was not added.");
      return { productId: product.id, variants: store.variantsOf(product.id) };
    },
    changeProduct: (input) => {
      const product = productOf(store, input);
      const change = readProductChange(input.object("change"));
      store.commit({ type: "productChanged", at: clock.now(), productId: product.id, change });
      return product;
    },
    deleteProduct: (input) => {
      store.commit({ type: "productDeleted", at: clock.now(), productId: productOf(store, input).id });
      return {};
    },
    addVariant: (input) => {
      const productId = productOf(store, input).id;
      const variant = readVariantSeed(input.object("variant"));
      store.commit({ type: "variantAdded", at: clock.now(), productId, variant });
      const added = [...store.variants.values()].at(-1);
      if (!added) throw new ControlError(500, "The variant was not added.");
      return added;
    },
    changeVariant: (input) => {
      const variant = findVariant(store, input.text("item"));
      const change = readVariantChange(input.object("change"));
      store.commit({ type: "variantChanged", at: clock.now(), variantId: variant.id, change });
      return variant;
    },
    deleteVariant: (input) => {
      const { id: variantId } = findVariant(store, input.text("item"));
      store.commit({ type: "variantDeleted", at: clock.now(), variantId });
      return {};
    },
    snapshot: () => {
      const { shop, locations, products, variants } = store;
      return { shop, locations, products: [...products.values()], variants: [...variants.values()] };
    },
  } satisfies Partial<Handlers>;
}

function faultCommands({ faults, hanging, log }: Controlled) {
  return {
    addFaults: (input) => {
      const requests = input.list("faults").map((entry) => readFault(new Fields(entry)));
      return { faults: requests.map((request) => faults.add(request)) };
    },
    faults: () => ({ faults: faults.list(), hanging: hanging.count }),
    clearFaults: () => {
      faults.clear();
      return {};
    },
    releaseHanging: () => ({ released: hanging.release() }),
    untilHanging: async () => {
      await hanging.untilHanging();
      return { hanging: hanging.count };
    },
    calls: () => ({ calls: log.list() }),
    clearCalls: () => {
      log.clear();
      return {};
    },
  } satisfies Partial<Handlers>;
}

function shopCommands({ settings, clock, tokens, bucket, webhooks, reset }: Controlled) {
  return {
    settings: () => settings,
    changeSettings: (input) => Object.assign(settings, readSettings(input)),
    advanceClock: (input) => {
      clock.advance(input.integer("milliseconds"));
      return { now: new Date(clock.now()).toISOString() };
    },
    revokeTokens: () => {
      tokens.revoke();
      return {};
    },
    leavePoints: (input) => {
      bucket.leave(input.integer("points"));
      return {};
    },
    setWebhook: (input) => {
      const target = input.isNull("target") ? null : input.object("target");
      webhooks.setTarget(target && { url: target.text("url"), secret: target.text("secret") });
      return {};
    },
    deliveries: async () => ({ deliveries: await webhooks.deliveries() }),
    reset: () => {
      reset();
      return {};
    },
  } satisfies Partial<Handlers>;
}

function isCommand(handlers: Handlers, name: string): name is CommandName {
  return Object.hasOwn(handlers, name);
}

/** Runs one command of the control protocol; rejects with a ControlError for a wrong or unknown one. */
export function commandRunner(controlled: Controlled) {
  const handlers: Handlers = {
    ...stockCommands(controlled),
    ...catalogueCommands(controlled),
    ...faultCommands(controlled),
    ...shopCommands(controlled),
  };
  return async (name: string, input: unknown): Promise<unknown> => {
    if (!isCommand(handlers, name)) throw new ControlError(404, `The emulator has no command ${name}.`);
    return handlers[name](new Fields(input));
  };
}
