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
