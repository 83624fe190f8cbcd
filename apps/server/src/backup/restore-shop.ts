import type { DatabaseConnection } from "../database/connection.ts";
import { restore } from "./transfer-in.ts";
import type { TransferSummary } from "./transfer-out.ts";

/**
 * Restores a shop's backup. Of its logins those of temporary counters go on alone: a backup does not know what was ended
 * since it was made, and whoever has a password signs in again. A temporary counter may have no way back in once the
 * session is over, and scans to send; the login opens no more than the invitation, which is restored as well.
 */
export function restoreShop(connection: DatabaseConnection, file: string): Promise<TransferSummary> {
  return restore(connection, file, undefined, (client) =>
    client.query(
      "DELETE FROM logins USING users WHERE users.id = logins.user_id AND users.invitation_id IS NULL",
    ),
  );
}
