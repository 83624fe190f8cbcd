import type { Invitation } from "@stocktake/contract";

export interface InvitationRow {
  id: string;
  counter_name: string;
  email: string;
  token_ending: string;
  created_at: Date;
  used_at: Date | null;
}

export const invitationColumns = [
  "id",
  "counter_name",
  "email",
  "token_ending",
  "created_at",
  "used_at",
] as const;

/** An invitation as the administrator sees it: never with the whole token. */
export function presentInvitation(row: InvitationRow): Invitation {
  return {
    _id: row.id,
    counterName: row.counter_name,
    email: row.email,
    token: row.token_ending,
    createdAt: row.created_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
  };
}
