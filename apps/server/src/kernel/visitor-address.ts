import { isIPv6 } from "node:net";

/** What a visitor with IPv6 is given as a rule: 64 bits to choose addresses from (RFC 6177), so they count as one. */
const networkGroups = 4;

/** The address that a visitor is counted under, for guesses and connections: an IPv4 address, or the network of an IPv6 one. */
export function visitorAddress(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(ip) ? `${networkOf(ip)}::/64` : ip;
}

function networkOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const gap = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...gap, ...after]
    .slice(0, networkGroups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

function groupsOf(part: string): string[] {
  return part === "" ? [] : part.split(":");
}
