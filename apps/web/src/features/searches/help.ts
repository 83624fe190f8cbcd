import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "What Shopify has in stock here and nobody has scanned so far, to be looked for before the session ends.",
  terms: ["neverCounted", "searchList", "contradicted"],
  next: "Make search lists and give each to somebody. What is found is scanned in its area. What is not there can be set to zero by the deploy.",
};
