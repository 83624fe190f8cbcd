import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { Id, IdInput, Success, Timestamp } from "../../primitives.ts";
import { sessionDescription } from "../../session-description.ts";
import { Email, requiredName } from "../../text.ts";
import { SessionOrOperation, SessionScope, startRefusals } from "../sessions.ts";

/** Somebody who is invited when the session starts, and is assigned these areas with the invitation. */
export const PlannedPerson = z.object({ counterName: z.string(), email: z.string(), areaIds: z.array(Id) });
export type PlannedPerson = z.infer<typeof PlannedPerson>;

/**
 * A session prepared beforehand. It is no session: nobody is told of it, nothing is read from Shopify, and no area changes
 * until an administrator starts it. `areaIds` are the areas that are counted, null for all there are at the start. What names a
 * merged area names the one that it became; areas that were deleted are in `deletedAreas` alone, by name.
 */
export const SessionPlan = z.object({
  _id: Id,
  storeId: z.object({ _id: Id, name: z.string() }),
  name: z.nullable(z.string()),
  note: z.nullable(z.string()),
  scope: SessionScope,
  areaIds: z.nullable(z.array(Id)),
  people: z.array(PlannedPerson),
  /** Nobody else may open an assigned area; otherwise assignments are suggestions. */
  assignmentsEnforced: z.boolean(),
  /** Areas that the plan names, as counted or as somebody's, and that are gone. */
  deletedAreas: z.array(z.string()),
  createdAt: Timestamp,
});
export type SessionPlan = z.infer<typeof SessionPlan>;

/** A full count is of every area: what lies in one that nobody counts would show as a shortage. */
const mostAreas = z.maxLength(limits.areasPerPlan, `A plan can name at most ${limits.areasPerPlan} areas.`);

const planned = {
  ...sessionDescription,
  scope: SessionScope,
  areaIds: z.nullable(z.array(IdInput).check(z.minLength(1, "Choose at least one area."), mostAreas)),
  /** Null for nobody. */
  people: z.nullable(
    z
      .array(
        z.object({
          counterName: requiredName("Counter name"),
          email: Email,
          /** Of those that are counted. */
          areaIds: z._default(z.array(IdInput).check(mostAreas), []),
        }),
      )
      .check(
        z.minLength(1, "Name at least one person, or nobody."),
        z.maxLength(
          limits.invitationsPerList,
          `A plan can invite at most ${limits.invitationsPerList} people.`,
        ),
      ),
  ),
  assignmentsEnforced: z._default(z.boolean("assignmentsEnforced must be true or false."), false),
};

/**
 * What an edit of a plan began with, as it was read. Where the plan is another by now, and not what is given, the edit is
 * CHANGED_MEANWHILE and changes nothing: as all of it is replaced, it would take away what somebody else has planned meanwhile.
 */
const SeenPlan = z.pick(SessionPlan, {
  name: true,
  note: true,
  scope: true,
  areaIds: true,
  people: true,
  assignmentsEnforced: true,
});
export type SeenPlan = z.infer<typeof SeenPlan>;

const PlanParams = z.object({ id: IdInput });
const PlanAnswer = z.object({ plan: SessionPlan });

export const listPlans = defineCall({
  method: "GET",
  path: "/api/session-plans",
  access: "admin",
  summary: "Sessions that are prepared and not started yet, newest first",
  query: z.object(pageQuery),
  answer: z.object({ plans: z.array(SessionPlan), ...pageAnswer }),
});

export const createPlan = defineCall({
  method: "POST",
  path: "/api/session-plans",
  access: "admin",
  summary:
    "Prepare a session: its store, scope, areas and the people who are invited and assigned areas when it starts",
  status: 201,
  body: z.object({ storeId: IdInput, ...planned }),
  answer: PlanAnswer,
  events: ["invitation"],
});

export const updatePlan = defineCall({
  method: "PUT",
  path: "/api/session-plans/:id",
  access: "admin",
  summary: "Change a prepared session: what is given replaces all that was planned",
  params: PlanParams,
  body: z.object({ ...planned, seen: z.optional(SeenPlan) }),
  answer: PlanAnswer,
  refusals: ["CHANGED_MEANWHILE"],
  events: ["invitation"],
});

export const deletePlan = defineCall({
  method: "DELETE",
  path: "/api/session-plans/:id",
  access: "admin",
  summary: "Take a prepared session away; not one that was started",
  params: PlanParams,
  answer: Success,
  events: ["invitation"],
});

export const startPlan = defineCall({
  method: "POST",
  path: "/api/session-plans/:id/start",
  access: "admin",
  summary: "Start a prepared session, once: again, it is the session or the start that there is",
  status: 201,
  params: PlanParams,
  answer: SessionOrOperation,
  refusals: startRefusals,
  events: ["session", "area", "catalogue", "invitation"],
});
