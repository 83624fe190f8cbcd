import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about: "Who changed what and when. Entries can be added, but not changed or deleted.",
  terms: ["auditHash"],
  next: "Choose a session to see its entries alone, or export them. npm run verify-audit, or the operator, checks that none was changed.",
};
