/**
 * The members of a list by what `keyOf` returns for each: keys in the order of first appearance, each group in the list's
 * order (Node 20 has no Map.groupBy).
 */
export function groupBy<Key, Member>(
  members: Iterable<Member>,
  keyOf: (member: Member) => Key,
): Map<Key, Member[]> {
  const groups = new Map<Key, Member[]>();
  for (const member of members) {
    const key = keyOf(member);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [member]);
    else group.push(member);
  }
  return groups;
}
