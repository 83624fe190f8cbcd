import type { OwnJoinRequest } from "@stocktake/contract";
import { sql } from "kysely";
import { hashToken } from "../../auth/auth.ts";
import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { isHeard, requestStatus } from "./queries.ts";

/** A request as the phone that made it finds it by its key. */
export interface OwnRequest {
  readonly id: string;
  readonly keyHash: Buffer;
  /** As it was given, and once admitted as others see it. */
  readonly counterName: string;
  readonly status: OwnJoinRequest["status"];
  readonly isHeard: boolean;
  readonly address: string;
  readonly storeName: string;
  readonly codeId: string;
  readonly codeToken: string;
  readonly sessionId: string;
  readonly storeId: string;
}

/** @throws ApiError NOT_FOUND where the session has ended, the code was closed before, or the invitation was revoked. */
export async function findOwnRequest(database: Database, key: string): Promise<OwnRequest> {
  const { rows } = await sql<OwnRequest>`
    select request.id, request.key_hash, coalesce(invitation.counter_name, request.counter_name) as counter_name, 
      ${requestStatus} as status, ${isHeard} as is_heard, request.address, store.name as store_name, code.id as code_id, code.token as code_token, code.session_id,
      code.store_id
    from join_requests request
    join session_codes code on code.id = request.code_id
    join sessions session on session.id = code.session_id
    join stores store on store.id = code.store_id
    left join invitations invitation on invitation.id = request.invitation_id
    where request.key_hash = ${hashToken(key)} and session.status in ('active', 'ending')
      and invitation.revoked_at is null and (code.revoked_at is null or invitation.id is not null)`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) throw new ApiError("NOT_FOUND", "Invalid or expired session code");
  return row;
}
