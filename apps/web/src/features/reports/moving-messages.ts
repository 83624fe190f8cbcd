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
  raised: (skus: string, units: string) => `${skus} below zero in Shopify, raised by ${units}`,
  largest: (skus: number) => (skus === 1 ? "The one SKU" : `The ${quantityText(skus)} of highest value`),
  sku: "SKU",
  units: "Units",
  worth: "Value",
  unknownCost: "Unknown",
  typeUnits: "Type the number of units to confirm",
  typeUnitsNote: "So that nothing is set to zero by one click.",
  otherUnits: "This is not the number of units above.",
  stockLabel: "Also stock products that were counted but are not stocked at this location",
  upAndDown: (above: string, below: string) => `${above} and ${below} units`,
  stockNote: (skus: string, units: string) => `${skus}, ${units}. Otherwise they are not deployed.`,
  keptUnseen: (skus: number, units: number) =>
    `Of ${countText(skus, "SKU", "SKUs")} Shopify has kept ${countText(units, "unit", "units")} here unseen, which the variance leaves out: only the rest is moved.`,
  staysStocked: "Products stocked this way stay stocked: a rollback only takes back their units.",
} as const;

/** A deploy or a rollback that pauses, or that an administrator stops. */
export const underway = {
  throttled: (time: string) => `Shopify asks us to wait until ${time}`,
  unavailable: (time: string) => `Shopify can't be reached. Next try at ${time}`,
  goesOn:
    "It goes on by itself then, even if you leave this page. What has been moved is recorded, and nothing is sent twice. You can cancel it in the Adjustment History.",
  cancellingTitle: "Cancelling",
  cancelling: "It stops as soon as the outcome of what was already sent to Shopify is known.",
  cancelDeploy: "Cancel Deploy",
  cancelRollback: "Cancel Rollback",
  cancelBusy: "Cancelling...",
  question: "Are you sure you want to stop this? Nothing more is sent to Shopify.",
  consequences: [
    "What has been moved so far stays moved and is listed in the Adjustment History.",
    "The rest can be resumed from there later. If nothing was moved yet, it ends as if it had not been started.",
  ],
  cancelFailed: "Failed to cancel:",
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

/** What moved in Shopify between its count and the end. */
export const movedAfterCount = {
  title: (skus: string) => `${skus} moved in Shopify after being counted`,
  text: (skus: readonly string[]) =>
    `This deploy compares with the stock at the end of the session, so it would put back what was sold after it was counted, and take out what came in: ${skus.join(", ")}. If people sold while they counted, cancel and choose “Stock at the time of counting” first.`,
  inTotals: (units: string, isCertain: boolean) =>
    `A deploy compares with the stock at the end of the session, so it would put back what was sold after it was counted, and take out what came in: ${isCertain ? units : `up to ${units}`}. If people sold while they counted, choose “Stock at the time of counting” first.`,
  link: "Show These Rows",
} as const;
