export const unclear = {
  heading: "Rows to check",
  intro:
    "Shopify gave no clear answer for these. Check the SKU's inventory history in Shopify, then record here whether the change was made.",
  moved: "Change Was Made",
  notMoved: "Change Was Not Made",
  rollback: "rollback",
} as const;

/** A deploy that sets to zero what nobody counted, or stocks what was found. */
export const zeroing = {
  willBeZero: (what: string) => `${what}, will be set to zero in Shopify: nobody counted them.`,
  largest: "Worth most",
  units: "Units",
  worth: "Worth",
  unknownCost: "Unknown",
  typeUnits: "Type the number of units to confirm",
  typeUnitsNote: "So that nothing is set to zero by one click.",
  otherUnits: "This is not the number of units above.",
  stockLabel: "Also stock here what was found but is not stocked at this location",
  stockNote: (skus: string, units: string) => `${skus}, ${units}. Otherwise they are not deployed.`,
  staysStocked: "What is stocked here stays stocked: a rollback takes back its units alone.",
} as const;

/** A rollback that could not move every SKU. */
export const partialRollback = {
  ended: "The rollback has ended. See Adjustment History for the result.",
  partly: (count: number) =>
    `${count === 1 ? "1 SKU was" : `${count} SKUs were`} moved back. Adjustment History names what was not: resume it there, or settle it.`,
  incomplete: "The rollback is not complete",
  notMovedBack: (count: number) =>
    count === 1
      ? "1 SKU has not moved back. Resume the rollback, or settle it."
      : `${count} SKUs have not moved back. Resume the rollback, or settle them.`,
  heading: "SKUs not moved back",
  intro:
    "Resume the rollback once Shopify can move them again. Or settle them here: the rollback is complete when none is left.",
  movedByHand: "Moved Back by Hand",
  stays: "Leave as It Is",
} as const;
