import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about: "Who counts: people with an account of their own, and people invited to a session that runs.",
  terms: ["counter", "invitation", "sessionCode"],
  next: "For one evening, invite people under Sessions instead. Give an account to those who count again and again.",
};
