import {
  type CallAnswer,
  groupBy,
  limits,
  type listToCountAgain,
  type PlaceToLook,
} from "@stocktake/contract";
import * as z from "zod/mini";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { costOfUnits, moneyOf } from "../kernel/money.ts";
import { type ListOrder, type PageRequest, pageOf } from "../kernel/paging.ts";
import { inAreaOrder, readAtOneMoment } from "../reports/reports.ts";
import { findSession } from "../sessions/sessions.ts";
import { judgedSoFar } from "./beyond-tolerance.ts";
import {
  type ListedArea,
  readAreaWork,
  readCountedPlaces,
  readDiffering,
  readListedAreas,
  readProductPlaces,
  readWaitingCodes,
  type Session,
} from "./material-queries.ts";
import { fastAreas } from "./paces.ts";
import { type DifferingPlaced, type ListedSku, type Material, skusToCountAgain } from "./reasons.ts";
import { readHeldTolerance } from "./tolerance-queries.ts";

type List = CallAnswer<typeof listToCountAgain>;

/** A page of what is to be counted again of a session, while it counts and after its end. @throws ApiError NOT_FOUND. */
export function readListToCountAgain(
  database: Database,
  caller: Caller,
  sessionId: string,
  page: PageRequest,
): Promise<List> {
  return readAtOneMoment(database, async (transaction) => {
    const session = await findSession(transaction, caller, sessionId);
    const material = await readMaterial(transaction, session);
    const rows = skusToCountAgain(material).map((row) => ({ ...row, cents: centsAtStake(row) }));
    const { items, ...rest } = pageOf(page, rows, byMoney);
    const found = await withSiblingPlaces(transaction, session, items);
    return {
      rows: found.map((row) => presentRow(row, material.areas, session)),
      currency: session.currency,
      unknownCosts: rows.filter(({ cents }) => cents === null).length,
      ...rest,
    };
  });
}

async function readMaterial(reader: Database, session: Session): Promise<Material> {
  const areas = await readListedAreas(reader, session);
  const tolerance = await readHeldTolerance(reader, session);
  return {
    tolerance: tolerance === null ? null : judgedSoFar(tolerance, session, areas),
    skus: await readUnsettled(reader, session),
    areas: new Map(areas.map((area) => [area.id, area])),
    areaOrder: inAreaOrder(areas.filter(({ deleted }) => !deleted)),
    fast: fastAreas(await readAreaWork(reader, session.id)),
    codes: await readWaitingCodes(reader, session.id),
  };
}

/** What differs, without what was counted again and settled wherever it was counted: there is nothing left to find out. */
export async function readUnsettled(reader: Database, session: Session): Promise<DifferingPlaced[]> {
  const differing = await readDiffering(reader, session);
  const skus = differing.filter(({ hasCount }) => hasCount).map(({ sku }) => sku);
  const placesOf = groupBy(await readCountedPlaces(reader, session.id, skus), ({ sku }) => sku);
  return differing.flatMap((row) => {
    const places = placesOf.get(row.sku) ?? [];
    if (places.length > 0 && places.every(({ settled }) => settled)) return [];
    return [{ ...row, places, difference: row.counted - row.onHand }];
  });
}

interface RankedSku extends ListedSku {
  /** What its difference is worth; null where that is unknown. */
  readonly cents: number | null;
}

function centsAtStake({ difference, unitCostCents }: ListedSku): number | null {
  const cents = costOfUnits(difference, unitCostCents);
  return cents === null ? null : Math.abs(cents);
}

/** The most money first; then what is of unknown cost, the most units first. */
const byMoney: ListOrder<RankedSku, [boolean, number, string]> = {
  position: z.tuple([z.boolean(), z.number(), z.string()]),
  positionOf: ({ cents, difference, sku }) => [cents === null, cents ?? Math.abs(difference), sku],
  compare: ([unknown, much, sku], [otherUnknown, otherMuch, otherSku]) => {
    if (unknown !== otherUnknown) return unknown ? 1 : -1;
    if (much !== otherMuch) return otherMuch - much;
    if (sku === otherSku) return 0;
    return sku < otherSku ? -1 : 1;
  },
};

/** What nobody counted is looked for where its product's other variants were found. */
async function withSiblingPlaces(
  reader: Database,
  session: Session,
  rows: readonly RankedSku[],
): Promise<readonly RankedSku[]> {
  const isLooked = ({ hasCount, variantsCounted }: RankedSku) => !hasCount && variantsCounted > 0;
  const titles = new Set(rows.filter(isLooked).map(({ productTitle }) => productTitle));
  const places = await readProductPlaces(reader, session.id, [...titles]);
  const areasOf = new Map(places.map(({ productTitle, areaIds }) => [productTitle, areaIds]));
  return rows.map((row) => {
    if (!isLooked(row)) return row;
    const siblings = areasOf.get(row.productTitle) ?? [];
    return { ...row, areaIds: [...new Set([...row.areaIds, ...siblings])] };
  });
}

function presentRow(
  row: RankedSku,
  areas: ReadonlyMap<string, ListedArea>,
  session: Session,
): List["rows"][number] {
  const units = new Map(row.places.map((place) => [place.areaId, place.units]));
  const places = row.areaIds.flatMap((id) => areas.get(id) ?? []).slice(0, limits.groupedNames);
  return {
    sku: row.sku,
    productTitle: row.productTitle,
    size: row.size,
    counted: row.counted,
    neverCounted: !row.hasCount,
    onHand: row.onHand,
    difference: row.difference,
    atStake: moneyOf(row.cents),
    reasons: [...row.reasons],
    areas: places.map((area) => ({
      ...{ _id: area.id, code: area.code, name: area.name, locationName: area.locationName },
      units: units.get(area.id) ?? 0,
      secondCount: secondCountOf(area, session),
    })),
  };
}

function secondCountOf(
  { closed, deleted, secondCount }: ListedArea,
  { status }: Session,
): PlaceToLook["secondCount"] {
  if (secondCount !== null) return secondCount;
  return closed && !deleted && status === "active" ? "possible" : "none";
}
