/** The longest SKU that Shopify takes. */
const shopifySku = 255;
/** The digits of the largest number that 64 bits hold. */
const variantNumberDigits = 20;

/** Every length and count that the contract limits, in characters (code points), items or bytes. Written nowhere else. */
export const limits = {
  name: 100,
  areaCode: 32,
  scanInput: 128,
  /**
   * A SKU with our mark, "#" and the variant number, where it is empty or shared. A second mark is only added where the
   * first text is another variant's own SKU, which is no longer than Shopify's longest. Also the limit of a scan's input
   * that is a SKU.
   */
  sku: shopifySku + 1 + variantNumberDigits,
  shopifyLocationId: 128,
  deviceId: 128,
  /** Characters of a device's key. */
  deviceKey: 128,
  reason: 500,
  /** What a preview names its plan by, which goes back with the press that follows. */
  plan: 64,
  email: 254,
  passwordMinimum: 6,
  passwordMaximum: 200,
  /** A code of an authenticator app, a recovery code, or the challenge that goes with it. */
  secondFactorCode: 100,
  /** Each part of what a browser tells of a passkey; the largest are the attestations of security keys. */
  passkeyPart: 16_384,
  /** The ways by which a passkey can be reached, and how long the word for one is. */
  passkeyTransports: 10,
  passkeyTransport: 32,
  quantity: 1_000_000,
  /** Units that one scan may count. */
  scanQuantity: 9_999,
  areasPerCall: 500,
  devicesPerCall: 500,
  /** People whom one list invites, and whom a list of earlier counters offers. */
  invitationsPerList: 200,
  /**
   * How many may wait at one session code, and of them from one address, and how often may be asked by one code and from one
   * address in a quarter of an hour. A shop's phones mostly share an address; one address alone never fills a code.
   */
  waitingPerCode: 200,
  waitingPerAddress: 40,
  asksPerCode: 600,
  asksPerAddress: 60,
  /** Areas that a planned session names: a large store has some hundred. */
  areasPerPlan: 5_000,
  scansPerCall: 500,
  /** Rows of a file of counts in one call, and the characters of a cell: an e-mail address is the longest. */
  countRowsPerCall: 2_000,
  countCell: 254,
  /**
   * Areas whose count sheets are made in one go; lines of a page, for A4 and Letter alike; products of one sheet, which is ten pages;
   * blank pages that may be added; and what can be keyed from the blank lines of one.
   */
  sheetAreas: 200,
  sheetLinesPerPage: 22,
  sheetProducts: 220,
  sheetBlankPages: 10,
  sheetEntries: 500,
  /** Of a limit of a tolerance, in the shop's currency and in per cent. */
  toleranceMoney: 1_000_000_000,
  tolerancePercent: 1_000,
  /** SKUs of a list that is counted a second time in an area, or anew in a session of its own. */
  skusToCountAgain: 200,
  /** SKUs of one search list, and lists that are made in one go. */
  searchItems: 200,
  searchLists: 100,
  /** How often one person's answer about a SKU may change before they have to leave it for an hour. */
  searchAnswers: 20,
  /** How long ago an answer may have been said that waited for a connection: said earlier than that, it is told as this. */
  searchAnswerAgeMs: 30 * 24 * 60 * 60 * 1_000,
  /** A brand or a product type of the shop. */
  productText: 255,
  packsPerCall: 500,
  /** Every device holds all of them. */
  packs: 20_000,
  skusPerCall: 500,
  /** Areas and people that are named of the waiting scans of one code. */
  groupedNames: 20,
  previewRows: 500,
  /** Passes that one row's explanation names, and of each of them the people and devices; more than any SKU is counted in. */
  explainedPasses: 500,
  explainedCounters: 20,
  /** SKUs that one release names as moved already. */
  releasedSkus: 20_000,
  /**
   * Scans without a product that may wait for the administrator, of one sender and of a session. A person scans some
   * thousand codes a day, of which a handful fit no product; even a shop whose barcodes are mostly missing stays below,
   * and its administrator could not decide about more.
   */
  unresolvedPerPerson: 5_000,
  unresolvedPerSession: 20_000,
  /** Devices of one person in a session that are known to its progress, the last ones heard of, and of the session. */
  devicesPerPerson: 100,
  devicesPerSession: 1_000,
  /** Entries of a list that can be long, in one answer. */
  itemsPerPage: 1_000,
  /** Characters of a cursor: it may hold a SKU. */
  cursor: 2_000,
  /** The largest that PostgreSQL's integer holds. */
  pass: 2_147_483_647,
  bodyBytes: 1_048_576,
  /**
   * The highest sequence number that a device counts up to. A scan may carry any safe integer and is stored under it, but
   * one beyond this was made up: taken as the device's last, it would leave no number for the next scan, and anybody in
   * the session could stop another's device with it.
   */
  runningSequence: 2 ** 52,
} as const;

/** Constants of the counting floor that both sides use (specification, section 9). */
export const countingConstants = {
  scanDebounceMs: 1000,
  recentScans: 5,
  shortCodeMinimum: 4,
  shortCodeMaximum: 8,
  refocusMs: 100,
  missingDataRedirectMs: 2000,
  areaCompleteRedirectMs: 3000,
  locationPreselectMs: 1000,
  adminLoginRedirectMs: 100,
  recentSessions: 5,
  bulkAreaRows: 7,
} as const;
