import type { Transaction } from "../database/pool.ts";

/** What the administrator is told of by mail. Never a password or a token. */
export type NewNotice =
  | {
      readonly kind: "new_browser";
      readonly facts: {
        readonly username: string;
        readonly role: "admin" | "counter";
        readonly address: string;
      };
    }
  | {
      readonly kind: "password_changed";
      /** `by` is who did it: the account itself, the administrator, or whoever has the server's shell. */
      readonly facts: { readonly username: string; readonly role: "admin" | "counter"; readonly by: string };
    }
  | { readonly kind: "counter_created"; readonly facts: { readonly username: string; readonly by: string } };

/**
 * Records what the administrator is to be told, in the transaction of what it is about. The mail is sent later from this row,
 * so whatever becomes of the mail server, nobody waits for it.
 */
export async function recordNotice(transaction: Transaction, { kind, facts }: NewNotice): Promise<void> {
  await transaction
    .insertInto("notices")
    .values({ kind, facts: JSON.stringify(facts) })
    .execute();
}
