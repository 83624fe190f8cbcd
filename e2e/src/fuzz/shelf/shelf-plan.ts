import fc from "fast-check";
import { type InTheWay, inTheWay } from "./in-the-way.ts";

const second = 1_000;
const minute = 60 * second;

const stepKinds = [
  "scans",
  "sale",
  "order",
  "shipment",
  "receipt",
  "phone_offline",
  "phone_online",
  "page_reloaded",
  "clock_set",
  "level_deactivated",
  "level_activated",
  "polls_fail",
  "polls_work",
  "backup",
  "restore",
] as const;
export type StepKind = (typeof stepKinds)[number];

export interface Step {
  readonly kind: StepKind;
  /** Milliseconds that pass before it. */
  readonly wait: number;
  /** Whom or what it is about, modulo how many there are. */
  readonly who: number;
  readonly pick: number;
}

export interface SkuPlan {
  readonly units: number;
  /** By how many units Shopify has too many at the start; stock that was never there can't be wrong. */
  readonly wrong: number;
  readonly level: "active" | "inactive" | "never";
  readonly areaOfFirst: number;
}

/** A whole count of a shelf, from the start of its session to its deploy and beyond. */
export interface ShelfPlan {
  /** For who scans what in which order, and how long it takes. */
  readonly seed: number;
  readonly skus: readonly SkuPlan[];
  readonly scope: "full" | "partial";
  /** Which variance is deployed, and whether that is chosen before a restored session is released. */
  readonly basis: "end" | "count";
  readonly basisIsChosenLate: boolean;
  /** After a restore the session is released before its late scans are decided on. */
  readonly releasesBeforeDecisions: boolean;
  readonly stockFound: boolean;
  readonly zeroUncounted: boolean;
  /** By how many milliseconds each clock is ahead of the true time; one or two servers. */
  readonly clocks: {
    readonly servers: readonly number[];
    readonly shop: number;
    readonly phones: readonly number[];
  };
  /** By how many milliseconds Shopify's search lags. */
  readonly searchLag: number;
  /** One of so many scans is a counter's mistake; 0: nobody makes any. */
  readonly mistakes: number;
  /** So many counters have not finished when the session ends. */
  readonly unfinished: number;
  /** Of five late scans the administrator dismisses so many. */
  readonly dismissed: number;
  /** Which call to Shopify the end waits for, while `ending` happens. */
  readonly endWaitsAt:
    | "nothing"
    | "VariantsPage before"
    | "VariantsPage after"
    | "LiveLevels before"
    | "LiveLevels after";
  readonly deploy: InTheWay;
  readonly rollback: InTheWay;
  /** After the deploy it is rolled back and deployed by the other comparison. */
  readonly isRolledBack: boolean;
  readonly counting: readonly Step[];
  readonly ending: readonly Step[];
  readonly ended: readonly Step[];
  readonly deployed: readonly Step[];
  readonly rolledBack: readonly Step[];
}

const clockError = fc.constantFrom(
  ...[0, 0, 5 * second, -5 * second, 2 * minute, -2 * minute, 60 * minute, -60 * minute],
);

const wait = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 20, max: 3 * second }) },
  { weight: 3, arbitrary: fc.integer({ min: 3 * second, max: minute }) },
  { weight: 1, arbitrary: fc.integer({ min: minute, max: 6 * minute }) },
);

function steps(maxLength: number, weights: Partial<Record<StepKind, number>>): fc.Arbitrary<Step[]> {
  const kinds = stepKinds.flatMap((kind) => Array.from({ length: weights[kind] ?? 0 }, () => kind));
  const kind = fc.constantFrom(...kinds);
  return fc.array(fc.record({ kind, wait, who: fc.nat({ max: 59 }), pick: fc.nat({ max: 999 }) }), {
    maxLength,
  });
}

const trade = { sale: 6, order: 1, shipment: 1, receipt: 2 };
const levels = { level_deactivated: 1, level_activated: 1 };
const phones = { phone_offline: 2, phone_online: 1, page_reloaded: 1, clock_set: 1 };
const readings = { polls_fail: 1, polls_work: 1 };

const sku: fc.Arbitrary<SkuPlan> = fc
  .record({
    units: fc.nat({ max: 4 }),
    wrong: fc.integer({ min: -2, max: 2 }),
    level: fc.oneof(
      { weight: 8, arbitrary: fc.constant("active" as const) },
      { weight: 2, arbitrary: fc.constantFrom("inactive" as const, "never" as const) },
    ),
    areaOfFirst: fc.nat({ max: 5 }),
  })
  .map((plan) => ({ ...plan, wrong: plan.level === "never" ? 0 : Math.max(plan.wrong, -plan.units) }));

/** Random counts; fast-check shrinks a failing one to fewer steps, SKUs and errors. */
export const shelfPlans: fc.Arbitrary<ShelfPlan> = fc.record({
  seed: fc.nat(),
  skus: fc.array(sku, { minLength: 2, maxLength: 7 }),
  scope: fc.constantFrom("full", "partial"),
  basis: fc.constantFrom("end", "count"),
  basisIsChosenLate: fc.boolean(),
  releasesBeforeDecisions: fc.boolean(),
  stockFound: fc.boolean(),
  zeroUncounted: fc.boolean(),
  clocks: fc.record({
    servers: fc.array(clockError, { minLength: 1, maxLength: 2 }),
    shop: clockError,
    phones: fc.array(clockError, { minLength: 3, maxLength: 3 }),
  }),
  searchLag: fc.constantFrom(0, 0, 10 * second, 60 * second, 90 * second),
  mistakes: fc.constantFrom(0, 0, 0, 10),
  unfinished: fc.constantFrom(0, 0, 1, 2),
  dismissed: fc.constantFrom(0, 0, 0, 1, 5),
  endWaitsAt: fc.constantFrom(
    ...([
      "nothing",
      "VariantsPage before",
      "VariantsPage after",
      "LiveLevels before",
      "LiveLevels after",
    ] as const),
  ),
  deploy: fc.constantFrom("quiet", ...inTheWay),
  rollback: fc.constantFrom("quiet", ...inTheWay),
  isRolledBack: fc.boolean(),
  counting: steps(22, { scans: 10, ...trade, ...levels, ...phones, ...readings, backup: 1, restore: 1 }),
  ending: steps(6, { scans: 4, ...trade, phone_offline: 1, level_deactivated: 1, backup: 1 }),
  ended: steps(6, { scans: 3, ...trade, ...levels, phone_online: 1, backup: 1, restore: 1 }),
  deployed: steps(6, { sale: 3, receipt: 1, level_deactivated: 1, backup: 1, restore: 2 }),
  rolledBack: steps(4, { sale: 2, receipt: 1, backup: 1, restore: 3 }),
});
