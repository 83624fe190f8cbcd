import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "How far the counts can be trusted: closed areas are counted once more, those that you choose or some that are drawn by lot. Nobody who counts is told so.",
  terms: ["area", "secondCount", "controlSample"],
  next: "Have an area counted a second time, or draw a sample. Where no two counts agree, choose the right one under Figures to Choose.",
};

export const countAgainHelp: HelpText = {
  about:
    "SKUs that differ from Shopify's stock and show a sign of a mistake, each with its reasons. What is most at stake comes first.",
  terms: ["atStake", "tolerance", "secondCount", "followUp"],
  next: "While the session runs, select SKUs and have them counted a second time. Once it has ended, start a follow-up of them, or correct their counts in the report.",
};
