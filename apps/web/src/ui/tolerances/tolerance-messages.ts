/** Texts about tolerances. */
export const toleranceMessages = {
  intro:
    "The server asks for a second count of each SKU that differs by more than this, in every closed area where it was counted. It checks when an area is closed, and every minute. What is short is checked once every area of the store is closed, or marked as not to be counted. An empty field means no limit. Counters see which products to count again, without any figure, and are not told why.",
  ofStore: (name: string) => `Tolerance of ${name}`,
  ofSession: "Tolerance of This Session",
  useStores: "Use the store's tolerance",
  stores: "The store's tolerance holds until this session has its own.",
  allEmpty:
    "With every field empty no second count is asked for in this session, whatever the store's tolerance is.",
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
  yes: "Yes",
  no: "No",
  limitOf: (side: string, limit: string) => `${side}, ${limit}`,
  wrong: "Enter a number.",
  save: "Save Tolerance",
  saving: "Saving...",
  savedOfStore: (name: string) => `The tolerance of ${name} was saved.`,
  savedOfSession: "The tolerance of this session was saved.",
  fetchFailed: "Failed to fetch data",
  saveFailed: "Failed to save the tolerance",
} as const;
