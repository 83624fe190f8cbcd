import {
  type CallAnswer,
  limits,
  type listToCountAgain,
  naturalOrder,
  type PlaceToLook,
} from "@stocktake/contract";
import * as z from "zod/mini";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { costOfUnits, moneyOf } from "../kernel/money.ts";
import { type ListOrder, type PageRequest, pageOf } from "../kernel/paging.ts";
import { inAreaOrder, readAtOneMoment } from "../reports/reports.ts";
import { findSession } from "../sessions/sessions.ts";
import { toleranceSoFar } from "./beyond-tolerance.ts";
import {
  type ListedArea,
  readAreaWork,
  readDiffering,
  readListedAreas,
  readProductPlaces,
  readWaitingCodes,
  type Session,
} from "./material-queries.ts";
import { fastAreas } from "./paces.ts";
import { type ListedSku, type Material, skusToCountAgain } from "./reasons.ts";
import { readHeldTolerance } from "./tolerance-queries.ts";
import { withAreas } from "./with-areas.ts";

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
    const compare = naturalOrder();
    return {
      rows: found.map((row) => presentRow(row, { areas: material.areas, session, compare })),
      currency: session.currency,
      unknownCosts: rows.filter(({ cents }) => cents === null).length,
      ...rest,
    };
  });
}

async function readMaterial(reader: Database, session: Session): Promise<Material> {
  const areas = await readListedAreas(reader, session);
  const tolerance = await readHeldTolerance(reader, session);
  const placed = await withAreas(reader, session, await readDiffering(reader, session));
  return {
    tolerance: tolerance === null ? null : toleranceSoFar(tolerance, session, areas),
    skus: placed.map((sku) => ({ ...sku, difference: sku.counted - sku.onHand })),
    areas: new Map(areas.map((area) => [area.id, area])),
    areaOrder: inAreaOrder(areas.filter(({ deleted }) => !deleted)),
    fast: fastAreas(await readAreaWork(reader, session.id)),
    codes: await readWaitingCodes(reader, session.id),
  };
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

interface Shown {
  readonly areas: ReadonlyMap<string, ListedArea>;
  readonly session: Session;
  /** As people sort names and codes. */
  readonly compare: Compare;
}

type Compare = ReturnType<typeof naturalOrder>;

function presentRow(row: RankedSku, { areas, session, compare }: Shown): List["rows"][number] {
  const units = new Map(row.places.map((place) => [place.areaId, place.units]));
  const places = inLookingOrder(
    row.areaIds.flatMap((id) => areas.get(id) ?? []),
    units,
    compare,
  );
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
    areas: places.slice(0, limits.groupedNames).map((area) => ({
      ...{ _id: area.id, code: area.code, name: area.name, locationName: area.locationName },
      units: units.get(area.id) ?? 0,
      secondCount: secondCountOf(area, session, row.sku),
    })),
    areasLeftOut: Math.max(places.length - limits.groupedNames, 0),
  };
}

/** Those with most units of it first, then as somebody walks: by location and code. */
function inLookingOrder(
  areas: readonly ListedArea[],
  units: ReadonlyMap<string, number>,
  compare: Compare,
): ListedArea[] {
  const unitsIn = ({ id }: ListedArea) => units.get(id) ?? 0;
  return areas.toSorted(
    (left, right) =>
      unitsIn(right) - unitsIn(left) ||
      compare(left.locationName, right.locationName) ||
      compare(left.code, right.code),
  );
}

function secondCountOf(
  { closed, deleted, secondCount, openOf, madeOf }: ListedArea,
  { status }: Session,
  sku: string,
): PlaceToLook["secondCount"] {
  if (secondCount === "open" && openOf?.includes(sku) === false) return "open_of_others";
  if (secondCount !== null) return secondCount;
  if (madeOf.includes(sku)) return "made";
  return closed && !deleted && status === "active" ? "possible" : "none";
}
