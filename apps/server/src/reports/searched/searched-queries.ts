import { groupBy, type SearchAnswer, type SearchHistory, type SearchState } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { among, type Skus } from "../counted-stock-queries.ts";
import {
  clockWasSet,
  inOrder,
  movedSince,
  scannedAgain,
  voidedSince,
  waiting,
} from "./contradiction-queries.ts";
import { nameApart, peopleAmong, readTwins } from "./same-person-queries.ts";

/** What was said of a SKU that people were asked to look for, whatever was counted of it. */
export interface SearchedSku {
  readonly sku: string;
  readonly state: Exclude<SearchState, "overruled">;
  /** Somebody has said that it is not there, and no administrator that this is wrong. */
  readonly denied: boolean;
}

/**
 * The common table expressions that end with `searched`: a row a SKU, of those asked for, that is on a search list or of which
 * somebody has said something. An administrator's choice overrides what people said. "Not there" is contradicted by a scan of it that waits, by one
 * of a second count that settles nothing of it, by one since that was voided with its count, and by its stock if that was seen to change after somebody looked: what came in may lie there, and what was sold was there. What one person has
 * said on two phones, under two accounts, is one word, the last.
 */
export function searchStates(sessionId: string, skus: Skus = null): RawBuilder<unknown> {
  return sql`
    ${heardAnswers(sessionId, skus)},
    said as (
      select answer.sku, bool_or(answer.answer = 'found') as found, bool_or(answer.answer = 'not_there') as not_there,
        max(decision.answer) as decided,
        max(${decidedInOrder(sessionId, sql`answer.sku`)}) as decided_at, ${lookedAt(sessionId)} filter (where ${saysNotThere}) as looked_at
      from heard answer
      left join search_decisions decision on decision.session_id = answer.session_id and decision.sku = answer.sku
      group by answer.sku),
    told as (
      select sku, looked_at, decided_at, coalesce(decided = 'not_there', not_there) as denied,
        case when decided is not null then decided when found and not_there then 'contradicted'
          when found then 'found' else 'not_there' end as state
      from said),
    listed as (
      select distinct item.sku from search_items item
      join search_lists list on list.session_id = item.session_id and list.number = item.number
      where item.session_id = ${sessionId} and list.withdrawn_at is null and ${among(sql`item.sku`, skus)}),
    searched as (
      select coalesce(told.sku, listed.sku) as sku, coalesce(told.denied, false) as denied,
        case when told.sku is null then 'open'
          when told.state = 'not_there'
            and (told.sku in (${waiting(sessionId)}) or ${movedSince(sessionId, sql`told`)}
              or ${scannedAgain(sessionId, sql`told`)} or ${voidedSince(sessionId, sql`told`)}) then 'contradicted'
          else told.state end as state
      from told full join listed on listed.sku = told.sku)`;
}

/**
 * The common table expressions that end with `heard`: the answers of a session, each with its `person`, without those that surely the same person has
 * answered anew since. Where the clock was set nobody knows which of two phones was the last, and both are heard.
 */
function heardAnswers(sessionId: string, skus: Skus): RawBuilder<unknown> {
  const isAsked = sql<boolean>`answer.session_id = ${sessionId} and ${among(sql`answer.sku`, skus)}`;
  return sql`${peopleAmong(sql`select answer.answered_by from search_answers answer where ${isAsked}`)},
    heard as (
      select answer.*, known_person.person from search_answers answer join known_person on known_person.id = answer.answered_by
      where ${isAsked} and (${clockWasSet(sessionId)} or not exists (
        select from same_person join search_answers later on later.answered_by = same_person.other
        where same_person.id = answer.answered_by and later.session_id = answer.session_id and later.sku = answer.sku
          and (later.answered_at, later.answered_by) > (answer.answered_at, answer.answered_by))))`;
}

/** Whether what an account has said of a SKU is its person's last word: nothing was said on another phone of theirs since. */
export async function isLastWord(
  reader: Database,
  { sessionId, sku, userId }: { readonly sessionId: string; readonly sku: string; readonly userId: string },
): Promise<boolean> {
  const { rows } = await sql`
    with ${heardAnswers(sessionId, [sku])} select from heard where answered_by = ${userId}`.execute(reader);
  return rows.length > 0;
}

/** When whoever says that it is not there last looked, or an administrator decided it. Which answer is the last word goes by their arrival alone. */
const lookedAt = (sessionId: string) =>
  sql`max(${inOrder(sessionId, sql`answer.sku`, sql`coalesce(decision.decided_at, answer.looked_at, answer.answered_at)`)})`;
const decidedInOrder = (sessionId: string, sku: RawBuilder<unknown>) =>
  inOrder(sessionId, sku, sql`decision.decided_at`);
const saysNotThere = sql<boolean>`coalesce(decision.answer, answer.answer) = 'not_there'`;

/** Few SKUs are searched for, so that they are read by themselves: of those asked for, or of the whole session. */
export async function readSearched(
  reader: Database,
  sessionId: string,
  skus: Skus = null,
): Promise<ReadonlyMap<string, SearchedSku>> {
  const { rows } = await sql<SearchedSku>`
    with ${searchStates(sessionId, skus)} select sku, state, denied from searched`.execute(reader);
  return new Map(rows.map((row) => [row.sku, row]));
}

/** What was counted of a SKU: some of it, or a figure by hand; that there is none, by counts of an area; null: nobody counted it. */
export type CountOfSku = "some" | "none" | null;

/**
 * How far a SKU is searched for, once it is known what was counted of it. A count overrides whatever was said. Where counts say that there is
 * none, what was said still tells; that somebody has to look does not.
 */
export function searchStateOf(searched: SearchedSku | undefined, count: CountOfSku): SearchState | null {
  if (searched === undefined) return null;
  if (count === "some") return searched.denied ? "overruled" : null;
  return count === "none" && searched.state === "open" ? null : searched.state;
}

type Said = Omit<SearchHistory, "state">;

const nothingSaid: Said = {
  answers: [],
  decision: null,
  lateScanWaits: false,
  movedSince: false,
  scannedAgain: false,
  voidedSince: false,
};

interface SaidRow {
  readonly sku: string;
  readonly answers: readonly {
    username: string;
    answer: SearchAnswer;
    at: number;
    lookedAt: number | null;
    deviceId: string;
    list: number;
  }[];
  readonly decided: SearchAnswer | null;
  readonly decidedBy: string | null;
  readonly decidedOn: Date | null;
  readonly lateScanWaits: boolean;
  readonly movedSince: boolean;
  readonly scannedAgain: boolean;
  readonly voidedSince: boolean;
  readonly clockWasSet: boolean;
}

/**
 * Who has said what of SKUs of a session, the newest answer first, and what was decided. All answers are told, but when somebody last looked is
 * that of those that are heard, as of the SKU's state.
 */
export async function readSaid(
  reader: Database,
  sessionId: string,
  skus: readonly string[],
): Promise<(sku: string) => Said> {
  const { rows } = await sql<SaidRow>`
    with ${heardAnswers(sessionId, skus)}
    select said.*, ${movedSince(sessionId, sql`said`)} as moved_since, ${scannedAgain(sessionId, sql`said`)} as scanned_again,
      ${voidedSince(sessionId, sql`said`)} as voided_since
    from (
      select wanted.sku, decision.answer as decided, decider.username as decided_by, decision.decided_at as decided_on,
        max(${decidedInOrder(sessionId, sql`wanted.sku`)}) as decided_at, ${clockWasSet(sessionId)} as clock_was_set,
        ${lookedAt(sessionId)} filter (where (${saysNotThere}) and heard.sku is not null) as looked_at, wanted.sku in (${waiting(sessionId)}) as late_scan_waits,
        coalesce(json_agg(json_build_object('username', person.username, 'answer', answer.answer,
            'at', extract(epoch from answer.answered_at) * 1000, 'lookedAt', extract(epoch from answer.looked_at) * 1000, 'deviceId', answer.device_id, 'list', answer.number)
          order by answer.answered_at desc, person.id) filter (where answer.sku is not null), '[]') as answers
      from unnest(${skus}::text[]) wanted (sku)
      left join search_answers answer on answer.session_id = ${sessionId} and answer.sku = wanted.sku
      left join heard on heard.sku = answer.sku and heard.answered_by = answer.answered_by
      left join users person on person.id = answer.answered_by
      left join search_decisions decision on decision.session_id = ${sessionId} and decision.sku = wanted.sku
      left join users decider on decider.id = decision.decided_by
      group by wanted.sku, decision.answer, decider.username, decision.decided_at) said`.execute(reader);
  const said = new Map(rows.map((row) => [row.sku, presentSaid(row)]));
  return (sku) => said.get(sku) ?? nothingSaid;
}

function presentSaid(row: SaidRow): Said {
  const { answers, decided, decidedBy, decidedOn, lateScanWaits, movedSince, scannedAgain, voidedSince } =
    row;
  const decision =
    decided === null || decidedBy === null || decidedOn === null
      ? null
      : { answer: decided, decidedBy, decidedAt: decidedOn.toISOString() };
  return {
    answers: answers.map(({ at, lookedAt, ...answer }) => ({
      ...answer,
      answeredAt: new Date(at).toISOString(),
      ...(lookedAt === null ? {} : { lookedAt: new Date(lookedAt).toISOString() }),
    })),
    decision,
    lateScanWaits,
    movedSince,
    scannedAgain,
    voidedSince,
    ...(row.clockWasSet ? { clockWasSet: true } : {}),
  };
}

/** Somebody who has said that a SKU is not there, or decided it. */
export interface Seeker {
  readonly id: string;
  readonly username: string;
  /** Came by an invitation, for this session alone. */
  readonly isTemporary: boolean;
  /** The same for all accounts that may be one person: on two phones one has two. */
  readonly person: string;
}

/** Of a session: who has said of which SKUs that they are not there, or decided it. */
export async function readSeekers(
  reader: Database,
  sessionId: string,
): Promise<ReadonlyMap<string, readonly Seeker[]>> {
  const { rows } = await sql<Omit<Seeker, "person"> & { readonly sku: string }>`
    with ${heardAnswers(sessionId, null)}
    select seeker.sku, person.id, person.username, person.invitation_id is not null as is_temporary
    from (
      select sku, answered_by as person from heard where answer = 'not_there'
      union select sku, decided_by from search_decisions where session_id = ${sessionId} and answer = 'not_there') seeker
    join users person on person.id = seeker.person
    order by person.username, person.id`.execute(reader);
  const ids = [...new Set(rows.map(({ id }) => id))];
  const personOf = nameApart(ids, await readTwins(reader, ids));
  const seekers = rows.map((row) => ({ ...row, person: personOf(row.id) }));
  return groupBy(seekers, ({ sku }) => sku);
}
