/**
 * How the stand-in behaves where no source settles what the platform does, and how fast it is. Every field
 * can be changed while it runs.
 */
export interface Settings {
  /** Whether a used key is replayed before the compare values are checked, or only once they fit. */
  replay: "before-staleness" | "after-staleness";
  /** Whether one row with a stale compare value fails the whole call or only itself. */
  staleRow: "fails-all" | "fails-itself";
  /** Whether a call that ended in user errors uses its key up (IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED). */
  userErrorBurnsKey: boolean;
  /** The platform before enforcement: the same key is applied every time it comes. */
  idempotencyIgnored: boolean;
  /** A platform that applies a delta whatever it is compared with. */
  compareIgnored: boolean;
  /** Milliseconds that a bulk operation runs before its rows are read. */
  bulkDuration: number;
  /** The user error for a second bulk operation while one runs: it depends on the API version. */
  bulkRefusal: "OPERATION_IN_PROGRESS" | "LIMIT_REACHED";
  /** Points in the cost bucket and points restored a second: they depend on the shop's plan. */
  maximumAvailable: number;
  restoreRate: number;
  /** How many rows of a list can be paged through. */
  pageReach: number;
  /** The most rows of a page, whatever is asked for: a small shop is read in several pages by it. */
  pageRows: number;
  /** Milliseconds by which a search by updated_at runs behind: it finds a level by what it was so long ago. */
  searchLag: number;
  /** A search ignores its filter, returns every row and warns in the answer's extensions. */
  filterIgnored: boolean;
  /** What the shop has granted the app, separated by commas. Only told, not enforced. */
  scopes: string;
}
