import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { Id, IdInput } from "../../primitives.ts";

const mostAreas = z.maxLength(
  limits.areasPerPlan,
  `A person can be assigned at most ${limits.areasPerPlan} areas.`,
);

/** Somebody who can be assigned areas of a session: by an invitation, joined or not, or by an account of their own. */
export const AssignablePerson = z.object({
  /** The invitation's, or the account's. */
  _id: Id,
  kind: z.enum(["invitation", "account"]),
  name: z.string(),
  /** Empty for accounts, and for who came by the session code. */
  email: z.string(),
  areaIds: z.array(Id),
});
export type AssignablePerson = z.infer<typeof AssignablePerson>;

const Assignments = z.object({
  /** Whoever an area is not assigned to may not open it. Otherwise assignments are suggestions. */
  enforced: z.boolean(),
  people: z.array(AssignablePerson),
});
export type Assignments = z.infer<typeof Assignments>;

export const readAssignments = defineCall({
  method: "GET",
  path: "/api/session/:id/assignments",
  access: "admin",
  summary: "Who can be assigned areas of a running session, which they are, and whether that is enforced",
  params: z.object({ id: IdInput }),
  answer: Assignments,
});

export const assignAreas = defineCall({
  method: "PUT",
  path: "/api/session/:id/assignments",
  access: "admin",
  summary:
    "Assign areas of a running session to people, at any time: all areas of each person named, or with seenAreaIds what changed of them; the rest stays",
  params: z.object({ id: IdInput }),
  body: z.object({
    enforced: z.optional(z.boolean("enforced must be true or false.")),
    people: z.optional(
      z
        .array(
          z.object({
            /** Of an invitation, or an account. */
            personId: IdInput,
            /** Null for none. */
            areaIds: z.nullable(
              z.array(IdInput).check(z.minLength(1, "Name at least one area, or none."), mostAreas),
            ),
            /**
             * The person's areas that the edit began with: what it adds to them is given, what it leaves out of them is taken, and what
             * somebody else gave or took meanwhile stays. Absent: `areaIds` are all.
             */
            seenAreaIds: z.optional(z.array(IdInput).check(mostAreas)),
          }),
        )
        .check(
          z.minLength(1, "Name at least one person."),
          z.maxLength(
            limits.invitationsPerList,
            `At most ${limits.invitationsPerList} people can be assigned areas at a time.`,
          ),
        ),
    ),
  }),
  answer: Assignments,
  refusals: ["SESSION_CLOSED"],
  events: ["area"],
});
