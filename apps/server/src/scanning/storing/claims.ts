import type { IncomingScan } from "./incoming-scan.ts";

/** Names a device's number within its session. */
export const sequenceKey = ({ deviceId, seq }: { readonly deviceId: string; readonly seq: number }) =>
  `${seq}:${deviceId}`;

/** Of scans that claim the same sequence number or operation id, the one that came first. */
export function firstClaims<Scan extends { readonly incoming: IncomingScan }>(
  scans: readonly Scan[],
): Scan[] {
  const claimed = new Set<string>();
  return scans.filter(({ incoming }) => {
    const claims = [sequenceKey(incoming), ...(incoming.opId === null ? [] : [incoming.opId])];
    if (claims.some((claim) => claimed.has(claim))) return false;
    for (const claim of claims) claimed.add(claim);
    return true;
  });
}
