/**
 * Compares codes as people read them: A2 before A10, without regard to case. Locale-independent, so that every
 * server and browser sorts alike.
 */
export function naturalOrder(): (left: string, right: string) => number {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return (left, right) => collator.compare(left, right);
}
