import type { Created } from "./columns.ts";

interface SessionArchivesTable {
  sessionId: string;
  archivedAt: Created;
  fileName: string;
  manifestHash: string;
  units: number;
  skus: number;
}

interface ArchivedCountsTable {
  sessionId: string;
  sku: string;
  inventoryItemId: string;
  /** Null where it was in scope and nobody counted it. */
  counted: number | null;
  byHand: boolean;
  endOnHand: number | null;
}

export interface ArchiveTables {
  sessionArchives: SessionArchivesTable;
  archivedCounts: ArchivedCountsTable;
}
