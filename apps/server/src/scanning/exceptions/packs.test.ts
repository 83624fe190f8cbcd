import {
  exceptionGroups,
  limits,
  resolveScan,
  savePacks,
  sessionExceptions,
  takeBackDecisions,
} from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { finishFirstArea } from "../testing/endings.ts";
import { countInEachTest, countsOf, type ScanReply, scan } from "../testing/scene.ts";

const scene = countInEachTest();

describe("accepting a scan whose code has become one of a pack since", () => {
  const pack = { code: "50123456789005", sku: "JK-1000", units: 12 };
  const savePack = (units: number) =>
    scene.server.admin.call(savePacks, { body: { packs: [{ ...pack, units }] } });
  const scanCartons = (quantity: number) => scan(scene, { input: pack.code, quantity });
  const row = ({ scan: { _id: id } }: ScanReply) =>
    scene.server.database.database
      .selectFrom("scans")
      .selectAll()
      .where("id", "=", Number(id))
      .executeTakeFirstOrThrow();

  const accept = ({ scan: { _id: id } }: ScanReply, chosen: { readonly sku?: string }) =>
    scene.server.admin.call(resolveScan, { params: { id }, body: { action: "accept", ...chosen } });

  beforeEach(() => savePack(0));

  test.each([{}, { sku: pack.sku }])(
    "counts the units of the packs, and taken back it waits exactly as it was (%o)",
    async (chosen) => {
      const cartons = await scanCartons(2);
      const before = await row(cartons);
      await savePack(12);
      await accept(cartons, chosen);
      expect(await row(cartons)).toMatchObject({ sku: pack.sku, quantity: 24, packUnits: 12 });
      expect(await countsOf(scene)).toEqual({ "JK-1000": 24 });
      expect(await finishFirstArea(scene, 24)).toEqual({ matched: true, serverTotal: 24 });
      const { after } = await scene.server.database.database
        .selectFrom("auditEntries")
        .select("after")
        .where("chain", "=", scene.session._id)
        .where("action", "=", "exception.accepted")
        .executeTakeFirstOrThrow();
      expect(after).toMatchObject({ quantity: 24, packUnits: 12 });
      await savePack(6);
      const body = { scanIds: [cartons.scan._id] };
      await scene.server.admin.call(takeBackDecisions, { params: { id: scene.session._id }, body });
      expect(await row(cartons)).toEqual(before);
      expect(await countsOf(scene)).toEqual({});
    },
  );

  test.each([
    [{}, { sku: pack.sku, quantity: 24, packUnits: 12 }],
    [{ sku: "JK-1001" }, { sku: "JK-1001", quantity: 2, packUnits: null }],
  ])(
    "counts them as if it had waited all along where a server of an earlier release took the acceptance back, which left the units (%o)",
    async (chosen, counted) => {
      const cartons = await scanCartons(2);
      const before = await row(cartons);
      await savePack(12);
      await accept(cartons, {});
      const body = { scanIds: [cartons.scan._id] };
      const params = { id: scene.session._id };
      await scene.server.admin.call(takeBackDecisions, { params, body });
      await scene.server.database.database
        .updateTable("scans")
        .set({ quantity: 24, packUnits: 12 })
        .where("id", "=", Number(cartons.scan._id))
        .execute();
      const { groups } = await scene.server.admin.call(exceptionGroups, { params });
      expect(groups).toMatchObject([{ units: 2 }]);
      const { scans } = await scene.server.admin.call(sessionExceptions, { params });
      expect(scans).toMatchObject([{ quantity: 2 }]);
      await accept(cartons, chosen);
      expect(await row(cartons)).toMatchObject(counted);
      expect(await countsOf(scene)).toEqual({ [counted.sku]: counted.quantity });
      await scene.server.admin.call(takeBackDecisions, { params, body });
      expect(await row(cartons)).toEqual(before);
    },
  );

  test("counts what was scanned as another product, and is refused of more units than a scan can count, until it is dismissed", async () => {
    const units = 9;
    const most = limits.scanQuantity / units;
    const [fits, tooMany, another] = [
      await scanCartons(most),
      await scan(scene, { seq: 2, input: pack.code, quantity: most + 1 }),
      await scan(scene, { seq: 3, input: pack.code, quantity: most + 1 }),
    ];
    await savePack(units);
    const params = { id: tooMany.scan._id };
    const body = { action: "accept", sku: pack.sku } as const;
    const { code, error } = await scene.server.admin.refusal(resolveScan, { params, body });
    expect(code).toBe("VALIDATION");
    expect(error).toMatch(
      /is by now one of a pack of 9 units, and 1,112 of these packs are more than 9,999 units/,
    );
    const dismissal = { params, body: { action: "dismiss" as const } };
    await scene.server.admin.call(resolveScan, dismissal);
    expect((await scene.server.admin.refusal(resolveScan, { params, body })).code).toBe("SCAN_NOT_OPEN");
    await accept(another, { sku: "JK-1001" });
    await accept(fits, {});
    expect(await countsOf(scene)).toEqual({ "JK-1000": limits.scanQuantity, "JK-1001": most + 1 });
  });
});
