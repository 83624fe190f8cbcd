import * as z from "zod/mini";

/**
 * The closed set of error codes, each with the one HTTP status it travels under.
 * The message beside a code is a sentence for the person who sees it; clients decide by the code.
 */
export const errorStatuses = {
  VALIDATION: 400,
  UNAUTHENTICATED: 401,
  SECOND_FACTOR_REQUIRED: 401,
  CHALLENGE_OVER: 401,
  FORBIDDEN: 403,
  REAUTHENTICATION_REQUIRED: 403,
  NOT_FOUND: 404,
  NOTHING_TO_UNDO: 404,
  METHOD_NOT_ALLOWED: 405,
  AREA_AMBIGUOUS: 409,
  AREA_ASSIGNED: 409,
  AREA_BEGUN: 409,
  AREA_CLOSED: 409,
  AREA_HAS_SCANS: 409,
  DEVICE_HOLDS_ROWS: 409,
  AREA_NOT_CLOSED: 409,
  AUTHENTICATOR_SET: 409,
  BASIS_FIXED: 409,
  CHANGED_MEANWHILE: 409,
  CONFIRM_ZEROING: 409,
  COVERAGE_OPEN: 409,
  COUNT_CHANGED: 409,
  DEPLOY_RUNNING: 409,
  DIFFERENCE_SETTLED: 409,
  DUPLICATE_AREA_CODE: 409,
  INVITATION_UNDER_WAY: 409,
  MOVE_CANCELLED: 409,
  NAME_TAKEN: 409,
  NOTHING_TO_CANCEL: 409,
  NOTHING_TO_RESUME: 409,
  NOTHING_TO_ROLL_BACK: 409,
  NO_SECOND_COUNT: 409,
  NO_SECOND_FACTOR: 409,
  OPERATION_REUSED: 409,
  PACK_CODE_TAKEN: 409,
  PASSKEYS_UNAVAILABLE: 409,
  PASS_OVER: 409,
  PLAN_CHANGED: 409,
  REPORT_DEPLOYED: 409,
  REPORT_SUPERSEDED: 409,
  ROLLBACK_RUNNING: 409,
  ROW_NOT_UNCLEAR: 409,
  SAMPLE_OPEN: 409,
  SAMPLE_OVER: 409,
  SCAN_NOT_OPEN: 409,
  SECOND_COUNT_MADE: 409,
  TAG_COUNTED: 409,
  SECOND_COUNT_OPEN: 409,
  SEARCH_WITHDRAWN: 409,
  SEQ_CONFLICT: 409,
  SESSION_ACTIVE: 409,
  SESSION_CLOSED: 409,
  SESSION_ENDING: 409,
  SESSION_RELEASED: 409,
  SESSION_RESTORED: 409,
  SESSION_STARTING: 409,
  SHEET_OVER: 409,
  SHOPIFY_LOCATION_IN_USE: 409,
  SHOP_CHANGED: 409,
  STORE_INACTIVE: 409,
  TOO_MANY_UNRESOLVED: 409,
  UNCLEAR_ROWS: 409,
  USERNAME_TAKEN: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** Devices take it for a matter of the moment, so that nothing they send is given up while the session is away. */
  SESSION_ARCHIVED: 423,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  MAIL_FAILED: 502,
  PLATFORM_ERROR: 502,
  PLATFORM_UNAVAILABLE: 503,
  OVERLOADED: 503,
  STORAGE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;
export type ErrorStatus = (typeof errorStatuses)[ErrorCode];

export const errorCodes = Object.keys(errorStatuses).filter(
  (code): code is ErrorCode => code in errorStatuses,
);

/** One thing wrong in a request: the field (dotted path, "" for the whole) and a sentence. */
export const ErrorDetail = z.object({ field: z.string(), message: z.string() });
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/**
 * Why a login is over, told to the holder of its cookie alone: its invitation was revoked; its session has ended, and the time
 * for late scans too; the same person has signed in elsewhere once more than they have logins; it has run out, as every login does.
 */
export const LoginEnd = z.enum(["invitation_revoked", "session_over", "signed_in_elsewhere", "expired"]);
export type LoginEnd = z.infer<typeof LoginEnd>;

/** How a second factor can be shown: a code of an authenticator app, a passkey, a recovery code. */
export const SecondFactorMethod = z.enum(["code", "passkey", "recovery_code"]);
export type SecondFactorMethod = z.infer<typeof SecondFactorMethod>;

/** What finishes a login whose password was right: `challenge` goes with the second factor, for a few minutes. */
export const SecondFactorQuestion = z.object({
  challenge: z.string(),
  methods: z.array(SecondFactorMethod),
  expiresAt: z.string(),
});
export type SecondFactorQuestion = z.infer<typeof SecondFactorQuestion>;

/**
 * The body of every error answer. `nextSeq` comes with SEQ_CONFLICT alone: the first free sequence number; `items`,
 * `units` and `cost` with CONFIRM_ZEROING alone: what a deploy would set to zero that nobody counted.
 */
export const ErrorBody = z.object({
  error: z.string(),
  code: z.enum(errorCodes),
  details: z.optional(z.array(ErrorDetail)),
  nextSeq: z.optional(z.number()),
  /** Of an undo that names a scan, where it is known: whether the scan counts all the same. */
  countsOn: z.optional(z.boolean()),
  /** With UNAUTHENTICATED, where the call carried the cookie of a login that is over and it is known why. */
  loginEnd: z.optional(LoginEnd),
  /** With SECOND_FACTOR_REQUIRED alone. */
  secondFactor: z.optional(SecondFactorQuestion),
  items: z.optional(z.number()),
  units: z.optional(z.number()),
  cost: z.optional(z.nullable(z.number())),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
