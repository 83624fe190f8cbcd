import { countText, quantityText } from "../../ui/formats.ts";

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
  willBeZero: (what: string) => `${what}, will be set to zero in Shopify because nobody counted them.`,
  largest: (skus: number) => (skus === 1 ? "The one SKU" : `The ${skus} of highest value`),
  sku: "SKU",
  units: "Units",
  worth: "Value",
  unknownCost: "Unknown",
  typeUnits: "Type the number of units to confirm",
  typeUnitsNote: "So that nothing is set to zero by one click.",
  otherUnits: "This is not the number of units above.",
  stockLabel: "Also stock products that were counted but are not stocked at this location",
  stockNote: (skus: string, units: string) => `${skus}, ${units}. Otherwise they are not deployed.`,
  staysStocked: "Products stocked this way stay stocked: a rollback only takes back their units.",
} as const;

/** A rollback that could not move every SKU. */
export const partialRollback = {
  ended: "The rollback has ended. See Adjustment History for the result.",
  partly: (count: number) =>
    `${countText(count, "SKU was", "SKUs were")} moved back. Adjustment History lists the rest: resume the rollback there, or settle them.`,
  incomplete: "The rollback is not complete",
  notMovedBack: (count: number) =>
    count === 1
      ? "1 SKU has not moved back. Resume the rollback, or settle it."
      : `${quantityText(count)} SKUs have not moved back. Resume the rollback, or settle them.`,
  heading: "SKUs not moved back",
  intro:
    "Resume the rollback once Shopify can move them again. Or settle them here: the rollback is complete when none is left.",
  movedByHand: "Moved Back by Hand",
  stays: "Leave as It Is",
} as const;
