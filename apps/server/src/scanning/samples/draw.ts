import { createHash } from "node:crypto";
import type { CallRequest, ControlSample, drawSample } from "@stocktake/contract";
import { lockAreas } from "../../areas/areas.ts";
import { actorOf, areaName, type NewAuditEntry, recordAudits, sessionSubject } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { beginAttempt, commitSeeds, drawAreas, leftOutAreas, nextSeed } from "../../passes/passes.ts";
import { askedEntry } from "../second-counts/asked-entry.ts";
import type { ScanningServices } from "../services.ts";
import { type DrawableArea, readDrawable } from "./drawable-queries.ts";
import { findSample } from "./present-sample.ts";
import { countSamples } from "./sample-queries.ts";

type Request = CallRequest<typeof drawSample>["body"];

/**
 * Draws a control sample of the areas that are closed by now: each is asked for again, of everybody who has not counted it. The seed was
 * committed before and is revealed by the draw.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, SAMPLE_OPEN, VALIDATION for more areas than there are, or a redraw without a reason.
 */
export async function draw(
  { database, events }: ScanningServices,
  caller: AdminCaller,
  sessionId: string,
  request: Request,
): Promise<ControlSample> {
  const { sample, storeId } = await database.transaction().execute(async (transaction) => {
    const session = await holdRunning(transaction, sessionId);
    const all = await lockAreas(transaction, session.storeId);
    const number = await nextNumber(transaction, sessionId, request);
    const areas = await readDrawable(transaction, sessionId);
    requireEnough(areas, request);
    const others = await notDrawable(transaction, sessionId, { all, areas });
    const drawing = {
      sessionId,
      number,
      areas,
      others,
      count: request.areas,
      reason: request.reason ?? null,
    };
    return { sample: await drawNow(transaction, caller, drawing), storeId: session.storeId };
  });
  events.publish({ type: "area", sessionId, storeId });
  return sample;
}

async function holdRunning(transaction: Transaction, sessionId: string): Promise<{ storeId: string }> {
  const session = await transaction
    .selectFrom("sessions")
    .select(["storeId", "status"])
    .where("id", "=", sessionId)
    .forShare()
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  if (session.status !== "closed") return session;
  throw new ApiError(
    "SESSION_CLOSED",
    "This session has ended. A control sample can only be drawn while somebody can count its areas.",
  );
}

/** The number of the sample to be drawn. Throws SAMPLE_OPEN, VALIDATION. */
async function nextNumber(transaction: Transaction, sessionId: string, { reason }: Request): Promise<number> {
  const drawn = await countSamples(transaction, sessionId);
  if (drawn === 0) return 1;
  const sample = await findSample(transaction, sessionId, drawn);
  if (sample?.status === "counting") {
    throw new ApiError(
      "SAMPLE_OPEN",
      `Control sample ${drawn} is not finished. Wait until all its areas are counted again, or declare it void.`,
    );
  }
  if (reason === undefined || reason === null) {
    throw invalidField("reason", `Control sample ${drawn} was drawn before. Say why another one is drawn.`);
  }
  return drawn + 1;
}

function requireEnough(areas: readonly DrawableArea[], { areas: asked }: Request): void {
  if (areas.length === 0) {
    throw invalidField("areas", "No area can be drawn: none is closed that was not counted twice already.");
  }
  if (asked > areas.length) {
    throw invalidField("areas", `Only ${areas.length.toLocaleString("en")} closed areas can be drawn from.`);
  }
}

/** How many areas of the session can't be drawn: everybody sees what the statement does not speak of. */
async function notDrawable(
  transaction: Transaction,
  sessionId: string,
  known: { readonly all: readonly { status: string }[]; readonly areas: readonly DrawableArea[] },
) {
  const closed = known.all.filter(({ status }) => status === "closed").length;
  const leftOut = await leftOutAreas(transaction, sessionId);
  return { notClosed: known.all.length - leftOut.size - closed, countedTwice: closed - known.areas.length };
}

interface Drawing {
  readonly sessionId: string;
  readonly number: number;
  readonly areas: readonly DrawableArea[];
  readonly others: { readonly notClosed: number; readonly countedTwice: number };
  readonly count: number;
  readonly reason: string | null;
}

async function drawNow(
  transaction: Transaction,
  caller: AdminCaller,
  drawing: Drawing,
): Promise<ControlSample> {
  const { sessionId, number, areas, others, count, reason } = drawing;
  const subject = await sessionSubject(transaction, sessionId);
  const actor = actorOf(caller);
  const { entries, seed, commitment } = await seedFor(transaction, { sessionId, actor, subject });
  const ids = areas.map(({ areaId }) => areaId);
  const chosen = drawAreas(seed, ids, count);
  const drawn = areas.filter(({ areaId }) => chosen.has(areaId));
  await transaction
    .insertInto("controlSamples")
    .values({ sessionId, number, commitment, seed, ...others, reason, drawnBy: caller.userId })
    .execute();
  await keepAreas(transaction, drawing, chosen);
  const asked = await askFor(transaction, caller, { sessionId, number, drawn });
  const after = {
    ...{ number, seed, reason, areas: areas.length, ...others, drawn: drawn.map(areaName) },
    areasHash: createHash("sha256").update(ids.join("\n")).digest("hex"),
  };
  const entry = { sessionId, actor, action: "sample.drawn", subject, before: null, after } as const;
  await recordAudits(transaction, sessionId, [...entries, entry, ...asked]);
  const sample = await findSample(transaction, sessionId, number);
  if (sample === undefined) throw new Error("A sample that was drawn is not there.");
  return sample;
}

/** Where no committed seed is left (docs/SAMPLES.md) one is committed now, and everybody sees when that was. */
async function seedFor(
  transaction: Transaction,
  { sessionId, ...by }: Pick<NewAuditEntry, "actor" | "subject"> & { readonly sessionId: string },
) {
  const known = await nextSeed(transaction, sessionId);
  if (known !== undefined) return { ...known, entries: [] };
  const { hash, closedAreas } = await commitSeeds(transaction, sessionId);
  const entry = { ...by, action: "sample.committed", before: null, after: { hash, closedAreas } } as const;
  const committed = await nextSeed(transaction, sessionId);
  if (committed === undefined) throw new Error("A seed that was committed is not there.");
  return { ...committed, entries: [entry] };
}

async function keepAreas(
  transaction: Transaction,
  { sessionId, number, areas }: Drawing,
  chosen: ReadonlySet<string>,
): Promise<void> {
  const rows = areas.map(({ areaId, pass, units, countedFrom }) => ({
    ...{ sessionId, number, areaId, pass, units, countedFrom },
    drawn: chosen.has(areaId),
  }));
  const rowsPerStatement = 1_000;
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    await transaction
      .insertInto("sampleAreas")
      .values(rows.slice(from, from + rowsPerStatement))
      .execute();
  }
}

interface Asking {
  readonly sessionId: string;
  readonly number: number;
  readonly drawn: readonly DrawableArea[];
}

/** Begins the control counts; returns what is to be recorded of them. */
async function askFor(
  transaction: Transaction,
  caller: AdminCaller,
  { sessionId, number, drawn }: Asking,
): Promise<readonly NewAuditEntry[]> {
  const entries: NewAuditEntry[] = [];
  for (const { areaId, pass: ofPass } of drawn) {
    const beginning = {
      sessionId,
      areaId,
      ofPass,
      round: 2,
      askedBy: caller.userId,
      sample: number,
    } as const;
    const pass = await beginAttempt(transaction, { ...beginning, status: "not_started" });
    entries.push(await askedEntry(transaction, actorOf(caller), { ...beginning, pass }));
  }
  return entries;
}
