import type { Security } from "@stocktake/contract";
import { sql } from "kysely";
import { type AuditActor, actorOf, recordAudit } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { methodsOf, readFactors } from "./factor-queries.ts";
import { proofBeforeMoves } from "./proof.ts";

/** What guards the caller's account; `passkeyProblem` is of the request's address. */
export async function readSecurity(
  database: Database,
  { userId }: AdminCaller,
  passkeyProblem: string | null,
): Promise<Security> {
  const factors = await readFactors(database, userId);
  const { authenticatorAt } = factors;
  return {
    ...(await readSettings(database, userId)),
    authenticator: authenticatorAt === null ? null : { addedAt: authenticatorAt.toISOString() },
    passkeys: factors.passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      _id: id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    passkeyProblem,
    recoveryCodesLeft: factors.recoveryCodes,
    methods: methodsOf(factors),
  };
}

async function readSettings(database: Database, userId: string) {
  const { rows } = await sql<Pick<Security, "passwordIsGenerated" | "proofBeforeMoves" | "proofIsChosen">>`
    select person.password_is_generated, ${proofBeforeMoves} as proof_before_moves,
      person.proof_before_moves is not null as proof_is_chosen
    from users person where person.id = ${userId}`.execute(database);
  const [settings] = rows;
  if (settings === undefined) throw new Error("The account of a login is gone.");
  return settings;
}

/** Whether a deploy or rollback asks for a proof; null: where there is a second factor. */
export async function chooseProof(
  database: Database,
  caller: AdminCaller,
  chosen: boolean | null,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const before = await readChoice(transaction, caller.userId);
    await transaction
      .updateTable("users")
      .set({ proofBeforeMoves: chosen })
      .where("id", "=", caller.userId)
      .execute();
    await recordSecurity(transaction, actorOf(caller), {
      action: "proof.chosen",
      before: { proofBeforeMoves: before },
      after: { proofBeforeMoves: chosen },
    });
  });
}

async function readChoice(transaction: Transaction, userId: string): Promise<boolean | null> {
  const { proofBeforeMoves: choice } = await transaction
    .selectFrom("users")
    .select("proofBeforeMoves")
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return choice;
}

type SecurityEntry = Pick<Parameters<typeof recordAudit>[1], "action" | "before" | "after">;

/** An entry about the caller's own account. */
export function recordSecurity(
  transaction: Transaction,
  actor: AuditActor,
  entry: SecurityEntry,
): Promise<void> {
  const subject = { kind: "account", id: actor.id, name: actor.name } as const;
  return recordAudit(transaction, { sessionId: null, actor, subject, ...entry });
}
