import type { ShelfPlan, SkuPlan, Step, StepKind, Wait } from "./shelf-plan.ts";

/** A count in which something once went wrong, or that is seldom drawn, and what holds in it. */
export interface RegressionShelf {
  readonly rule: string;
  /** Every test run repeats it; `npm run fuzz -- shelf --known` repeats all. */
  readonly isInSlice?: true;
  readonly plan: ShelfPlan;
}

const minute = 60_000;
const hour = 60 * minute;

const noWait: Wait = { operation: "nothing", when: "before", call: 0 };

const quiet: ShelfPlan = {
  seed: 5,
  skus: [],
  scope: "partial",
  basis: "end",
  basisIsChosenLate: false,
  releasesBeforeDecisions: false,
  stockFound: false,
  zeroUncounted: false,
  clocks: { servers: [0], shop: 0, phones: [0, 0, 0] },
  searchLag: 0,
  mistakes: 0,
  slips: 0,
  unfinished: 0,
  dismissed: 0,
  pageRows: 250,
  startWaits: noWait,
  endWaits: noWait,
  deploy: "quiet",
  rollback: "quiet",
  isRolledBack: false,
  starting: [],
  counting: [],
  ending: [],
  endingAgain: [],
  ended: [],
  deployed: [],
  rolledBack: [],
};

function sku(units: number, wrong: number, level: SkuPlan["level"] = "active"): SkuPlan {
  return { units, wrong, level, areaOfFirst: 1, isTagged: false };
}

function step(kind: StepKind, wait: number, who = 0): Step {
  return { kind, wait, who, pick: 5 };
}

/** Everything is counted soon after the start. */
const allScans = [0, 0, 1, 1, 2, 2].map((who) => step("scans", 1_000, who));

export const regressionShelves: readonly RegressionShelf[] = [
  {
    rule: "what comes into an empty area after it was walked without a network is not missing where it is counted later",
    plan: {
      ...quiet,
      scope: "full",
      basis: "count",
      skus: [{ ...sku(2, 0), areaOfFirst: 3 }],
      counting: [
        step("phone_offline", minute, 0),
        step("scans", 1_000, 0),
        { ...step("receipt", minute, 0), pick: 0 },
        step("scans", minute, 1),
        step("scans", 1_000, 2),
        step("phone_online", minute, 0),
      ],
    },
  },
  {
    rule: "an item of an inactive level that is sold after it was counted is not stocked as if it had not been",
    plan: {
      ...quiet,
      stockFound: true,
      skus: [sku(2, -1, "inactive"), sku(3, 1)],
      ended: [step("sale", minute)],
    },
  },
  {
    rule: "what was moved since a backup does not look untouched, however far Shopify's clock is behind",
    plan: {
      ...quiet,
      clocks: { servers: [2 * minute], shop: -hour, phones: [0, hour, 0] },
      skus: [sku(2, 1), sku(3, -1)],
      ended: [step("backup", minute)],
      deployed: [step("restore", minute)],
    },
  },
  {
    rule: "a session that counted in the backup moves nothing twice, whichever comparison is chosen when",
    isInSlice: true,
    plan: {
      ...quiet,
      basis: "count",
      basisIsChosenLate: true,
      skus: [sku(2, 1), sku(4, 0)],
      counting: [...allScans, step("backup", 7 * minute)],
      deployed: [step("restore", minute / 2)],
    },
  },
  {
    rule: "a unit that is sold and brought back where it is counted already, while another is ordered, is not missing in silence",
    plan: {
      ...quiet,
      basis: "count",
      searchLag: 90_000,
      skus: [sku(2, 0), sku(3, 1)],
      counting: [step("sale", minute), ...allScans, step("receipt", 2_000), step("order", 2_000)],
    },
  },
  {
    rule: "a unit that is sold while the end is read, before the five left are counted, is not missing twice",
    isInSlice: true,
    plan: {
      ...quiet,
      searchLag: 90_000,
      skus: [sku(4, 0), sku(3, 2)],
      unfinished: 3,
      counting: [step("scans", minute), step("phone_offline", minute, 1)],
      endWaits: { operation: "VariantsPage", when: "after", call: 0 },
      ending: [step("sale", 1_000), ...allScans],
      ended: [step("sale", minute, 1)],
    },
  },
  {
    rule: "stock that is deactivated while the end is read, and comes back, is not gone in silence",
    plan: {
      ...quiet,
      scope: "full",
      zeroUncounted: true,
      unfinished: 2,
      skus: [sku(0, 1), sku(4, 0), sku(1, 1)],
      endWaits: { operation: "VariantsPage", when: "after", call: 0 },
      ending: [step("level_deactivated", 20)],
      ended: [step("level_activated", minute / 2)],
    },
  },
  {
    rule: "what a lost server stocked and sold again is not stocked once more, though it holds nothing as before",
    isInSlice: true,
    plan: {
      ...quiet,
      seed: 280790117,
      scope: "full",
      basis: "count",
      stockFound: true,
      zeroUncounted: true,
      clocks: { servers: [hour], shop: 5_000, phones: [-hour, -hour, -5_000] },
      skus: [sku(1, 2), { ...sku(3, 2, "inactive"), areaOfFirst: 4 }, sku(0, 0), sku(2, 0)],
      deploy: "answer_lost",
      starting: [step("sale", minute, 1), step("receipt", 2_000, 3), step("sale", minute, 2)],
      counting: [{ ...step("sale", 3_000, 1), pick: 641 }],
      ended: [step("scans", 3 * minute, 1)],
      deployed: [step("sale", minute, 1), step("restore", minute, 3)],
    },
  },
  {
    rule: "what a lost server stocked and moved does not look untouched where its level was deactivated since",
    plan: {
      ...quiet,
      stockFound: true,
      skus: [sku(4, 0, "never"), sku(3, 1)],
      counting: allScans,
      deploy: "backup_meanwhile",
      deployed: [step("level_deactivated", 3_000), step("restore", 3_000)],
    },
  },
  {
    rule: "a sale after a unit was counted for a file is not taken for one before, as the fast clock that wrote the file says",
    plan: {
      ...quiet,
      basis: "count",
      clocks: { servers: [0], shop: 0, phones: [10 * minute, 0, 0] },
      skus: [sku(1, 1)],
      counting: [
        { ...step("paper_counted", 1_000), pick: 1 },
        step("sale", 3 * minute),
        { ...step("paper_entered", 15 * minute), pick: 0 },
        ...allScans,
      ],
    },
  },
  {
    rule: "what a file and a count sheet have counts once, entered twice and again after a restore, and is certain where nothing moved",
    isInSlice: true,
    plan: {
      ...quiet,
      skus: [sku(4, 1), sku(3, -1)],
      counting: [
        { ...step("paper_counted", 1_000, 0), pick: 1 },
        { ...step("paper_counted", 1_000, 1), pick: 2 },
        step("backup", 100),
        { ...step("paper_entered", 1_000), pick: 0 },
        { ...step("paper_entered", 1_000), pick: 1 },
        step("restore", 1_000),
        ...allScans,
      ],
    },
  },
  {
    rule: "what a lost server rolled back and sold does not look as if it had not been, though it has as much as after the deploy",
    plan: {
      ...quiet,
      skus: [sku(3, 1), sku(4, 2)],
      counting: allScans,
      deployed: [step("backup", minute)],
      isRolledBack: true,
      rolledBack: [step("sale", minute), step("restore", minute)],
    },
  },
  {
    rule: "a sale after the server's clock was set back is not taken for one before what was counted by the clock of before",
    isInSlice: true,
    plan: {
      ...quiet,
      basis: "count",
      skus: [sku(2, 1), sku(3, 0)],
      counting: [
        ...allScans,
        ...allScans,
        step("server_clock_set", 2_000),
        step("sale", 5_000),
        step("sale", minute, 1),
      ],
    },
  },
];
