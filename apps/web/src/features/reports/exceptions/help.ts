import type { HelpText } from "../../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Scans that are set aside and not counted until you decide, best while the item is still at hand. A decision can be taken back until the report is deployed.",
  terms: ["unresolved", "late", "area", "pass"],
  next: "Accept what lies there and is not counted yet, choose the product of an unknown code, and dismiss the rest.",
};
