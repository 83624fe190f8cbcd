import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Pass, Success, Timestamp } from "../primitives.ts";
import { AreaCode, optionalName, optionalParagraphs, requiredName } from "../text.ts";

export const Location = z.object({
  _id: Id,
  name: z.string(),
  storeId: z.object({ _id: Id, name: z.string() }),
});
export type Location = z.infer<typeof Location>;

export const AreaStatus = z.enum(["not_started", "in_progress", "closed"]);
export type AreaStatus = z.infer<typeof AreaStatus>;

/** Who counts or counted in an area's current pass, for the prompt on an area in progress. */
export const AreaActivity = z.object({
  devices: z.int(),
  usernames: z.array(z.string()),
  lastScanAt: z.nullable(Timestamp),
});

/** An administrator asked for the area to be counted again, and it has not been completed since. */
export const Recount = z.object({
  /** The pass that was to be the new count. One request is another than the next by it. */
  pass: z.int(),
  reason: z.nullable(z.string()),
  requestedAt: Timestamp,
  requestedBy: z.string(),
});
export type Recount = z.infer<typeof Recount>;

/** In a pass whose counters give totals of their own: who has, and who has still to. Names alone: counters count blind. */
export const OwnTotals = z.object({ given: z.array(z.string()), missing: z.array(z.string()) });
export type OwnTotals = z.infer<typeof OwnTotals>;

/** Whom an administrator wants to count an area in the running session: names alone. */
export const AreaAssignment = z.object({
  names: z.array(z.string()),
  /** The caller is one of them. */
  mine: z.boolean(),
  /** Nobody else may open it; otherwise it is a suggestion. */
  enforced: z.boolean(),
});
export type AreaAssignment = z.infer<typeof AreaAssignment>;

/** A device that counted in the area's pass. Names and times alone: counters count blind. `yours`: whoever asks scanned with it. */
export const AreaDevice = z.object({
  deviceId: z.string(),
  usernames: z.array(z.string()),
  yours: z.optional(z.literal(true)),
  /** The last that it said: it still held rows of the session, of whichever area. */
  holdsScans: z.boolean(),
  /** Since when it has not been heard of, where that is five minutes and more: nobody knows what it holds. */
  silentSince: z.nullable(Timestamp),
});
export type AreaDevice = z.infer<typeof AreaDevice>;

export const Area = z.object({
  _id: Id,
  code: z.string(),
  name: z.string(),
  locationId: Id,
  status: AreaStatus,
  pass: z.int(),
  closedBy: z.nullable(z.object({ username: z.string() })),
  closedAt: z.nullable(Timestamp),
  activity: z.nullable(AreaActivity),
  /** The last finish did not match and nothing has been scanned since. Absent in lists cached from an older server. */
  recountNeeded: z.optional(z.boolean()),
  /** True where an earlier count was restored: it counts in the current pass. Absent elsewhere, and from an older server. */
  restored: z.optional(z.boolean()),
  /** How many scans of the current pass an administrator accepted, in progress only: a device follows what it adds. */
  accepted: z.optional(z.int()),
  /** Owed until the area is closed, or an earlier count of it restored. Absent from an older server. */
  recount: z.optional(z.nullable(Recount)),
  /** Null until somebody gives a total of their own in the current pass. Absent from an older server. */
  ownTotals: z.optional(z.nullable(OwnTotals)),
  /** Null for an area that is closed or assigned to nobody. Absent from an older server. */
  assigned: z.optional(z.nullable(AreaAssignment)),
  /**
   * The SKUs that the caller is to count here, and no other products; what else is scanned is kept and in no figure. Absent where
   * everything is counted.
   */
  only: z.optional(z.array(z.string())),
  /** Areas that were merged into it: their printed labels open it. Absent where there are none. */
  mergedIds: z.optional(z.array(Id)),
});
export type Area = z.infer<typeof Area>;

const LocationName = requiredName("Location name");

export const listLocations = defineCall({
  method: "GET",
  path: "/api/locations",
  access: "signed-in",
  summary: "Locations that the caller can access, of one store or of all",
  query: z.object({ storeId: z.optional(IdInput), ...pageQuery }),
  answer: z.object({ locations: z.array(Location), ...pageAnswer }),
});

export const createLocation = defineCall({
  method: "POST",
  path: "/api/locations",
  access: "admin",
  summary: "Add a location to a store",
  status: 201,
  body: z.object({ name: LocationName, storeId: IdInput }),
  answer: z.object({ location: Location }),
  refusals: ["NAME_TAKEN"],
  events: ["store"],
});

export const updateLocation = defineCall({
  method: "PUT",
  path: "/api/locations/:id",
  access: "admin",
  summary: "Rename a location",
  params: z.object({ id: IdInput }),
  body: z.object({ name: LocationName }),
  answer: z.object({ location: Location }),
  refusals: ["NAME_TAKEN"],
  events: ["store"],
});

export const deleteLocation = defineCall({
  method: "DELETE",
  path: "/api/locations/:id",
  access: "admin",
  summary: "Hide a location and its areas",
  params: z.object({ id: IdInput }),
  answer: Success,
  refusals: ["AREA_HAS_SCANS", "SECOND_COUNT_OPEN"],
  events: ["store"],
});

export const createAreas = defineCall({
  method: "POST",
  path: "/api/locations/:id/areas/bulk",
  access: "admin",
  summary: "Add areas to a location, all or none",
  status: 201,
  params: z.object({ id: IdInput }),
  body: z.object({
    areas: z
      .array(
        z.object({
          code: AreaCode,
          name: optionalName("Area name"),
        }),
        "At least one area is required.",
      )
      .check(
        z.minLength(1, "At least one area is required."),
        z.maxLength(limits.areasPerCall, `At most ${limits.areasPerCall} areas can be added at a time.`),
      ),
  }),
  answer: z.object({ areas: z.array(Area) }),
  refusals: ["DUPLICATE_AREA_CODE"],
  events: ["area"],
});

export const listAreas = defineCall({
  method: "GET",
  path: "/api/areas",
  access: "signed-in",
  summary: "Areas that the caller can access, in natural order of their codes",
  query: z.object(pageQuery),
  answer: z.object({ areas: z.array(Area), ...pageAnswer }),
});

export const listAreasOfLocation = defineCall({
  method: "GET",
  path: "/api/areas/by-location/:locationId",
  access: "signed-in",
  summary: "Areas of one location, in natural order of their codes",
  params: z.object({ locationId: IdInput }),
  query: z.object(pageQuery),
  answer: z.object({ areas: z.array(Area), ...pageAnswer }),
});

export const updateArea = defineCall({
  method: "PUT",
  path: "/api/areas/:id",
  access: "admin",
  summary: "Rename an area; its code stays, as labels and devices know it by that",
  params: z.object({ id: IdInput }),
  body: z.object({ name: requiredName("Area name") }),
  answer: z.object({ area: Area }),
  events: ["area"],
});

export const deleteArea = defineCall({
  method: "DELETE",
  path: "/api/areas/:id",
  access: "admin",
  summary: "Hide an area",
  params: z.object({ id: IdInput }),
  answer: Success,
  refusals: ["AREA_HAS_SCANS", "SECOND_COUNT_OPEN"],
  events: ["area"],
});

export const reopenArea = defineCall({
  method: "POST",
  path: "/api/areas/reopen",
  access: "admin",
  summary: "Have an area counted again from zero; its pass is voided, not erased",
  body: z.object({
    areaId: IdInput,
    eraseScans: z.literal(true, "Reopening erases the area's scans; eraseScans must be true."),
    /** What the counters are told. */
    reason: optionalParagraphs("Reason", limits.reason),
    /** An area in progress is counted again too; otherwise it is refused as not closed. */
    alsoInProgress: z.optional(z.boolean("alsoInProgress must be true or false.")),
  }),
  answer: z.object({ area: Area }),
  refusals: ["AREA_NOT_CLOSED", "SESSION_CLOSED"],
  events: ["area"],
});

export const restorePass = defineCall({
  method: "POST",
  path: "/api/areas/restore",
  access: "admin",
  summary: "Restore a voided pass of the active session, voiding the current one",
  body: z.object({ areaId: IdInput, pass: Pass }),
  answer: z.object({ area: Area }),
  refusals: ["SESSION_CLOSED"],
  events: ["area"],
});

export const mergeAreas = defineCall({
  method: "POST",
  path: "/api/areas/merge",
  access: "admin",
  summary: "Make one area a part of another of its store; its label opens the other from now on",
  body: z.object({ areaId: IdInput, intoAreaId: IdInput }),
  answer: z.object({ area: Area }),
  refusals: ["AREA_BEGUN"],
  events: ["area"],
});

const StoreParams = z.object({ id: IdInput });

/** The locations and areas of another store, and which of them are to be added, or were. */
const CopiedAreas = z.object({
  locations: z.array(
    z.object({
      name: z.string(),
      /** The store has a location of this name: what is missing is added to it. */
      exists: z.boolean(),
      areas: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          /** An area of this code is there already and stays as it is. */
          exists: z.boolean(),
        }),
      ),
    }),
  ),
  newLocations: z.int(),
  newAreas: z.int(),
});

export const previewCopy = defineCall({
  method: "GET",
  path: "/api/stores/:id/copied-areas",
  access: "admin",
  summary: "What copying another store's locations and areas would add, and what is there already",
  params: StoreParams,
  query: z.object({ fromStoreId: IdInput }),
  answer: CopiedAreas,
});

export const copyAreas = defineCall({
  method: "POST",
  path: "/api/stores/:id/copied-areas",
  access: "admin",
  summary: "Add another store's locations and areas where they are missing; what is there stays as it is",
  params: StoreParams,
  body: z.object({ fromStoreId: IdInput }),
  answer: CopiedAreas,
  events: ["store", "area"],
});
