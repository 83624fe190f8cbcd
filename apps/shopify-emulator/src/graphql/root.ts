import { GraphQLError, type GraphQLSchema } from "graphql";
import { type ActivateInput, activate } from "../adjusting/activate.ts";
import { adjustQuantities, type CallKey } from "../adjusting/adjust.ts";
import type { AdjustInput } from "../adjusting/rules.ts";
import type { BulkOperation, BulkOperations } from "../bulk/operations.ts";
import type { Clock } from "../clock.ts";
import type { Variant } from "../entities.ts";
import type { Faults } from "../faults.ts";
import { gidDigits, readGid } from "../gid.ts";
import type { Settings } from "../settings.ts";
import { GroupView } from "./group-view.ts";
import { MAXIMUM_ROWS, type PageArguments, paginate } from "./paging.ts";
import { searchFilter } from "./search.ts";
import {
  ItemView,
  isoSeconds,
  LevelView,
  LocationView,
  locationView,
  ProductView,
  type SearchWarning,
  VariantView,
  type ViewContext,
} from "./views.ts";

export interface CallContext extends ViewContext {
  readonly clock: Clock;
  readonly settings: Readonly<Settings>;
  readonly faults: Faults;
  readonly bulk: BulkOperations;
  readonly callKey: CallKey;
  /** What the call's searches have ignored. */
  readonly searchWarnings: readonly SearchWarning[];
}

interface SearchArguments extends PageArguments {
  readonly query?: string | null;
}

function searchable(variant: Variant) {
  return {
    id: gidDigits(variant.id),
    product_id: gidDigits(variant.productId),
    sku: variant.sku,
    barcode: variant.barcode,
  };
}

function matching(query: string | null | undefined, context: ViewContext): Variant[] {
  const variants = [...context.store.variants.values()];
  if (!query) return variants;
  const matches = searchFilter(query);
  return variants.filter((variant) => matches(searchable(variant)));
}

/** What a bulk operation reads: the same fields, with whole lists (`every…`) instead of pages. */
export class BulkRoot {
  protected readonly context: ViewContext;

  constructor(context: ViewContext) {
    this.context = context;
  }

  *everyProductVariants({ query }: SearchArguments) {
    for (const variant of matching(query, this.context)) yield new VariantView(variant, this.context);
  }

  *everyLocations({ includeInactive }: { includeInactive?: boolean | null }) {
    for (const location of this.context.store.locations) {
      if (location.isActive || includeInactive) yield new LocationView(location, this.context);
    }
  }
}

/** The fields of QueryRoot. */
class QueryRoot {
  private readonly context: CallContext;

  constructor(context: CallContext) {
    this.context = context;
  }

  shop() {
    return this.context.store.shop;
  }

  currentAppInstallation() {
    return { accessScopes: this.context.settings.scopes.split(",").map((handle) => ({ handle })) };
  }

  location({ id }: { id?: string | null }) {
    const first = this.context.store.locations[0]?.id ?? "";
    return locationView(id ?? first, this.context);
  }

  locations(args: PageArguments & { includeInactive?: boolean | null }) {
    return paginate(
      {
        rows: this.context.store.locations.filter((location) => location.isActive || args.includeInactive),
        sequence: (location) => location.position,
        node: (location) => new LocationView(location, this.context),
        reach: this.context.pageReach,
        pageRows: this.context.pageRows,
      },
      args,
    );
  }

  productVariants(args: SearchArguments) {
    return paginate(
      {
        rows: matching(args.query, this.context),
        sequence: (variant) => variant.sequence,
        node: (variant) => new VariantView(variant, this.context),
        reach: this.context.pageReach,
        pageRows: this.context.pageRows,
      },
      args,
    );
  }

  productVariantsCount({ limit, query }: { limit?: number | null; query?: string | null }) {
    const count = matching(query, this.context).length;
    const stops = typeof limit === "number" && count > limit;
    return { count: stops ? limit : count, precision: stops ? "AT_LEAST" : "EXACT" };
  }

  bulkOperation({ id }: { id: string }) {
    const operation = this.context.bulk.get(id);
    return operation ? new BulkOperationView(operation, this.context) : null;
  }

  currentBulkOperation() {
    const operation = this.context.bulk.latest();
    return operation ? new BulkOperationView(operation, this.context) : null;
  }

  node({ id }: { id: string }) {
    return this.entity(id);
  }

  nodes({ ids }: { ids: readonly string[] }) {
    if (ids.length > MAXIMUM_ROWS) {
      const message = `The input array size of ${ids.length} is greater than the maximum allowed of ${MAXIMUM_ROWS}.`;
      throw new GraphQLError(message, { extensions: { code: "MAX_INPUT_SIZE_EXCEEDED" } });
    }
    return ids.map((id) => this.entity(id));
  }

  private entity(id: string) {
    const { store, bulk } = this.context;
    const variant = store.variants.get(id);
    const item = store.items.get(id);
    const product = store.products.get(id);
    const group = store.groups.get(id);
    switch (readGid(id)?.type) {
      case "ProductVariant":
        return variant ? new VariantView(variant, this.context) : null;
      case "InventoryItem":
        return item ? new ItemView(item, this.context) : null;
      case "Product":
        return product ? new ProductView(product, this.context) : null;
      case "InventoryAdjustmentGroup":
        return group ? new GroupView(group, this.context) : null;
      case "Location":
        return locationView(id, this.context);
      case "BulkOperation": {
        const operation = bulk.get(id);
        return operation ? new BulkOperationView(operation, this.context) : null;
      }
      case undefined:
        throw new GraphQLError(`Invalid global id '${id}'`, { extensions: { code: "BAD_USER_INPUT" } });
      default:
        return null;
    }
  }
}

/** The fields of Mutation. */
class MutationRoot {
  private readonly context: CallContext;

  constructor(context: CallContext) {
    this.context = context;
  }

  inventoryAdjustQuantities({ input }: { input: AdjustInput }) {
    const { store, settings, clock, callKey, faults } = this.context;
    const consumeStale = (skus: readonly (string | null)[]) => faults.consumeStale(skus);
    const consumeUserError = () => faults.consumeUserError();
    const environment = { store, settings, now: clock(), callKey, consumeStale, consumeUserError };
    const outcome = adjustQuantities(input, environment);
    return {
      inventoryAdjustmentGroup: outcome.group ? new GroupView(outcome.group, this.context) : null,
      userErrors: outcome.userErrors,
    };
  }

  inventoryActivate(input: ActivateInput) {
    const { store, clock, callKey } = this.context;
    const { variant, level, userErrors } = activate(input, { store, now: clock(), key: callKey.key });
    const inventoryLevel = variant && level ? new LevelView(variant, level, this.context) : null;
    return { inventoryLevel, userErrors };
  }

  bulkOperationRunQuery({ query }: { query: string }) {
    const started = this.context.bulk.start(query);
    return { bulkOperation: this.bulkView(started.operation), userErrors: started.userErrors };
  }

  bulkOperationCancel({ id }: { id: string }) {
    const operation = this.context.bulk.cancel(id);
    if (operation) return { bulkOperation: this.bulkView(operation), userErrors: [] };
    return { bulkOperation: null, userErrors: [{ field: ["id"], message: "Bulk operation does not exist" }] };
  }

  private bulkView(operation: BulkOperation | null) {
    return operation ? new BulkOperationView(operation, this.context) : null;
  }
}

function callField(root: object, name: string, args: unknown): unknown {
  const field: unknown = Reflect.get(root, name);
  if (typeof field !== "function") throw new GraphQLError(`The stand-in shop does not answer ${name}.`);
  return Reflect.apply(field, root, [args]);
}

/** Gives the root types of the schema their resolvers; everything below them is properties and methods of views. */
export function withResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    field.resolve = (_source, args, context: CallContext) =>
      callField(new QueryRoot(context), field.name, args);
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.resolve = (_source, args, context: CallContext) =>
      callField(new MutationRoot(context), field.name, args);
  }
  return schema;
}

/** A bulk operation as GraphQL returns it; 64-bit numbers are text. */
class BulkOperationView {
  readonly __typename = "BulkOperation";
  readonly id: string;
  readonly type = "QUERY";
  readonly query: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly objectCount: string;
  readonly rootObjectCount: string;
  readonly fileSize: string | null;
  readonly url: string | null;
  readonly partialDataUrl = null;

  constructor(operation: BulkOperation, { baseUrl }: ViewContext) {
    this.id = operation.id;
    this.query = operation.query;
    this.status = operation.status;
    this.errorCode = operation.errorCode;
    this.createdAt = isoSeconds(operation.createdAt);
    this.completedAt = operation.completedAt === null ? null : isoSeconds(operation.completedAt);
    this.objectCount = String(operation.objectCount);
    this.rootObjectCount = String(operation.rootObjectCount);
    const { file } = operation;
    // The platform gives no address where the query found nothing.
    const filled = operation.status === "COMPLETED" && file !== null && file.size > 0 ? file : null;
    this.fileSize = filled ? String(filled.size) : null;
    this.url = filled ? `${baseUrl}/bulk/${filled.token}/result.jsonl` : null;
  }
}
