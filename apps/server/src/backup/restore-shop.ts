import type { DatabaseConnection } from "../database/connection.ts";
import { beginNewEpoch } from "./new-epoch.ts";
import { restore } from "./transfer-in.ts";
import type { TransferSummary } from "./transfer-out.ts";

/** Restores a shop's backup as a new epoch of its installation. */
export function restoreShop(connection: DatabaseConnection, file: string): Promise<TransferSummary> {
  return restore(connection, file, undefined, (client, { madeAt }) => beginNewEpoch(client, { madeAt }));
}
