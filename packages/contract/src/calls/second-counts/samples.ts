import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { Id, IdInput, NumberInAddress, Success, Timestamp } from "../../primitives.ts";
import { optionalParagraphs, requiredParagraphs } from "../../text.ts";

const Person = z.nullable(z.object({ username: z.string() }));
const AreaNamed = z.object({ _id: Id, code: z.string(), name: z.string(), locationName: z.string() });

/** The hash that was in the audit log before anything was drawn by its seeds. */
export const SampleCommitment = z.object({
  /** SHA-256 of the seed of the first draw under it, in hexadecimal digits. */
  hash: z.string(),
  committedAt: Timestamp,
  /** How many areas were closed by then: 0 for the one of the session's start. */
  closedAreas: z.int(),
});
export type SampleCommitment = z.infer<typeof SampleCommitment>;

/** An area that was drawn, and how its control count is coming on. */
export const DrawnArea = z.object({
  area: AreaNamed,
  /** The pass that is controlled. */
  pass: z.int(),
  /** What it counted, in units. */
  units: z.int(),
  state: z.enum(["waiting", "counting", "counted", "ended"]),
  /** Whether the first count was wrong in any SKU that did not move in between; null until it is counted again. */
  differs: z.nullable(z.boolean()),
});
export type DrawnArea = z.infer<typeof DrawnArea>;

/** A sample of closed areas that others count again, whole and blind. */
export const ControlSample = z.object({
  /** From 1 in each session. */
  number: z.int(),
  drawnAt: Timestamp,
  drawnBy: Person,
  /** Why it was drawn after another one; null for the first. */
  reason: z.nullable(z.string()),
  /** What it was drawn by, in hexadecimal digits; SHA-256 of it is the seed before it, or the commitment. */
  seed: z.string(),
  commitment: SampleCommitment,
  /** `finished` once every area drawn is counted again and no third count is open. */
  status: z.enum(["counting", "finished", "void"]),
  voidedAt: z.nullable(Timestamp),
  /** Null where it became void by itself. */
  voidedBy: Person,
  voidReason: z.nullable(z.string()),
  /** How many areas it was drawn from, and the units in them. */
  areas: z.int(),
  units: z.int(),
  /** Areas of the session that it was not drawn from: those that were not closed, and closed ones of a second count. */
  notClosed: z.int(),
  countedTwice: z.int(),
  /** The areas that were drawn, and the units in them. */
  drawn: z.array(DrawnArea),
  drawnUnits: z.int(),
  /** How many of them are counted again. */
  counted: z.int(),
  /** In how many the first count was wrong, and the units in those. */
  differing: z.int(),
  differingUnits: z.int(),
  /** With 95% confidence at most so many areas differ, and so many units are in such areas; null unless it is finished. */
  atMost: z.nullable(z.object({ areas: z.int(), units: z.int() })),
  /** SKUs of areas drawn whose stock moved between the two counts: they are left out of the comparison. */
  excluded: z.array(
    z.object({
      sku: z.string(),
      productTitle: z.string(),
      size: z.nullable(z.string()),
      areaCode: z.string(),
    }),
  ),
});
export type ControlSample = z.infer<typeof ControlSample>;

const SessionParams = z.object({ id: IdInput });

export const controlSamples = defineCall({
  method: "GET",
  path: "/api/session/:id/samples",
  access: "admin",
  summary:
    "The control samples of a session, in their order, void ones too; `available` areas can be drawn from now",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({
    /** The newest one; null where the session began before samples were and none has been drawn. */
    commitment: z.nullable(SampleCommitment),
    available: z.int(),
    samples: z.array(ControlSample),
    ...pageAnswer,
  }),
});

export const sampledAreas = defineCall({
  method: "GET",
  path: "/api/session/:id/samples/:number/areas",
  access: "admin",
  summary: "The closed areas that a control sample was drawn from, in the order of their ids",
  params: z.object({ id: IdInput, number: NumberInAddress }),
  query: z.object(pageQuery),
  answer: z.object({
    areas: z.array(z.object({ area: AreaNamed, pass: z.int(), units: z.int(), drawn: z.boolean() })),
    ...pageAnswer,
  }),
});

export const drawSample = defineCall({
  method: "POST",
  path: "/api/session/:id/samples",
  access: "admin",
  summary:
    "Draw so many of the closed areas, by a seed that nobody could know, and have others count them again",
  status: 201,
  params: SessionParams,
  body: z.object({
    areas: z
      .int("Enter a whole number of areas.")
      .check(z.gte(1, "Draw at least one area."), z.lte(limits.pass)),
    reason: optionalParagraphs("Reason", limits.reason),
  }),
  answer: z.object({ sample: ControlSample }),
  refusals: ["SAMPLE_OPEN", "SESSION_CLOSED"],
  events: ["area"],
});

export const voidSample = defineCall({
  method: "POST",
  path: "/api/session/:id/samples/void",
  access: "admin",
  summary:
    "Declare an unfinished control sample void; its open counts end, and what it found stays in the report",
  params: SessionParams,
  body: z.object({
    number: z.int("number must be a whole number.").check(z.gte(1), z.lte(limits.pass)),
    reason: requiredParagraphs("Reason", limits.reason),
  }),
  answer: Success,
  refusals: ["SAMPLE_OVER"],
  events: ["area"],
});
