const prefix = "AREA";
const keyLength = 12;

/** The end of an area's id: random enough to tell the areas of a shop apart, short enough for a line of bars. */
function keyOf(areaId: string): string {
  return areaId
    .replaceAll(/[^0-9a-z]/gi, "")
    .slice(-keyLength)
    .toUpperCase();
}

/**
 * The barcode on an area's printed label: letters and digits alone, because scanners that play a keyboard
 * change other characters with the keyboard's language. It names the area itself: codes such as A1 are used in several
 * locations, and renaming an area leaves its label good.
 */
export function areaLabelOf(areaId: string): string {
  return `${prefix}${keyOf(areaId)}`;
}

/** True of a scanned code that has the form of an area's label. Case says nothing: a caps lock turns it. */
export function isAreaLabel(code: string): boolean {
  return new RegExp(`^${prefix}[0-9A-F]{${keyLength}}$`, "i").test(code.trim());
}

/**
 * The area that a scanned label opens: its own, or that of an area which was merged into it. Null where the code is no label, where none of these areas has it (another
 * store's, or one that was deleted), and where two do.
 */
export function areaOfLabel<
  Labelled extends { readonly _id: string; readonly mergedIds?: readonly string[] | undefined },
>(code: string, areas: Iterable<Labelled>): Labelled | null {
  if (!isAreaLabel(code)) return null;
  const label = code.trim().toUpperCase();
  const found = Array.from(areas).filter(({ _id, mergedIds = [] }) =>
    [_id, ...mergedIds].some((id) => areaLabelOf(id) === label),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}
