/** Of an administrator who made an earlier count of an area count again, in place of the one that was under way. */
export const restoredMessages = {
  restored: "An earlier count of this area was restored: it counts again.",
  next: "Nothing of it has to be scanned again. What was scanned here after it does not count.",
  short: "An earlier count was restored: nothing of it has to be scanned again.",
  replaced: "Not counted: the administrator restored an earlier count of this area in its place.",
} as const;
