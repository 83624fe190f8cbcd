import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about: "How many stores you have, what is being counted now, and whether everything works.",
  terms: ["store", "session", "scans", "counter", "device"],
  next: "New here? Add a store, then its locations and areas, then start a session and invite people to count. The report is ready when you end the session.",
};
