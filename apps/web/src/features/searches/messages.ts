import { countText, quantityText } from "../../ui/formats.ts";

const skus = (count: number) => countText(count, "SKU", "SKUs");

/** Texts about having looked for what nobody counted. */
export const messages = {
  title: "Never Counted",
  subtitle: (store: string) => `What Shopify has at ${store} and nobody has scanned so far`,
  back: "Back to Sessions",
  toReport: "Go to the Report",
  missing: "No Such Session",
  missingText: "It may have been deleted. Go back and choose another one.",
  failed: "Failed to fetch data",
  intro:
    "Have it looked for while people are on the floor. A search list goes to a counter's phone: each product is found, and then scanned, or not there. What is not there can be set to zero by the deploy without typing a number.",
  ended:
    "The session has ended, so nothing can be looked for any more. The report shows what was never counted.",
  neverCounted: {
    heading: (items: string) => `${items} Never Counted`,
    sums: (unlisted: number, notThere: number) =>
      `Nobody was asked to look for ${skus(unlisted)} of them. ${skus(notThere)} ${notThere === 1 ? "was" : "were"} looked for and ${notThere === 1 ? "is" : "are"} not there.`,
    contradicted: (count: number) =>
      `${skus(count)} ${count === 1 ? "is" : "are"} contradicted: people say different things, stock changed after somebody had looked, somebody scanned it in a second count or in one that was voided, or a scan waits for a decision. Until that is decided ${count === 1 ? "it counts" : "they count"} as not searched for.`,
    filters: "What to show",
    brand: "Brand",
    everyBrand: "All brands",
    type: "Product Type",
    everyType: "All types",
    area: "Expected in Area",
    everyArea: "All areas",
    areaNote: (code: string) =>
      `Expected in ${code}: another variant of its product was counted there in this session, or it was counted there itself in the last session that counted ${code} and has ended. It may lie elsewhere.`,
    state: "Search",
    states: {
      unlisted: "Nobody was asked",
      any: "All",
      open: "No answer yet",
      found: "Found, not scanned yet",
      not_there: "Looked, not there",
      contradicted: "Contradicted",
    },
    words: "Words in Product, Size or SKU",
    option: (name: string, items: number) => `${name} (${quantityText(items)})`,
    none: "Nothing Here",
    noneText: "Nothing that was never counted fits what is chosen above.",
    select: (name: string) => `Select ${name}`,
    tooMany: (most: number) => `At most ${quantityText(most)} at once. Choose by brand or type instead.`,
    listSelected: (count: number) => `Make Lists of ${skus(count)}`,
    listAll: (count: number) => `Make Lists of All ${skus(count)}`,
    rowMessages: ["SKU", "SKUs"],
    table: "What was never counted",
    product: "Product",
    brandHeader: "Brand",
    onHand: "Shopify Has",
    worth: "Worth",
    search: "Search",
    notAsked: "Nobody was asked",
    unknownCost: "unknown",
  },
  make: {
    title: (count: string) => `Search lists of ${count}`,
    itemsPerList: "Products per list",
    itemsPerListNote: (lists: number) =>
      `That makes ${countText(lists, "list", "lists")}, of products that are beside each other.`,
    boundNote: (lists: number, left: number) =>
      `That makes ${countText(lists, "list", "lists")}, which is the most in one go. ${skus(left)} ${left === 1 ? "stays" : "stay"} on no list: make lists once more, or have more products on each.`,
    itemsPerListProblem: (most: number) => `Enter a whole number from 1 to ${quantityText(most)}.`,
    area: "Where to look",
    anywhere: "Anywhere in the store",
    closedArea: (code: string) =>
      `${code} is closed: what is found there is scanned in another area that is open. The phone says which.`,
    noneOpen: "Every area is closed",
    noneOpenText:
      "What is found can't be scanned then. Add an area for it first, for example FOUND, or reopen one.",
    toLocations: "Go to Locations",
    person: "Who looks",
    anybody: "Anybody who counts",
    note: "Counters see the products, never how many there should be.",
    submit: "Make the Lists",
    busy: "Making…",
    failed: "Failed to make the lists",
    made: (lists: number) => `${countText(lists, "search list was", "search lists were")} made.`,
    none: "No list was made: all of it has been counted meanwhile, or is on a list.",
    leftOut: (count: number) =>
      ` ${skus(count)} ${count === 1 ? "was" : "were"} left out: counted meanwhile, or not in stock.`,
    remaining: (count: number) =>
      ` ${skus(count)} ${count === 1 ? "is" : "are"} still on no list: make lists once more.`,
  },
  lists: {
    heading: "Search Lists",
    none: "No Search Lists Yet",
    noneText: "Make one of what was never counted.",
    name: (number: number) => `List ${number}`,
    who: (name: string | null) => name ?? "Anybody",
    where: (code: string | null, location: string | null) =>
      code === null ? "Anywhere" : `Area ${code}, ${location ?? ""}`,
    progress: (done: number, items: number) => `${quantityText(done)} of ${quantityText(items)} done`,
    figures: {
      counted: "counted",
      found: "found, not scanned",
      notThere: "not there",
      contradicted: "contradicted",
      open: "open",
    },
    withdrawn: (by: string | null, at: string) => `Taken back by ${by ?? "the server"}, ${at}`,
    made: (by: string, at: string) => `Made by ${by}, ${at}`,
    open: (number: number) => `See the answers of list ${number}`,
    openLabel: "See the Answers",
    takeBack: "Take Back",
    takeBackFor: (number: number) => `Take Back list ${number}`,
    takeBackTitle: (number: number) => `Take search list ${number} back?`,
    takeBackText: "Nobody sees it any more. What was answered on it is kept.",
    takeBackFailed: "Failed to take the list back",
    rowMessages: ["list", "lists"],
    items: "Products of the list",
    close: "Close",
  },
} as const;
