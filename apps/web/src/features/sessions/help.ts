import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Start a count, let people join it, follow how far it is, and end it. The start and the end read Shopify's stock; you can go on selling meanwhile.",
  terms: ["session", "scope", "invitation", "sessionCode", "pass", "device", "naturalMovement"],
  next: "When every area is closed and no device holds scans, end the session. Its report opens under Reports.",
};
