import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Start a count, let people join it, follow how far it is, and end it. The start and the end read Shopify's stock; you can go on selling meanwhile. A session can be planned beforehand: nobody is told of it until you start it.",
  terms: ["session", "scope", "invitation", "sessionCode", "scans", "pass", "device", "naturalMovement"],
  next: "When every area is closed and no device holds scans, end the session. Its report opens under Reports.",
};

export const wallHelp: HelpText = {
  about:
    "For a screen in the stockroom: how far the count is, who counts where and what is to be counted again, to be read from five metres. It shows no stock of Shopify's, and renews itself. What does not fit comes on the next page every ten seconds; Pause keeps one.",
  terms: ["session", "area", "scans", "device"],
  next: "Leave it open until every area is completed. Ask whoever is named at an area that waits to be counted again. The session is ended on the page Sessions.",
};
