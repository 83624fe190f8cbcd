import type { HelpText } from "../../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Paper for counting when devices fail. Each sheet has a number and lists what was counted in its area before, without any figure, so that whoever counts on it counts blind. Every sheet comes back and is keyed, or is declared void.",
  terms: ["countSheet", "area", "session", "counter"],
  next: "Choose areas and print their sheets. When one is back, type its number and key what is on it: from the paper itself or from a photo that somebody sent you; the photo need not be uploaded. Then finish the area on a phone with its total.",
};

export const printHelp: HelpText = {
  about:
    "The count sheets as they are printed, with their number on every page. What is back already, or void, is left out.",
  terms: ["countSheet", "area", "counter"],
  next: "Print them and hand each to whoever counts its area. When one is back, go to Count Sheets, type its number and key it.",
};
