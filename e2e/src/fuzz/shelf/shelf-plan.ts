import fc from "fast-check";

const second = 1_000;
const minute = 60 * second;

const stepKinds = [
  "scans",
  "paper_counted",
  "paper_entered",
  "sheet_voided",
  "tags_read",
  "sale",
  "order",
  "shipment",
  "receipt",
  "phone_offline",
  "phone_online",
  "page_reloaded",
  "clock_set",
  "server_clock_set",
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

/** What happens while stock is moved: nothing, something while the call waits, or answers are lost, and one is sold before it is looked. */
const inTheWay = [
  "quiet",
  "sale_meanwhile",
  "answer_lost",
  "answers_lost",
  "sale_after_loss",
  "backup_meanwhile",
] as const;
export type InTheWay = (typeof inTheWay)[number];

/** A call to Shopify that is waited for, so that something happens meanwhile. */
export interface Wait {
  readonly operation: "nothing" | "VariantsPage" | "LiveLevels";
  readonly when: "before" | "after";
  /** Which of its calls, modulo how many there are; see `callsBefore`. */
  readonly call: number;
}

export interface SkuPlan {
  readonly units: number;
  /** By how many units Shopify has too many at the start; stock that was never there can't be wrong. */
  readonly wrong: number;
  readonly level: "active" | "inactive" | "never";
  readonly areaOfFirst: number;
  /** Each unit has an RFID tag, which is read in the place of its barcode. */
  readonly isTagged: boolean;
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
  /** One of so many units is scanned twice, and its second scan taken back at once; 0: none is. */
  readonly slips: number;
  /** So many counters have not finished when the session ends. */
  readonly unfinished: number;
  /** Of five late scans the administrator dismisses so many. */
  readonly dismissed: number;
  /** How many variants Shopify lists in a page: with few a small shop is read in several. */
  readonly pageRows: number;
  /** Which page of the start's reading is waited for, while `starting` happens, before there is anything to count in. */
  readonly startWaits: Wait;
  /** Which call to Shopify the end waits for, while `ending` happens. */
  readonly endWaits: Wait;
  readonly deploy: InTheWay;
  readonly rollback: InTheWay;
  /** After the deploy it is rolled back and deployed by the other comparison. */
  readonly isRolledBack: boolean;
  readonly starting: readonly Step[];
  readonly counting: readonly Step[];
  readonly ending: readonly Step[];
  /** Where there are any, one of the end's next readings is waited for, while these happen. */
  readonly endingAgain: readonly Step[];
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

const who = fc.nat({ max: 59 });
const pick = fc.nat({ max: 999 });

/** Shopify's times are whole seconds: what moves to and fro in the same one leaves no trace. */
const soon = fc.integer({ min: 1_500, max: 15 * second });

const toAndFroKinds: readonly StepKind[] = ["sale", "scans", "receipt"];

/**
 * One is sold and one brought back soon after, so that no reading may fall between the two; meanwhile somebody counts, and
 * one more is ordered online.
 */
const toAndFro: fc.Arbitrary<Step[]> = fc
  .record({ who, counter: who, pick, waits: fc.tuple(soon, soon, soon, soon), turn: fc.nat({ max: 3 }) })
  .map(({ who: sku, counter, pick: picked, waits, turn }) => {
    const kinds = toAndFroKinds.toSpliced(turn, 0, "order");
    return waits.map((waited, index): Step => {
      const kind = kinds[index] ?? "scans";
      return { kind, wait: waited, who: kind === "scans" ? counter : sku, pick: picked };
    });
  });

function steps(maxLength: number, weights: Partial<Record<StepKind, number>>): fc.Arbitrary<Step[]> {
  const kinds = stepKinds.flatMap((kind) => Array.from({ length: weights[kind] ?? 0 }, () => kind));
  return fc.array(fc.record({ kind: fc.constantFrom(...kinds), wait, who, pick }), { maxLength });
}

/** Of three lists of steps one has a to and fro somewhere in it. */
function withToAndFro(some: fc.Arbitrary<Step[]>): fc.Arbitrary<Step[]> {
  return fc
    .tuple(some, fc.oneof(fc.constant([]), fc.constant([]), toAndFro), fc.nat({ max: 22 }))
    .map(([list, between, at]) => list.toSpliced(at % (list.length + 1), 0, ...between));
}

function waits(...operations: readonly Wait["operation"][]): fc.Arbitrary<Wait> {
  return fc.record({
    operation: fc.constantFrom(...operations),
    when: fc.constantFrom("before", "after"),
    call: fc.nat({ max: 6 }),
  });
}

/** How many calls are let pass before the one that is waited for: any page of a reading, or the first two of another call. */
export function callsBefore({ operation, call }: Wait, { skus, pageRows }: ShelfPlan): number {
  return call % (operation === "VariantsPage" ? Math.ceil(skus.length / pageRows) : 2);
}

const trade = { sale: 6, order: 1, shipment: 1, receipt: 2 };
const levels = { level_deactivated: 1, level_activated: 1 };
const phones = { phone_offline: 2, phone_online: 1, page_reloaded: 1, clock_set: 1 };
const readings = { polls_fail: 1, polls_work: 1 };
/** With little trade: what is on paper has no time, and is uncertain wherever stock moved. */
const paper = { paper_counted: 4, paper_entered: 2, sheet_voided: 1, sale: 1, order: 0, receipt: 0 };
const whileCounting = {
  scans: 10,
  tags_read: 2,
  ...trade,
  ...levels,
  ...phones,
  ...readings,
  backup: 1,
  restore: 1,
};

const whileEnding = { scans: 4, ...trade, phone_offline: 1, level_deactivated: 1, backup: 1 };

const sku: fc.Arbitrary<SkuPlan> = fc
  .record({
    units: fc.nat({ max: 4 }),
    wrong: fc.integer({ min: -2, max: 2 }),
    level: fc.oneof(
      { weight: 8, arbitrary: fc.constant("active" as const) },
      { weight: 2, arbitrary: fc.constantFrom("inactive" as const, "never" as const) },
    ),
    areaOfFirst: fc.nat({ max: 5 }),
    isTagged: fc.constantFrom(false, false, true),
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
  slips: fc.constantFrom(0, 3, 6),
  unfinished: fc.constantFrom(0, 0, 1, 2),
  dismissed: fc.constantFrom(0, 0, 0, 1, 5),
  pageRows: fc.constantFrom(250, 1, 2, 3),
  startWaits: waits("nothing", "VariantsPage", "VariantsPage"),
  endWaits: waits("nothing", "VariantsPage", "VariantsPage", "LiveLevels", "LiveLevels"),
  deploy: fc.constantFrom("quiet", ...inTheWay),
  rollback: fc.constantFrom("quiet", ...inTheWay),
  isRolledBack: fc.boolean(),
  starting: steps(4, trade),
  counting: withToAndFro(
    fc.oneof(
      { weight: 5, arbitrary: steps(22, whileCounting) },
      { weight: 5, arbitrary: steps(22, { ...whileCounting, ...paper }) },
      { weight: 1, arbitrary: steps(22, { ...whileCounting, server_clock_set: 3 }) },
    ),
  ),
  ending: withToAndFro(
    fc.oneof(
      { weight: 10, arbitrary: steps(6, whileEnding) },
      { weight: 1, arbitrary: steps(6, { ...whileEnding, server_clock_set: 4 }) },
    ),
  ),
  endingAgain: fc.oneof(fc.constant([]), steps(3, { scans: 2, sale: 4, receipt: 1 })),
  ended: withToAndFro(steps(6, { scans: 3, ...trade, ...levels, phone_online: 1, backup: 1, restore: 1 })),
  deployed: steps(6, { sale: 3, receipt: 1, level_deactivated: 1, backup: 1, restore: 2 }),
  rolledBack: steps(4, { sale: 2, receipt: 1, backup: 1, restore: 3 }),
});
