import type { CallAnswer, controlSamples, sampledAreas } from "@stocktake/contract";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Database } from "../../database/pool.ts";
import { notFound } from "../../kernel/api-error.ts";
import { NumberPosition, type PageRequest, readPage } from "../../kernel/paging.ts";
import { countDrawable } from "./drawable-queries.ts";
import { presentSamples } from "./present-sample.ts";
import {
  countSamples,
  newestCommitment,
  presentCommitment,
  presentSampled,
  readSamples,
  type SampledArea,
  type SampleRow,
  sampledColumns,
  sampledTables,
} from "./sample-queries.ts";

/** A page of a session's control samples, in their order, with what a next one could be drawn from. */
export async function listSamples(
  database: Database,
  sessionId: string,
  page: PageRequest,
): Promise<CallAnswer<typeof controlSamples>> {
  const { items, ...rest } = await readPage(page, {
    position: NumberPosition,
    positionOf: ({ number }: SampleRow) => number,
    read: (after, count) => readSamples(database, sessionId, { from: (after ?? 0) + 1, count }),
    count: () => countSamples(database, sessionId),
  });
  const commitment = await newestCommitment(database, sessionId);
  return {
    commitment: commitment === undefined ? null : presentCommitment(commitment),
    available: await countDrawable(database, sessionId),
    samples: await presentSamples(database, sessionId, items),
    ...rest,
  };
}

interface ListedRow extends SampledArea {
  readonly drawn: boolean;
}

/** A page of the areas that a sample was drawn from, in the order of their ids; none of a number that was not drawn. @throws ApiError NOT_FOUND for what is no number. */
export async function listSampledAreas(
  database: Database,
  { id: sessionId, number }: { readonly id: string; readonly number: number },
  page: PageRequest,
): Promise<CallAnswer<typeof sampledAreas>> {
  const ofSample = sql<boolean>`sampled.session_id = ${sessionId} and sampled.number = ${number}::bigint`;
  if (number === 0) throw notFound("The control sample");
  const [sample] = await readSamples(database, sessionId, { from: number, count: 1 });
  const { items, ...rest } = await readPage(page, {
    position: z.guid(),
    positionOf: ({ areaId }: ListedRow) => areaId,
    async read(after, count) {
      const { rows } = await sql<ListedRow>`
        select ${sampledColumns}, sampled.drawn from ${sampledTables}
        where ${ofSample} and (${after}::uuid is null or sampled.area_id > ${after}::uuid)
        order by sampled.area_id limit ${count}`.execute(database);
      return rows;
    },
    count: async () => (sample?.number === number ? sample.areas : 0),
  });
  return { areas: items.map((row) => ({ ...presentSampled(row), drawn: row.drawn })), ...rest };
}
