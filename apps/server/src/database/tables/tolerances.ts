import type { Generated } from "kysely";

/** Money in hundredths, shares in hundredths of a per cent; null is no limit. */
interface TolerancesTable {
  id: Generated<string>;
  /** Of a store, or of one session in the store's place: one of the two is null. */
  storeId: string | null;
  sessionId: string | null;
  overUnits: number | null;
  overCents: number | null;
  overStockShare: number | null;
  overMoneyShare: number | null;
  shortUnits: number | null;
  shortCents: number | null;
  shortStockShare: number | null;
  shortMoneyShare: number | null;
}

export interface ToleranceTables {
  tolerances: TolerancesTable;
}
