/** An area by its code, and the location that holds it. */
export interface PlacedArea {
  readonly code: string;
  readonly locationName: string;
}

/**
 * Names areas that are listed together: each by its code, and with its location where several of them have the same code, as every location
 * may have an A1.
 * @param areas all that a reader could take one of them for
 * @param textOf what each is called besides its location
 */
export function areaNaming<Area extends PlacedArea>(
  areas: readonly Area[],
  textOf: (area: Area) => string = ({ code }) => code,
): (area: Area) => string {
  const keyOf = ({ code }: PlacedArea) => code.toLowerCase();
  const once = new Set<string>();
  const repeated = new Set<string>();
  for (const key of areas.map(keyOf)) (once.has(key) ? repeated : once).add(key);
  return (area) => (repeated.has(keyOf(area)) ? `${textOf(area)} (${area.locationName})` : textOf(area));
}
