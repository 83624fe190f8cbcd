import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Your password and how you sign in, the sounds of new devices, and whether Shopify, mail, the database and the clock are as they should be.",
  terms: ["shopifyLocation", "device"],
  next: "Where a check under Checks is not green, it says what to do about it.",
};
