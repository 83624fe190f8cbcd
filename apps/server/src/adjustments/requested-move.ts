/** A rollback, or the resuming of a deploy, that has been asked for. */
export interface RequestedMove {
  readonly adjustmentId: string;
  /** Null where nothing is left to move. */
  readonly operationId: string | null;
  /** SKUs that are moved. */
  readonly total: number;
}
