import type { ProductSeed, VariantSeed } from "../catalogue.ts";
import { type ProductImage, type ProductStatus, type Quantities, STORED_QUANTITIES } from "../entities.ts";
import type { ProductChange, VariantChange } from "../events.ts";
import type { Effect, FaultMatch, FaultRequest } from "../faults.ts";
import type { Settings } from "../settings.ts";
import { ControlError, Fields } from "./fields.ts";

const STATUSES: readonly ProductStatus[] = ["ACTIVE", "ARCHIVED", "DRAFT", "UNLISTED"];
const MOMENTS = ["before", "after"] as const;

export function readQuantities(fields: Fields): Partial<Quantities> {
  const quantities: Partial<Quantities> = {};
  for (const name of STORED_QUANTITIES) if (fields.has(name)) quantities[name] = fields.integer(name);
  return quantities;
}

function readImage(fields: Fields): ProductImage | null {
  if (fields.isNull("image")) return null;
  const image = fields.object("image");
  return image.has("url")
    ? { kind: "address", url: image.text("url") }
    : { kind: "drawing", garment: image.text("garment"), colour: image.text("colour") };
}

export function readProductChange(fields: Fields): ProductChange {
  return {
    ...(fields.has("title") && { title: fields.text("title") }),
    ...(fields.has("handle") && { handle: fields.text("handle") }),
    ...(fields.has("vendor") && { vendor: fields.text("vendor") }),
    ...(fields.has("productType") && { productType: fields.text("productType") }),
    ...(fields.has("status") && { status: fields.oneOf("status", STATUSES) }),
    ...(fields.has("image") && { image: readImage(fields) }),
  };
}

export function readVariantChange(fields: Fields): VariantChange {
  return {
    ...(fields.has("title") && { title: fields.text("title") }),
    ...(fields.has("sku") && { sku: fields.textOrNull("sku") }),
    ...(fields.has("barcode") && { barcode: fields.textOrNull("barcode") }),
    ...(fields.has("options") && { options: readOptions(fields) }),
    ...(fields.has("tracked") && { tracked: fields.flag("tracked") }),
    ...(fields.has("unitCost") && { unitCost: fields.textOrNull("unitCost") }),
    ...(fields.has("requiresComponents") && { requiresComponents: fields.flag("requiresComponents") }),
  };
}

function readOptions(fields: Fields) {
  return fields.list("options").map((entry) => {
    const option = new Fields(entry);
    return { name: option.text("name"), value: option.text("value") };
  });
}

export function readVariantSeed(fields: Fields): VariantSeed {
  const stock = fields.has("stock")
    ? fields.list("stock").map((entry) => (entry === null ? null : readQuantities(new Fields(entry))))
    : null;
  return { ...readVariantChange(fields), ...(stock && { stock }) };
}

export function readProductSeed(fields: Fields): ProductSeed {
  const variants = fields.list("variants").map((entry) => readVariantSeed(new Fields(entry)));
  return { ...readProductChange(fields), title: fields.text("title"), variants };
}

/** A change of the settings. */
export function readSettings(fields: Fields): Partial<Settings> {
  return {
    ...(fields.has("replay") && { replay: fields.oneOf("replay", ["before-staleness", "after-staleness"]) }),
    ...(fields.has("staleRow") && { staleRow: fields.oneOf("staleRow", ["fails-all", "fails-itself"]) }),
    ...(fields.has("userErrorBurnsKey") && { userErrorBurnsKey: fields.flag("userErrorBurnsKey") }),
    ...(fields.has("idempotencyIgnored") && { idempotencyIgnored: fields.flag("idempotencyIgnored") }),
    ...(fields.has("compareIgnored") && { compareIgnored: fields.flag("compareIgnored") }),
    ...(fields.has("bulkDuration") && { bulkDuration: fields.integer("bulkDuration") }),
    ...(fields.has("bulkRefusal") && {
      bulkRefusal: fields.oneOf("bulkRefusal", ["OPERATION_IN_PROGRESS", "LIMIT_REACHED"]),
    }),
    ...(fields.has("maximumAvailable") && { maximumAvailable: fields.integer("maximumAvailable") }),
    ...(fields.has("restoreRate") && { restoreRate: fields.integer("restoreRate") }),
    ...(fields.has("pageReach") && { pageReach: fields.integer("pageReach") }),
    ...(fields.has("pageRows") && { pageRows: fields.integer("pageRows") }),
    ...(fields.has("searchLag") && { searchLag: fields.integer("searchLag") }),
    ...(fields.has("scopes") && { scopes: fields.text("scopes") }),
    ...(fields.has("filterIgnored") && { filterIgnored: fields.flag("filterIgnored") }),
  };
}

function readEffect(fields: Fields): Effect {
  const when = () => fields.oneOf("when", MOMENTS);
  switch (fields.text("kind")) {
    case "lost":
      return { kind: "lost", when: when() };
    case "status":
      return {
        kind: "status",
        status: fields.integer("status"),
        when: when(),
        ...(fields.has("retryAfter") && { retryAfter: fields.integer("retryAfter") }),
      };
    case "throttled":
      return { kind: "throttled" };
    case "hang":
      return {
        kind: "hang",
        when: when(),
        ...(fields.has("applyLate") && { applyLate: fields.flag("applyLate") }),
      };
    case "stale":
      return { kind: "stale", ...(fields.has("skus") && { skus: fields.texts("skus") }) };
    case "userError":
      return { kind: "userError", code: fields.text("code") };
    case "bulkFails":
      return {
        kind: "bulkFails",
        status: fields.oneOf("status", ["FAILED", "EXPIRED", "CANCELED"]),
        ...(fields.has("errorCode") && { errorCode: fields.text("errorCode") }),
      };
    default:
      throw new ControlError(400, `${fields.text("kind")} is not a kind of fault.`);
  }
}

function readMatch(fields: Fields): FaultMatch {
  return {
    ...(fields.has("operation") && { operation: fields.text("operation") }),
    ...(fields.has("field") && { field: fields.text("field") }),
    ...(fields.has("kind") && { kind: fields.oneOf("kind", ["query", "mutation"]) }),
  };
}

function readTimes(fields: Fields): number | "always" {
  return fields.value("times") === "always" ? "always" : fields.integer("times");
}

export function readFault(fields: Fields): FaultRequest {
  return {
    effect: readEffect(fields.object("effect")),
    ...(fields.has("match") && { match: readMatch(fields.object("match")) }),
    ...(fields.has("skip") && { skip: fields.integer("skip") }),
    ...(fields.has("times") && { times: readTimes(fields) }),
  };
}
