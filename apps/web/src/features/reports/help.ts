import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "What was counted against what Shopify says, product by product. Nothing changes in Shopify until you deploy.",
  terms: ["onHand", "naturalMovement", "variance", "basis", "uncertain", "deploy", "pass", "auditHash"],
  next: "Look at the largest variances, decide on unknown and late scans, correct counts where you know better, then deploy. A deploy can be rolled back.",
};
