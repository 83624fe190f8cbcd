import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "A carton of twelve has a code of its own. Kept here, one scan of it counts twelve, offline too. A code that a product has as its own always means that product.",
  terms: ["store"],
  next: "Scan one of the cartons on a phone: its banner says ×12.",
};
