import { countText } from "../../../ui/formats.ts";

/** Of the areas that an administrator does not want counted. */
export const notCountedOnPurpose = (count: number) =>
  `${countText(count, "area is", "areas are")} not counted on purpose`;

/** Texts of the end of a session whose Shopify location is gone. */
export const locationGone = {
  ask: "Location Gone for Good",
  title: "End without stock?",
  question:
    "Shopify no longer has this store's location, so its stock at the end can't be read. If the location was only deactivated, cancel, activate it in Shopify and end the session as usual.",
  consequences: [
    "Every count is kept, and can be read, adjusted and exported.",
    "Counts are compared with Shopify's stock at the start. Sales since then are not taken into account.",
    "Nothing of this session can be deployed to Shopify.",
    "An ended session can't be reopened.",
  ],
  confirm: "End Without Stock",
} as const;
