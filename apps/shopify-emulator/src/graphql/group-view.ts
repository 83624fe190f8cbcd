import type { AdjustmentGroup, GroupChange } from "../entities.ts";
import { gid } from "../gid.ts";
import { ItemView, isoSeconds, locationView, type ViewContext } from "./views.ts";

class ChangeView {
  readonly name: string;
  readonly delta: number;
  /** Null in every response that was recorded. */
  readonly quantityAfterChange = null;
  readonly ledgerDocumentUri: string | null;
  private readonly change: GroupChange;
  private readonly context: ViewContext;

  constructor(change: GroupChange, context: ViewContext) {
    this.change = change;
    this.context = context;
    this.name = change.name;
    this.delta = change.delta;
    this.ledgerDocumentUri = change.ledgerDocumentUri;
  }

  item() {
    const variant = this.context.store.items.get(this.change.itemId);
    return variant ? new ItemView(variant, this.context) : null;
  }

  location() {
    return locationView(this.change.locationId, this.context);
  }
}

interface ChangesFilter {
  readonly inventoryItemIds?: readonly string[] | null;
  readonly locationIds?: readonly string[] | null;
  readonly quantityNames?: readonly string[] | null;
}

export class GroupView {
  readonly __typename = "InventoryAdjustmentGroup";
  readonly id: string;
  readonly createdAt: string;
  readonly reason: string;
  readonly referenceDocumentUri: string | null;
  readonly app = { id: gid("App", 1_580_111), title: "Stocktake" };
  private readonly group: AdjustmentGroup;
  private readonly context: ViewContext;

  constructor(group: AdjustmentGroup, context: ViewContext) {
    this.group = group;
    this.context = context;
    this.id = group.id;
    this.createdAt = isoSeconds(group.createdAt);
    this.reason = group.reason;
    this.referenceDocumentUri = group.referenceDocumentUri;
  }

  changes({ inventoryItemIds, locationIds, quantityNames }: ChangesFilter) {
    return this.group.changes
      .filter(
        (change) =>
          (inventoryItemIds?.includes(change.itemId) ?? true) &&
          (locationIds?.includes(change.locationId) ?? true) &&
          (quantityNames?.includes(change.name) ?? true),
      )
      .map((change) => new ChangeView(change, this.context));
  }
}
