import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "What was counted without a device of this product becomes scans like all others: in the same totals, exceptions and reports, by the person who counted.",
  terms: ["area", "session"],
  next: "Choose a file, look at what is wrong with it, and store it. Then finish its areas on a phone with their totals.",
};
