import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Divide a store into areas small enough that one person counts one in about ten minutes. Each is closed by declaring how many items were scanned there.",
  terms: ["location", "area", "pass"],
  next: "Print the area labels and put them up, so that a scan opens the right area. Then start a session under Sessions.",
};
