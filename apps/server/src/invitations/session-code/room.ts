import { limits } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { isHeard, requestStatus } from "./queries.ts";

const minutes = 15;

interface Asks {
  waiting: number;
  waitingFromAddress: number;
  recent: number;
  recentFromAddress: number;
}

async function countAsks(reader: Database, codeId: string, address: string): Promise<Asks> {
  const isFromAddress = sql`request.address = ${address}`;
  const isWaiting = sql`${requestStatus} = 'waiting' and ${isHeard}`;
  const isRecent = sql`request.asked_at > now() - make_interval(mins => ${minutes})`;
  const { rows } = await sql<Asks>`
    select count(*) filter (where ${isWaiting})::int as waiting,
      count(*) filter (where ${isWaiting} and ${isFromAddress})::int as waiting_from_address,
      count(*) filter (where ${isRecent})::int as recent,
      count(*) filter (where ${isRecent} and ${isFromAddress})::int as recent_from_address
    from join_requests request where request.code_id = ${codeId}`.execute(reader);
  return rows[0] ?? { waiting: 0, waitingFromAddress: 0, recent: 0, recentFromAddress: 0 };
}

function hasRoomToWait({ waiting, waitingFromAddress }: Asks): boolean {
  return waiting < limits.waitingPerCode && waitingFromAddress < limits.waitingPerAddress;
}

/** @throws ApiError RATE_LIMITED where too many wait at the code, or have come from the address. */
export async function requireRoomToWait(reader: Database, codeId: string, address: string): Promise<void> {
  if (!hasRoomToWait(await countAsks(reader, codeId, address))) throw noRoom();
}

/** The same for a new request, which is also counted among the recent ones. */
export async function requireRoomToAsk(reader: Database, codeId: string, address: string): Promise<void> {
  const asks = await countAsks(reader, codeId, address);
  const { recent, recentFromAddress } = asks;
  const isQuiet = recent < limits.asksPerCode && recentFromAddress < limits.asksPerAddress;
  if (!isQuiet || !hasRoomToWait(asks)) throw noRoom();
}

function noRoom(): ApiError {
  return new ApiError(
    "RATE_LIMITED",
    "Many people are asking to join at the moment. Tell the administrator, and try again in a few minutes.",
    { retryAfterSeconds: 60 },
  );
}
