import { STORED_QUANTITIES, type StoredQuantity, type UserError, type Variant } from "../entities.ts";
import type { Settings } from "../settings.ts";
import type { Store } from "../store.ts";

interface ChangeInput {
  readonly inventoryItemId: string;
  readonly locationId: string;
  readonly delta: number;
  /** Absent is refused before; null compares with nothing. */
  readonly changeFromQuantity?: number | null;
  readonly ledgerDocumentUri?: string | null;
}

export interface AdjustInput {
  readonly name: string;
  readonly reason: string;
  readonly referenceDocumentUri?: string | null;
  readonly changes: readonly ChangeInput[];
}

/** A change whose item and location exist. */
export interface FoundChange extends ChangeInput {
  readonly index: number;
  readonly variant: Variant;
  /** The named quantity before the call; 0 where the item was never stocked. */
  readonly before: number;
}

const ADJUSTABLE: readonly StoredQuantity[] = STORED_QUANTITIES.filter((name) => name !== "committed");

const REASONS = [
  "correction",
  "cycle_count_available",
  "damaged",
  "movement_canceled",
  "movement_created",
  "movement_received",
  "movement_updated",
  "other",
  "promotion",
  "quality_control",
  "received",
  "reservation_created",
  "reservation_deleted",
  "reservation_updated",
  "restock",
  "safety_stock",
  "shrinkage",
];

/** The furthest a quantity may get from zero, by the schema's description of the two error codes. */
const QUANTITY_LIMIT = 2_000_000_000;

const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:\S+$/i;

function adjustableName(name: string): StoredQuantity | null {
  return ADJUSTABLE.find((adjustable) => adjustable === name) ?? null;
}

function rowError(index: number, field: string, code: string, message: string): UserError {
  return { code, field: ["input", "changes", String(index), field], message };
}

/** Errors of the name, the reason and the reference: any of them stops the call before its rows. */
function inputErrors(input: AdjustInput): UserError[] {
  const errors: UserError[] = [];
  if (!adjustableName(input.name)) {
    const message = `The specified quantity name is invalid. Valid values are: ${ADJUSTABLE.join(", ")}.`;
    errors.push({ code: "INVALID_QUANTITY_NAME", field: ["input", "name"], message });
  }
  if (!REASONS.includes(input.reason)) {
    const message = `The specified reason is invalid. Valid values are: ${REASONS.join(", ")}.`;
    errors.push({ code: "INVALID_REASON", field: ["input", "reason"], message });
  }
  if (typeof input.referenceDocumentUri === "string" && !ABSOLUTE_URI.test(input.referenceDocumentUri)) {
    const message = "The specified reference document is invalid.";
    errors.push({ code: "INVALID_REFERENCE_DOCUMENT", field: ["input", "referenceDocumentUri"], message });
  }
  return errors;
}

function ledgerError(name: string, { ledgerDocumentUri }: ChangeInput): [string, string] | null {
  const given = typeof ledgerDocumentUri === "string";
  if (name === "available") {
    return given
      ? ["INVALID_AVAILABLE_DOCUMENT", "A ledger document URI is not allowed when adjusting available."]
      : null;
  }
  if (!given) {
    return [
      "INVALID_QUANTITY_DOCUMENT",
      "A ledger document URI is required except when adjusting available.",
    ];
  }
  if (ledgerDocumentUri.startsWith("gid://shopify/")) {
    const message = "Internal (gid://shopify/) ledger documents are not allowed to be adjusted via API.";
    return ["INTERNAL_LEDGER_DOCUMENT", message];
  }
  return ABSOLUTE_URI.test(ledgerDocumentUri)
    ? null
    : ["INVALID_LEDGER_DOCUMENT", "The specified ledger document is invalid."];
}

function ledgerErrors(input: AdjustInput): UserError[] {
  const errors = input.changes.flatMap((change, index) => {
    const found = ledgerError(input.name, change);
    return found ? [rowError(index, "ledgerDocumentUri", ...found)] : [];
  });
  const documents = new Set(input.changes.map((change) => change.ledgerDocumentUri ?? null));
  if (errors.length > 0 || documents.size <= 1) return errors;
  const message =
    "All changes must have the same ledger document URI or, in the case of adjusting available, no ledger document URI.";
  return [{ code: "MAX_ONE_LEDGER_DOCUMENT", field: ["input", "changes"], message }];
}

/** Looks up every row's item and location; with any unknown one only errors come back. */
function findRows(
  store: Store,
  name: StoredQuantity,
  changes: readonly ChangeInput[],
): { rows: FoundChange[]; errors: UserError[] } {
  const rows: FoundChange[] = [];
  const errors: UserError[] = [];
  changes.forEach((change, index) => {
    const variant = store.items.get(change.inventoryItemId);
    const location = store.location(change.locationId);
    if (!variant) {
      const message = "The specified inventory item could not be found.";
      errors.push(rowError(index, "inventoryItemId", "INVALID_INVENTORY_ITEM", message));
    }
    if (!location) {
      errors.push(
        rowError(index, "locationId", "INVALID_LOCATION", "The specified location could not be found."),
      );
    }
    if (!variant || !location) return;
    const before = store.level(variant, location.id)?.quantities[name] ?? 0;
    rows.push({ ...change, index, variant, before });
  });
  return { rows, errors };
}

/** Errors of rows that exist: bundles, and quantities out of bounds. */
function rowErrors(rows: readonly FoundChange[]): UserError[] {
  return rows.flatMap(({ index, variant, before, delta }) => {
    if (variant.requiresComponents) {
      const message = "The specified inventory item is not allowed to be adjusted via API.";
      return [rowError(index, "inventoryItemId", "NON_MUTABLE_INVENTORY_ITEM", message)];
    }
    if (before + delta > QUANTITY_LIMIT) {
      const message = "The quantity can't be higher than 2,000,000,000.";
      return [rowError(index, "delta", "INVALID_QUANTITY_TOO_HIGH", message)];
    }
    if (before + delta < -QUANTITY_LIMIT) {
      const message = "The quantity can't be lower than -2,000,000,000.";
      return [rowError(index, "delta", "INVALID_QUANTITY_TOO_LOW", message)];
    }
    return [];
  });
}

/** The rows whose compare value no longer fits, or that a fault declares stale. */
function staleRows(rows: readonly FoundChange[], declaredStale: (sku: string | null) => boolean) {
  return rows.filter(
    ({ changeFromQuantity, before, variant }) =>
      typeof changeFromQuantity === "number" && (changeFromQuantity !== before || declaredStale(variant.sku)),
  );
}

function staleError({ index }: FoundChange): UserError {
  const message = "The changeFromQuantity argument no longer matches the persisted quantity.";
  return rowError(index, "changeFromQuantity", "CHANGE_FROM_QUANTITY_STALE", message);
}

interface RuleEnvironment {
  readonly store: Store;
  readonly settings: Readonly<Settings>;
  /** Whether a fault makes the compare values of this call's SKUs stale. */
  readonly consumeStale: (skus: readonly (string | null)[]) => (sku: string | null) => boolean;
}

export type Decision =
  | { readonly kind: "refused"; readonly errors: readonly UserError[] }
  | {
      readonly kind: "accepted";
      readonly name: StoredQuantity;
      readonly rows: FoundChange[];
      readonly stale: UserError[];
    };

function refused(errors: readonly UserError[]): Decision {
  return { kind: "refused", errors };
}

/** The rules in the platform's order: the errors of one kind hide those of the later ones. */
export function decide(input: AdjustInput, { store, settings, consumeStale }: RuleEnvironment): Decision {
  const name = adjustableName(input.name);
  const general = inputErrors(input);
  if (!name || general.length > 0) return refused(general);
  const ledger = ledgerErrors(input);
  if (ledger.length > 0) return refused(ledger);
  const { rows, errors } = findRows(store, name, input.changes);
  if (errors.length > 0) return refused(errors);
  const impossible = rowErrors(rows);
  if (impossible.length > 0) return refused(impossible);
  const declaredStale = consumeStale(rows.map((row) => row.variant.sku));
  const stale = settings.compareIgnored ? [] : staleRows(rows, declaredStale);
  const staleErrors = stale.map(staleError);
  if (stale.length > 0 && settings.staleRow === "fails-all") return refused(staleErrors);
  return { kind: "accepted", name, rows: rows.filter((row) => !stale.includes(row)), stale: staleErrors };
}
