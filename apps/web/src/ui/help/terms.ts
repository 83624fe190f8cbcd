/** The words that an administrator meets, each explained once; docs/GLOSSARY.md has them all. */
export const terms = {
  store: ["Store", "A shop of your brand, as you set it up here."],
  shopifyLocation: [
    "Shopify location",
    "The place in Shopify whose stock the store sells from. Counts are compared with it, and a deploy changes it.",
  ],
  location: ["Location", "A part of a store, such as the sales floor or the stockroom. It holds areas."],
  area: ["Area", "What one person counts in one go: a shelf, a rack, a table. It has a code and a name."],
  session: ["Session", "One count of one store, from the moment you start it until you end it."],
  scope: [
    "Scope",
    "A full count covers everything the store stocks, so what nobody counted is missing. A partial count covers only what was counted.",
  ],
  invitation: [
    "Invitation",
    "A link by which one person counts in one session, without a password. It ends with the session.",
  ],
  sessionCode: [
    "Session code",
    "A QR code by which people ask to join a session. They count once you have admitted them.",
  ],
  scans: [
    "Scans",
    "Units that count now, whoever scanned them: one for a scan, as many as its quantity or its pack says. What was undone or recounted, what waits as late or unknown, and second counts are not among them. What a device holds and what waits for a decision is told scan by scan.",
  ],
  pass: [
    "Pass",
    "One attempt at counting an area. A reset, a reopening or a total that does not match begins the next one from zero; nothing is erased for good.",
  ],
  unresolved: ["Unresolved scan", "Its code fits no product, or several."],
  late: ["Late scan", "It arrived after its pass, its area or its session had ended."],
  secondCount: [
    "Second count",
    "A closed area, or some SKUs in it, counted once more by somebody else, who is not told so. Where the two differ, a third person counts.",
  ],
  controlSample: [
    "Control sample",
    "Closed areas drawn by lot, which others count again. What they find says how many areas can be wrong at most.",
  ],
  tolerance: [
    "Tolerance",
    "What a SKU may differ by from Shopify before a second count of its areas is asked for. It is a store's, or a session's in its place.",
  ],
  atStake: ["At stake", "What a SKU's difference is worth at its cost, whether it is over or short."],
  followUp: ["Follow-up", "A session of some SKUs of another that has ended. Only these are in its report."],
  neverCounted: ["Never counted", "What Shopify has in stock and of which no scan counts."],
  searchList: [
    "Search list",
    "SKUs that nobody has counted, for somebody to look for. What they answer, found or not there, counts nothing.",
  ],
  contradicted: [
    "Contradicted",
    "People say different things of a SKU that was looked for, its stock changed after somebody had looked, a scan of it waits, or somebody scanned it in a second count that settles nothing of it. Until that is decided it counts as not searched for.",
  ],
  certificate: [
    "Coverage certificate",
    "Says of an ended session that nothing is open. A change of what it says makes the next version.",
  ],
  voidArea: [
    "Void area",
    "Not counted in this session on purpose, with a reason. A scan in it opens it again.",
  ],
  leftAlone: [
    "Left alone",
    "Stock that is neither counted nor searched for on purpose, with a reason. It stays as it is.",
  ],
  countSheet: [
    "Count sheet",
    "A numbered sheet of paper for counting an area blind. It is out until it is keyed or declared void.",
  ],
  onHand: [
    "On hand (ON_HAND)",
    "What Shopify says should be on the shelf: available, and sold but not yet sent.",
  ],
  naturalMovement: [
    "Natural movement",
    "What was sold, returned or received while the session ran: stock at its end less stock at its start.",
  ],
  variance: ["Variance", "Counted less on hand. A deploy changes Shopify's stock by just this."],
  basis: [
    "Compared with",
    "The stock when the session ended, or the stock at the moment a product was counted. The second is for counting while you sell.",
  ],
  uncertain: [
    "Uncertain",
    "The stock moved while the product was counted, so nobody can tell the variance for sure. It is not deployed until you decide.",
  ],
  deploy: [
    "Deploy and rollback",
    "A deploy changes Shopify's stock by the variances, once. A rollback changes it back by just what was deployed.",
  ],
  counter: [
    "Counter",
    "Somebody who scans. Temporary counters come by an invitation and see one session; permanent ones have a password.",
  ],
  device: [
    "Device",
    "The browser of a phone or handheld. It keeps its scans while there is no network and sends them later, each once.",
  ],
  auditHash: [
    "Audit hash",
    "A fingerprint of the audit log. Each entry holds the fingerprint of the one before, so that no change of the past goes unnoticed. It is printed with the report.",
  ],
} as const satisfies Record<string, readonly [name: string, meaning: string]>;

export type Term = keyof typeof terms;
