import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Start a count, let people join it, follow how far it is, and end it. The start and the end read Shopify's stock; you can go on selling meanwhile. A session can be planned beforehand: nobody is told of it until you start it.",
  terms: ["session", "scope", "invitation", "sessionCode", "scans", "pass", "device", "naturalMovement"],
  next: "When every area is closed and no device holds scans, end the session. Its report opens under Reports.",
};
