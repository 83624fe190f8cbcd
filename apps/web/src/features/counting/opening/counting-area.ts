import * as z from "zod/mini";
import type { CountedArea } from "../../../offline/offline.ts";

/** The area that a scan screen is opened for: the specification's route state, and the session and pass to count in. */
export const SelectedArea = z.object({
  storeId: z.string().check(z.minLength(1)),
  locationId: z.string().check(z.minLength(1)),
  areaId: z.string().check(z.minLength(1)),
  area: z.object({ code: z.string(), name: z.string() }),
  store: z.object({ name: z.string() }),
  location: z.object({ name: z.string() }),
  sessionId: z.optional(z.string()),
  pass: z.optional(z.int()),
  /** The SKUs that are counted here, where it is not everything. */
  only: z.optional(z.array(z.string())),
});
export type SelectedArea = z.infer<typeof SelectedArea>;

/** An area whose session and pass are known: what counting needs. */
export type CountingArea = SelectedArea & { readonly sessionId: string; readonly pass: number };

export function isComplete(area: SelectedArea): area is CountingArea {
  return area.sessionId !== undefined && area.pass !== undefined;
}

/** The area as each row of the outbox names it. */
export function countedArea(area: CountingArea, pass: number): CountedArea {
  const { sessionId, storeId, locationId, areaId } = area;
  return { sessionId, storeId, locationId, areaId, areaCode: area.area.code, pass };
}
