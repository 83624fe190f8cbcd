import fc from "fast-check";

export const skus = ["COAT", "GLOVE", "SOCK"] as const;
export type SkuName = (typeof skus)[number];
export const devices = ["phone", "handheld"] as const;
export type DeviceName = (typeof devices)[number];

/**
 * What a device's clock is good for: `right` to within `errorMs`, `impossible` (a time from another year or from
 * tomorrow, sent as if it were known), or `unknown`, which the device notices and says.
 */
export interface DeviceClock {
  readonly kind: "right" | "impossible" | "unknown";
  readonly errorMs: number;
}

/** What happens on the shelf, at the till and in the stockroom. */
export type ShelfStep =
  | { readonly kind: "sale"; readonly sku: SkuName; readonly countedUnit: boolean }
  | { readonly kind: "receipt"; readonly sku: SkuName }
  | { readonly kind: "order" | "shipment"; readonly sku: SkuName }
  | { readonly kind: "count"; readonly sku: SkuName; readonly units: number; readonly device: DeviceName }
  | { readonly kind: "deliver"; readonly device: DeviceName };

/** Besides: time passes, and Shopify is asked for what changed, or can't be. */
export type Step =
  | ShelfStep
  | { readonly kind: "time"; readonly seconds: number }
  | { readonly kind: "poll"; readonly fails: boolean };

export interface History {
  /** What is on the shelf and what Shopify has too much of it, by SKU. */
  readonly stock: Readonly<Record<SkuName, { readonly shelf: number; readonly tooMuch: number }>>;
  readonly clocks: Readonly<Record<DeviceName, DeviceClock>>;
  readonly shopAheadSeconds: number;
  readonly searchLagSeconds: number;
  readonly scope: "full" | "partial";
  readonly basis: "end" | "count";
  readonly before: readonly Step[];
  /** Whether what was begun is counted to the end before the session ends. */
  readonly finished: boolean;
  /** What happens while the shop is read at the end, and at which of its calls. */
  readonly during: {
    readonly operation: "VariantsPage" | "ChangedLevels" | "LiveLevels";
    readonly answered: boolean;
  };
  readonly meanwhile: readonly ShelfStep[];
  readonly after: readonly Step[];
  /** Between the acceptance of the late scans and the deploy. */
  readonly last: readonly Step[];
}

const sku = fc.constantFrom(...skus);
const device = fc.constantFrom(...devices);

const shelfStep: fc.Arbitrary<ShelfStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("sale" as const), sku, countedUnit: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("receipt" as const), sku }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("order" as const, "shipment" as const), sku }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("count" as const),
      ...{ sku, device, units: fc.oneof(fc.constant(99), fc.integer({ min: 1, max: 3 })) },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("deliver" as const), device }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: shelfStep },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("time" as const),
      seconds: fc.constantFrom(20, 70, 180, 420, 1800),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("poll" as const),
      fails: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  },
);

/** A customer takes one to the till and brings it back, somebody orders one, and all the while it is counted. */
const toAndFro: fc.Arbitrary<Step[]> = fc
  .record({
    sku,
    device,
    countedUnit: fc.boolean(),
    units: fc.integer({ min: 1, max: 3 }),
    turn: fc.nat({ max: 2 }),
  })
  .map(({ sku, device, countedUnit, units, turn }) => {
    const order: Step = { kind: "order", sku };
    const steps: Step[] = [
      { kind: "sale", sku, countedUnit },
      { kind: "count", sku, units, device },
      { kind: "receipt", sku },
    ];
    return steps.toSpliced([0, 2, 3][turn] ?? 0, 0, order);
  });

/** Each of so many is one step, or all that a to and fro is made of. */
const stepsOf = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc
    .array(fc.oneof({ weight: 9, arbitrary: step.map((one) => [one]) }, toAndFro), { maxLength })
    .map((parts) => parts.flat());

const clock: fc.Arbitrary<DeviceClock> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant("right" as const) },
    fc.constantFrom("impossible" as const, "unknown" as const),
  ),
  errorMs: fc.constantFrom(0, 500, -500, 2000, -2000),
});

const stock = fc.record({ shelf: fc.integer({ min: 0, max: 4 }), tooMuch: fc.integer({ min: -2, max: 2 }) });

export const history: fc.Arbitrary<History> = fc.record({
  stock: fc.record({ COAT: stock, GLOVE: stock, SOCK: stock }),
  clocks: fc.record({ phone: clock, handheld: clock }),
  shopAheadSeconds: fc.constantFrom(0, 0, 5, -5, 120, -120, 3600, -3600),
  searchLagSeconds: fc.constantFrom(0, 0, 30, 90, 200),
  scope: fc.constantFrom("full" as const, "partial" as const),
  basis: fc.constantFrom("end" as const, "count" as const),
  before: stepsOf(14),
  finished: fc.boolean(),
  during: fc.record({
    operation: fc.constantFrom("VariantsPage" as const, "ChangedLevels" as const, "LiveLevels" as const),
    answered: fc.boolean(),
  }),
  meanwhile: fc.oneof(fc.constant([]), fc.array(shelfStep, { maxLength: 4 })),
  after: fc.array(step, { maxLength: 6 }),
  last: fc.array(step, { maxLength: 3 }),
});
