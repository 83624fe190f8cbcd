import type { SearchAnswer, SearchTask } from "@stocktake/contract";
import { areaText, countText } from "../../../ui/formats.ts";
import type { WhereToScan } from "./where-to-scan.ts";

const answers: Record<SearchAnswer, string> = { found: "Found", not_there: "Not There" };

/** So many codes are worth reading; any of them will do. */
const codesNamed = 3;

/** Where to scan what was found, in words. */
function scanText({ own, others }: WhereToScan): string {
  if (own === "open") return "Now scan it in its area.";
  if (own === "others")
    return "Leave it where it lies: its area is assigned to somebody else, who counts it there.";
  const named = new Intl.ListFormat("en", { type: "disjunction" }).format(others.slice(0, codesNamed));
  const elsewhere =
    others.length === 0
      ? "Tell the administrator to add an area for what is found."
      : `Scan it in area ${named}.`;
  if (own === "closed") return elsewhere;
  return `Now scan it in the area where it lies. If that one is closed: ${elsewhere.charAt(0).toLowerCase()}${elsewhere.slice(1)}`;
}

/** Where to look, in words. */
function placeText(area: SearchTask["area"]): string {
  return area === null
    ? "Look anywhere in the store."
    : `Look in area ${areaText(area.code, area.name, "-")}, ${area.locationName}.`;
}

export const messages = {
  answers,
  placeText,
  ask: (items: number) => `Please find ${items === 1 ? "this product" : `these ${items} products`}`,
  mine: "This list is for you.",
  done: (done: number, items: number) => `${done} of ${items} done.`,
  open: "Open the List",
  more: (lists: number) => `${countText(lists, "more search list", "more search lists")}.`,
  allShown: (lists: number) => `All ${countText(lists, "search list", "search lists")}.`,
  showAll: "Show All Lists",
  showFewer: "Show Fewer Lists",
  title: (number: string) => `Search List ${number}`,
  list: "Products to look for",
  howTo:
    "Nobody has counted these yet. Look for each one. Found it? Touch Found, then scan it as always, in its area or where the list says: it is ticked off once it is scanned. Looked and it isn't there? Touch Not There.",
  change: "You can change an answer until the count ends.",
  online: "Answers need a connection, scans don't.",
  offlineTitle: "No connection",
  offline: "You can go on looking. Answers can't be sent until you are back online.",
  stored: "This is the list as this device had it last.",
  scanned: "Scanned. Nothing left to do.",
  scanText,
  notThere: "You looked, and it isn't there.",
  others: (others: readonly { readonly username: string; readonly answer: SearchAnswer }[]) =>
    others.map(({ username, answer }) => `${username}: ${answers[answer]}`).join(", "),
  notSent: (answer: SearchAnswer) => `Not sent: ${answers[answer]}. Stay on this page and send it again.`,
  notKept: (answer: SearchAnswer) => `Not kept: ${answers[answer]}.`,
  overtaken: (said: SearchAnswer, kept: SearchAnswer) =>
    `Not kept: ${answers[said]}. You answered ${answers[kept]} after it, and that is kept. Touch the right answer if that is wrong.`,
  lost: (sku: string, answer: SearchAnswer) => `Not kept: ${sku} ${answers[answer]}. Tell the administrator.`,
  sendAgain: "Send Again",
  failedAnswer: "Failed to send the answer",
  failed: "Failed to fetch the search list",
  gone: "This list is not there any more",
  goneText: "The administrator has taken it back, or it is for somebody else. What you answered is kept.",
  back: "Back to the Dashboard",
  sku: (sku: string) => `SKU ${sku}`,
  left: (open: number) =>
    open === 0 ? "All done, thank you." : `${countText(open, "product", "products")} to go.`,
} as const;
