import { createHash } from "node:crypto";
import { type DeviceQueueState, naturalOrder } from "@stocktake/contract";
import { canonicalJson } from "../audit/audit.ts";
import { readTolerance, type StoredTolerance } from "../count-again/count-again.ts";
import type { Database } from "../database/pool.ts";
import type { AuditFact, AuditFacts } from "../database/tables.ts";
import { listSamples } from "../scanning/scanning.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import { type CoveredAreaRow, readCoveredAreas } from "./area-queries.ts";
import { type CoveredDeviceRow, readCoveredDevices } from "./device-queries.ts";
import { readDecisions, readSecondCounts, readSheets } from "./evidence-queries.ts";
import { readOpenBesidesStock } from "./open-queries.ts";
import { type CoveredState, type StockSummary, summariseStock } from "./stock-queries.ts";
import { type DoneWithout, doneWithout, isOpen, readBeyond } from "./tolerance/beyond-queries.ts";

/** What a certificate says of a session, as it is by now. */
export interface Facts {
  readonly body: AuditFacts;
  /** SHA-256 of what a further version would be made for: nothing in it changes by itself, or by another name. */
  readonly fingerprint: string;
  readonly stock: StockSummary;
}

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

/** What is listed by names comes in another order by other names. */
const unordered = (listed: readonly AuditFact[]): AuditFact => listed.map(canonicalJson).toSorted();

/** Reads it of an ended session; null where anything is open. */
export async function readFactsIfDone(
  reader: Database,
  session: SessionRow,
  given: { readonly withItems: boolean },
): Promise<Facts | null> {
  if (session.status !== "closed" || (await readOpenBesidesStock(reader, session)).length > 0) return null;
  const beyond = await readBeyond(reader, session);
  if (beyond.some(isOpen)) return null;
  // Open stock is told by what is read anyway: all items are read once.
  const facts = await readFacts(reader, session, { ...given, without: doneWithout(beyond) });
  return facts.stock.states.has("open") ? null : facts;
}

async function readFacts(
  reader: Database,
  session: SessionRow,
  { withItems, without }: { readonly withItems: boolean; readonly without: readonly DoneWithout[] },
): Promise<Facts> {
  const areas = inOrder(await readCoveredAreas(reader, session));
  const stock = await summariseStock(reader, session, { withItems });
  const devices = await readCoveredDevices(reader, session.id);
  const sheets = await readSheets(reader, session.id);
  const secondCounts = await readSecondCounts(reader, session.id);
  const decisions = await readDecisions(reader, session.id);
  const { samples } = await listSamples(reader, session.id, {});
  const tolerance =
    (await readTolerance(reader, { sessionId: session.id })) ??
    (await readTolerance(reader, { storeId: session.storeId }));
  const fingerprint = sha256(
    canonicalJson({
      areas: unordered(
        areas.map(({ id, state, units, said }) => [
          id,
          state,
          units,
          ...said.filter(({ holds }) => holds).map(({ as, reason }) => [as, reason]),
        ]),
      ),
      stock: stock.list,
      leftAlone: unordered(stock.leftAlone.map(({ reason, personId, skus }) => [reason, personId, skus])),
      searchers: unordered(stock.searchers.map(({ personId, skus }) => [personId, skus])),
      // Said only where there is some: what an earlier release has issued still says what is so.
      ...(stock.zeroed.length === 0
        ? {}
        : { zeroed: unordered(stock.zeroed.map(({ personId, skus }) => [personId, skus])) }),
      ...(without.length === 0
        ? {}
        : {
            without: unordered(
              without.map(({ reason, byId, skus, named }) => [reason, byId, skus, ...named]),
            ),
          }),
      devices: devices.map(({ device, holds, reason, saidById }) =>
        holds ? [device, reason, saidById] : device,
      ),
      ...{ sheets, secondCounts, decisions },
      samples: samples.map(({ number, status }) => [number, status]),
    }),
  );
  const body = {
    figures: figuresOf(areas, { stock, devices, sheets, secondCounts, decisions, without }),
    session: describeSession(session),
    areas: areas.map(describeArea),
    stock: describeStock(stock),
    devices: devices.map(describeDevice),
    ...{ sheets, secondCounts, decisions },
    samples: samples.map((sample) => ({
      ...{ number: sample.number, status: sample.status, areas: sample.areas },
      ...{ drawn: sample.drawn.length, counted: sample.counted, differing: sample.differing },
      atMost: sample.atMost === null ? null : { ...sample.atMost },
    })),
    tolerance: describeTolerance(tolerance),
    withoutCountAgain: without.map(({ byId: _, ...each }) => each),
  };
  return { body, fingerprint, stock };
}

interface Counted {
  readonly stock: StockSummary;
  readonly devices: readonly CoveredDeviceRow[];
  readonly sheets: { readonly returned: number; readonly void: number };
  readonly secondCounts: Readonly<Record<string, number>>;
  readonly decisions: Readonly<Record<string, number>>;
  readonly without: readonly DoneWithout[];
}

/** How much there is of each kind: what two versions are compared by. */
function figuresOf(areas: readonly CoveredAreaRow[], counted: Counted): Readonly<Record<string, number>> {
  const areasThat = (state: string) => areas.filter((area) => area.state === state).length;
  const of = (state: CoveredState) => counted.stock.states.get(state) ?? { skus: 0, units: 0 };
  const devicesThat = (state: DeviceQueueState) =>
    counted.devices.filter((device) => device.state === state).length;
  return {
    areasCounted: areasThat("counted"),
    areasEmpty: areasThat("empty"),
    areasVoid: areasThat("void"),
    skusCounted: of("counted").skus,
    unitsCounted: of("counted").units,
    skusNotThere: of("not_there").skus,
    skusZeroed: of("zeroed").skus,
    skusLeftAlone: of("left_alone").skus,
    skusOutside: of("outside").skus,
    devices: counted.devices.length - devicesThat("never_heard"),
    devicesTellingScansAlone: devicesThat("scans_alone"),
    devicesNeverHeard: devicesThat("never_heard"),
    devicesAccountedFor: counted.devices.filter(({ holds }) => holds).length,
    sheetsReturned: counted.sheets.returned,
    sheetsVoid: counted.sheets.void,
    secondCounts: counted.secondCounts.made ?? 0,
    scansAccepted: counted.decisions.accepted ?? 0,
    scansDismissed: counted.decisions.dismissed ?? 0,
    countsByHand: counted.decisions.adjusted ?? 0,
    skusWithoutCountAgain: counted.without.reduce((sum, { skus }) => sum + skus, 0),
  };
}

function inOrder(areas: readonly CoveredAreaRow[]): readonly CoveredAreaRow[] {
  const compare = naturalOrder();
  return areas.toSorted(
    (left, right) =>
      compare(left.locationName, right.locationName) ||
      compare(left.code, right.code) ||
      (left.id < right.id ? -1 : 1),
  );
}

function describeSession(session: SessionRow): AuditFacts {
  return {
    ...{ id: session.id, name: session.name, scope: session.scope, store: session.storeName },
    ...{ shop: session.shopDomain, shopifyLocation: session.shopifyLocationId },
    startedAt: session.startedAt.toISOString(),
    endedAt: session.endedAt?.toISOString() ?? null,
  };
}

/** Who makes an area what it is: who closed it, and for an empty one who said so besides; who declared it void, and why. */
function describeArea({ id, code, name, locationName, ...area }: CoveredAreaRow): AuditFacts {
  const holding = area.said.filter(({ holds }) => holds);
  const saidNow = (as: string) => holding.find((statement) => statement.as === as);
  const statement = saidNow(area.state);
  const without = saidNow("without_second_count");
  return {
    ...{ id, code, name, location: locationName, became: area.state, units: area.units },
    closedBy: area.closedBy,
    ...(area.state === "empty" ? { emptyTooBy: area.emptyBy } : {}),
    ...(statement === undefined
      ? {}
      : { saidBy: statement.by, saidAt: new Date(statement.at).toISOString(), reason: statement.reason }),
    ...(without === undefined
      ? {}
      : {
          withoutSecondCount: {
            by: without.by,
            at: new Date(without.at).toISOString(),
            reason: without.reason,
          },
        }),
  };
}

/** No device says by now that it holds anything. Of one of which nothing certain is known who accounted for it, and why. */
function describeDevice({ device, person, state, heardAt, ...said }: CoveredDeviceRow): AuditFacts {
  const at = heardAt?.toISOString() ?? null;
  return {
    ...{ device, person, emptyAt: state === "empty" ? at : null },
    ...(state === "scans_alone" ? { scansSentAt: at } : {}),
    ...(said.holds
      ? { saidBy: said.saidBy, saidAt: said.saidAt?.toISOString() ?? null, reason: said.reason }
      : {}),
  };
}

function describeStock({ states, list, leftAlone, zeroed, searchers }: StockSummary): AuditFacts {
  const none = { skus: 0, units: 0 };
  const of = (state: CoveredState): AuditFacts => ({ ...none, ...states.get(state) });
  return {
    counted: of("counted"),
    notThere: { ...of("not_there"), people: searchers.map(({ personId: _, ...searcher }) => searcher) },
    zeroed: { ...of("zeroed"), people: zeroed.map(({ personId: _, ...each }) => each) },
    leftAlone: { ...of("left_alone"), reasons: leftAlone.map(({ personId: _, ...each }) => each) },
    outside: of("outside"),
    list,
  };
}

/** As it is stored: money and shares in hundredths. */
function describeTolerance(tolerance: StoredTolerance | null): AuditFact {
  return tolerance === null ? null : { over: { ...tolerance.over }, short: { ...tolerance.short } };
}
