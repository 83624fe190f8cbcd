import * as z from "zod/mini";

/** The area that a scan screen is opened for: the specification's route state, and the session and pass to count in. */
export const ScanPlace = z.object({
  storeId: z.string().check(z.minLength(1)),
  locationId: z.string().check(z.minLength(1)),
  areaId: z.string().check(z.minLength(1)),
  area: z.object({ code: z.string(), name: z.string() }),
  store: z.object({ name: z.string() }),
  location: z.object({ name: z.string() }),
  sessionId: z.optional(z.string()),
  pass: z.optional(z.int()),
});
export type ScanPlace = z.infer<typeof ScanPlace>;

/** A place whose session and pass are known: what counting needs. */
export type CountingPlace = ScanPlace & { readonly sessionId: string; readonly pass: number };

export type RouteState =
  | { readonly kind: "complete"; readonly place: ScanPlace }
  | { readonly kind: "missing"; readonly isStoreMissing: boolean };

const WithStore = z.object({ storeId: z.string().check(z.minLength(1)) });

/** Reads the route state, which lies in the history entry and so survives a reload. */
export function readRouteState(state: unknown): RouteState {
  const place = z.safeParse(ScanPlace, state);
  if (place.success) return { kind: "complete", place: place.data };
  return { kind: "missing", isStoreMissing: state !== null && !z.safeParse(WithStore, state).success };
}

export function isComplete(place: ScanPlace): place is CountingPlace {
  return place.sessionId !== undefined && place.pass !== undefined;
}
