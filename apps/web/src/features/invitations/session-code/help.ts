import type { HelpText } from "../../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "One code for everybody, in the place of an invitation for each. Whoever reads it with a phone gives a name, and counts once you have admitted them.",
  terms: ["sessionCode", "session", "counter"],
  next: "Open a code, show or print it where people arrive, and admit those you know. Close it when everybody is here: those who count go on counting.",
};
