import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about: "Each store is counted by itself and belongs to one Shopify location.",
  terms: ["store", "shopifyLocation"],
  next: "Once a store is here, add its locations and areas under Locations.",
};
