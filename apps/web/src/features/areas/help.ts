import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Divide a store into areas small enough that one person counts one in about ten minutes. Each is closed by declaring how many items were scanned there.",
  terms: ["location", "area", "pass"],
  next: "Print the area labels and put them up, so that a scan opens the right area. Then start a session under Sessions.",
};

export const labelsHelp: HelpText = {
  about:
    "A label for each area of the location. Whoever scans one opens its area, without looking for it in a list.",
  terms: ["location", "area"],
  next: "Print the labels, cut them out and put each up in its area. Then start a session under Sessions.",
};
