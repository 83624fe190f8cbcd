/** Texts about tolerances. */
export const toleranceMessages = {
  intro:
    "When an area is closed, and every minute, what differs by more than this is found, and its areas are asked for a second count. Empty fields are no limit. Counters learn nothing of it.",
  ofStore: (name: string) => `Tolerance of ${name}`,
  ofSession: "Tolerance of This Session",
  useStores: "Use the store's tolerance",
  stores: "The store's tolerance holds until this session has its own.",
  over: "More Than Shopify Has",
  short: "Less Than Shopify Has",
  fields: {
    units: "Units",
    money: "Money",
    stockPercent: "Per Cent of Stock",
    moneyPercent: "Per Cent of Money",
  },
  notes: {
    units: "Of one SKU",
    money: "What the difference is worth at cost",
    stockPercent: "Of what Shopify has of the SKU",
    moneyPercent: "Of what the whole stock was worth at the start",
  },
  wrong: "Enter a number.",
  save: "Save Tolerance",
  saving: "Saving...",
  fetchFailed: "Failed to fetch data",
  saveFailed: "Failed to save the tolerance",
} as const;
