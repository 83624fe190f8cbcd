import type {
  CallAnswer,
  CallRequest,
  CoverageKind,
  CoveredArea,
  CoveredDevice,
  listCertificates,
  listCoveredAreas,
  listCoveredDevices,
  listUncoveredStock,
  OpenCoverage,
  readCoverage,
  UncoveredRow,
} from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { byNames, NumberPosition, type PageRequest, pageOf, readPage } from "../kernel/paging.ts";
import { readOfSession } from "../reports/reports.ts";
import { MissedPosition } from "../searches/searches.ts";
import { isDeployed, type SessionRow } from "../sessions/sessions.ts";
import { type CoveredAreaRow, readCoveredAreas } from "./area-queries.ts";
import {
  countCertificates,
  newestCertificate,
  presentInBrief,
  readCertificates,
  type StoredCertificate,
} from "./certificate-queries.ts";
import { type CoveredDeviceRow, readCoveredDevices } from "./device-queries.ts";
import { readFactsIfDone } from "./facts.ts";
import { readOpen } from "./open-queries.ts";
import { countUncovered, readUncovered, type UncoveredItem } from "./stock-queries.ts";

/** Kinds since the release before: a page of it that an update leaves open can't show a kind that is new. */
const furtherKinds: ReadonlySet<CoverageKind> = new Set(["unknown_devices", "beyond_tolerance"]);

/** What a session leaves open, and its newest certificate. @throws ApiError NOT_FOUND. */
export function readCoverageOf(
  database: Database,
  caller: Caller,
  sessionId: string,
): Promise<CallAnswer<typeof readCoverage>> {
  return readOfSession(database, caller, sessionId, async (reader, session) => {
    const newest = await newestCertificate(reader, sessionId);
    const valid = await holdsNow(reader, session, newest);
    const open = valid ? [] : await readOpen(reader, session);
    const isFurther = ({ kind }: OpenCoverage) => furtherKinds.has(kind);
    return {
      open: open.filter((each) => !isFurther(each)),
      furtherOpen: open.filter(isFurther),
      certificate: newest === undefined ? null : presentInBrief(newest, valid),
      canIssue: session.status === "closed" && open.length === 0 && !valid,
      ...((await isDeployed(reader, sessionId)) ? { deployed: true } : {}),
    };
  });
}

/** Whether a certificate says what is so now, and nothing is open. */
async function holdsNow(
  reader: Database,
  session: SessionRow,
  certificate: StoredCertificate | undefined,
): Promise<boolean> {
  if (certificate === undefined) return false;
  const facts = await readFactsIfDone(reader, session, { withItems: false });
  return facts !== null && certificate.fingerprint === facts.fingerprint;
}

/** A page of a session's areas, by location and code. @throws ApiError NOT_FOUND. */
export function listAreas(
  database: Database,
  caller: Caller,
  sessionId: string,
  { which, ...page }: CallRequest<typeof listCoveredAreas>["query"],
): Promise<CallAnswer<typeof listCoveredAreas>> {
  return readOfSession(database, caller, sessionId, async (reader, session) => {
    const rows = await readCoveredAreas(reader, session, { which });
    const order = byNames<CoveredAreaRow>(({ locationName, code, id }) => [locationName, code, id]);
    const { items, ...rest } = pageOf(page, rows, order);
    return { areas: items.map(presentArea), ...rest };
  });
}

function presentArea(row: CoveredAreaRow): CoveredArea {
  const { id, code, name, locationName, state, counted, owesCount, said } = row;
  return {
    area: { _id: id, code, name, locationName },
    ...{ state, counted },
    cutOff: owesCount,
    said: said.map(({ at, ...statement }) => ({ ...statement, at: new Date(at).toISOString() })),
  };
}

/** A page of a session's devices, by who used them. @throws ApiError NOT_FOUND. */
export function listDevices(
  database: Database,
  caller: Caller,
  sessionId: string,
  { which, ...page }: CallRequest<typeof listCoveredDevices>["query"],
): Promise<CallAnswer<typeof listCoveredDevices>> {
  return readOfSession(database, caller, sessionId, async (reader) => {
    const rows = await readCoveredDevices(reader, sessionId, { which });
    const order = byNames<CoveredDeviceRow>(({ person, device }) => [person, device]);
    const { items, ...rest } = pageOf(page, rows, order);
    return { devices: items.map(presentDevice), ...rest };
  });
}

function presentDevice({ device, person, state, pending, ...row }: CoveredDeviceRow): CoveredDevice {
  const { openedAt, heardAt, reason, saidBy, saidAt, holds } = row;
  const isSaid = reason !== null && saidBy !== null && saidAt !== null;
  return {
    ...{ deviceId: device, username: person, state, pending },
    openedAt: openedAt?.toISOString() ?? null,
    heardAt: heardAt?.toISOString() ?? null,
    said: isSaid ? { reason, by: saidBy, at: saidAt.toISOString(), holds } : null,
  };
}

/** A page of the stock that is open, left alone, or was set to zero without a count. @throws ApiError NOT_FOUND. */
export function listStock(
  database: Database,
  caller: Caller,
  sessionId: string,
  { cursor, limit, ...filter }: CallRequest<typeof listUncoveredStock>["query"],
): Promise<CallAnswer<typeof listUncoveredStock>> {
  return readOfSession(database, caller, sessionId, async (reader, session) => {
    const { items, ...rest } = await readPage(
      { cursor, limit },
      {
        position: MissedPosition,
        positionOf: ({ vendor, productTitle, sku }: UncoveredItem): MissedPosition => [
          vendor,
          productTitle,
          sku,
        ],
        read: (after, count) => readUncovered(reader, session, filter, { after, count }),
        count: () => countUncovered(reader, session, filter),
      },
    );
    return { rows: items.map(presentItem), ...rest };
  });
}

function presentItem({
  units,
  reason,
  leftBy,
  leftAt,
  zeroedBy,
  zeroedAt,
  ...item
}: UncoveredItem): UncoveredRow {
  const leftAlone =
    reason === null || leftBy === null || leftAt === null
      ? null
      : { reason, by: leftBy, at: leftAt.toISOString() };
  const zeroed = zeroedAt === null ? {} : { zeroed: { by: zeroedBy, at: zeroedAt.toISOString() } };
  const { sku, productTitle, size, vendor, productType } = item;
  return { sku, productTitle, size, vendor, productType, onHand: units, leftAlone, ...zeroed };
}

/** The text of one may be long. */
const versionsPerPage = 20;

/** A page of the versions of a session's certificate. @throws ApiError NOT_FOUND. */
export function listVersions(
  database: Database,
  caller: Caller,
  sessionId: string,
  page: PageRequest,
): Promise<CallAnswer<typeof listCertificates>> {
  return readOfSession(database, caller, sessionId, async (reader, session) => {
    const newest = await newestCertificate(reader, sessionId);
    const holds = await holdsNow(reader, session, newest);
    const { items, ...rest } = await readPage(
      { ...page, limit: page.limit ?? versionsPerPage },
      {
        position: NumberPosition,
        positionOf: ({ version }: StoredCertificate) => version,
        read: (before, count) => readCertificates(reader, sessionId, { before, count }),
        count: () => countCertificates(reader, sessionId),
      },
    );
    return {
      certificates: items.map((row) => ({
        ...presentInBrief(row, holds && row.version === newest?.version),
        text: row.body,
      })),
      ...rest,
    };
  });
}
