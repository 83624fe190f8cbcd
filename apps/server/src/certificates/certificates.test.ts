import { createHash } from "node:crypto";
import * as contract from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene();

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("what is open", () => {
  test("every area and all stock at first; what is counted, said or left alone no longer", async () => {
    expect(await scene.open()).toEqual({ areas: 3, stock: 6 });
    await scene.scan("A1", "JK-1000");
    expect(await scene.open()).toEqual({ areas: 3, stock: 5 });
    await scene.finish("A1", 1);
    await scene.finish("A2", 0, scene.ben);
    expect(await scene.open()).toEqual({ areas: 1, empty_areas: 1, stock: 5 });
    await scene.say(["A2"], "empty");
    await scene.say(["A3"], "void");
    expect(await scene.open()).toEqual({ stock: 5 });
    expect(await scene.leave()).toEqual({ changed: 5 });
    expect(await scene.read()).toEqual({ open: [], certificate: null, canIssue: false });
    expect(await scene.leave(false)).toEqual({ changed: 5 });
    expect(await scene.open()).toEqual({ stock: 5 });
  });

  test("an area that was closed empty is empty once somebody else has found nothing in it either", async () => {
    await scene.finish("A2", 0);
    expect(await scene.open()).toMatchObject({ empty_areas: 1 });
    await scene.server.admin.call(contract.askSecondCount, { body: { areaId: scene.areaId("A2") } });
    expect(await scene.open()).toMatchObject({ empty_areas: 1, second_counts: 1 });
    await scene.countAgain("A2", new Map());
    expect(await scene.open()).toEqual({ areas: 2, stock: 6 });
  });

  test("a count of some SKUs alone that finds none of them does not confirm that their area is empty", async () => {
    await scene.finish("A2", 0);
    const body = { areaId: scene.areaId("A2"), skus: ["JK-1000"] };
    await scene.server.admin.call(contract.askSecondCount, { body });
    await scene.countAgain("A2", new Map());
    expect(await scene.open()).toEqual({ areas: 2, empty_areas: 1, stock: 6 });
  });

  test("a scan in a void area is stored as ever and opens it; an area with scans can't be void", async () => {
    await scene.say(["A3"], "void");
    expect(await scene.open()).toMatchObject({ areas: 2 });
    await scene.scan("A3", "JK-1000");
    expect(await scene.open()).toMatchObject({ areas: 3 });
    expect(await scene.say(["A3"], "void")).toMatchObject({ body: { code: "AREA_HAS_SCANS" } });
    await scene.finish("A3", 1);
    expect(await scene.open()).toMatchObject({ areas: 2 });
    expect(await scene.say(["A3"], "void")).toMatchObject({ body: { code: "AREA_CLOSED" } });
    expect(await scene.say(["A1"], "empty")).toMatchObject({ body: { code: "AREA_NOT_CLOSED" } });
    expect(await scene.say(["A1"], "without_second_count")).toMatchObject({
      body: { code: "NO_SECOND_COUNT" },
    });
  });

  test("scans that wait, devices that hold some, and sheets that are out", async () => {
    await scene.scan("A1", "NO-SUCH-CODE", { pending: 4 });
    const body = { areaIds: [scene.areaId("A2")], order: "title" as const };
    await scene.server.admin.call(contract.printSheets, { params: scene.params, body });
    expect(await scene.open()).toMatchObject({ devices: 1, exceptions: 1, sheets: 1 });
    await scene.scan("A1", "JK-1000", { pending: 0 });
    await scene.server.admin.call(contract.voidSheet, {
      params: { ...scene.params, number: "1" },
      body: { reason: "Coffee" },
    });
    const open = await scene.open();
    expect([open.devices, open.sheets, open.exceptions]).toEqual([undefined, undefined, 1]);
  });

  test("what was searched for and is not there is accounted for; what contradicts that is open again", async () => {
    const { params } = scene;
    await scene.server.admin.call(contract.createSearches, { params, body: { skus: ["BELT-1"] } });
    const said = { sku: "BELT-1", deviceId: "phone of Ada" };
    const say = (answer: contract.SearchAnswer, by = scene.ada) =>
      by.api.call(contract.answerSearch, { params: { ...params, number: "1" }, body: { ...said, answer } });
    await say("not_there");
    expect(await scene.open()).toMatchObject({ stock: 5 });
    await say("found", scene.ben);
    expect(await scene.open()).toMatchObject({ stock: 6 });
  });

  test("a second count that the end cut off is open until somebody says why the session does without", async () => {
    await scene.scan("A1", "JK-1000");
    await scene.finish("A1", 1);
    await scene.server.admin.call(contract.askSecondCount, { body: { areaId: scene.areaId("A1") } });
    await scene.say(["A2", "A3"], "void");
    await scene.leave();
    await scene.end();
    expect(await scene.open()).toEqual({ cut_off_counts: 1 });
    await scene.say(["A1"], "without_second_count");
    expect(await scene.read()).toMatchObject({ open: [], canIssue: true });
  });

  test("a control sample is open until it is finished, third counts included, or void, and by itself too", async () => {
    const { params, server } = scene;
    const draw = (areas: number) =>
      server.admin.call(contract.drawSample, { params, body: { areas, reason: "Another" } });
    await scene.finish("A1", 0);
    await draw(1);
    expect(await scene.open()).toMatchObject({ samples: 1, second_counts: 1 });
    await scene.countAgain("A1", new Map([["JK-1000", 2]]));
    expect(await scene.open()).toMatchObject({ samples: 1, second_counts: 1, differences: 1 });
    await scene.countAgain("A1", new Map(), scene.cleo);
    expect(await scene.open()).toEqual({ areas: 2, stock: 6 });
    for (const code of ["A2", "A3"]) await scene.finish(code, 0);
    await draw(2);
    await server.admin.call(contract.reopenArea, { body: { areaId: scene.areaId("A2"), eraseScans: true } });
    expect(await scene.open()).toEqual({ areas: 1, empty_areas: 1, stock: 6, second_counts: 1 });
  });

  test("a count of what was scanned alone owes nothing of the rest of the stock", async () => {
    await scene.begin({ scope: "partial" });
    expect(await scene.open()).toEqual({ areas: 3 });
  });
});

describe("the certificate", () => {
  test("none while the session counts, and none while anything is open", async () => {
    expect(await scene.issue()).toMatchObject({ body: { code: "SESSION_ACTIVE" } });
    await scene.end();
    expect(await scene.issue()).toMatchObject({ status: 409, body: { code: "COVERAGE_OPEN" } });
    expect(await scene.versions()).toEqual([]);
  });

  test("its hash is that of its text and in the log; issued again it stays as it is", async () => {
    await scene.complete();
    expect(await scene.issue()).toMatchObject({
      status: 201,
      body: { certificate: { version: 1, valid: true } },
    });
    await scene.issue();
    const [certificate, ...others] = await scene.versions();
    expect(others).toEqual([]);
    expect(certificate?.hash).toBe(sha256(certificate?.text ?? ""));
    expect(JSON.parse(certificate?.text ?? "")).toMatchObject({
      ...{
        format: "stocktake-certificate-1",
        version: 1,
        previousHash: null,
        changes: null,
        issuedBy: "admin",
      },
      areas: [
        { code: "A1", became: "counted", units: 1, closedBy: "Ada" },
        { code: "A2", became: "empty", closedBy: "Ben", saidBy: "admin" },
        { code: "A3", became: "void", reason: "Being rebuilt", saidBy: "admin" },
      ],
      stock: {
        counted: { skus: 1, units: 1 },
        leftAlone: { skus: 5, reasons: [{ reason: "Of the other shop", by: "admin", skus: 5 }] },
      },
      devices: [{ device: "phone of Ada", person: "Ada" }],
    });
    const { entries } = await scene.server.admin.call(contract.listAudit, {
      query: { sessionId: scene.session._id, action: "certificate.issued" },
    });
    expect(entries).toMatchObject([{ before: null, after: { version: 1, hash: certificate?.hash } }]);
  });

  test("a count by hand makes the next version, which names the SKU, what it was, is, and why", async () => {
    await scene.complete();
    await scene.issue();
    await scene.server.admin.call(contract.adjustCount, {
      params: { sessionId: scene.session._id },
      body: { sku: "JK-1000", newCount: 3, reason: "Two behind the shelf" },
    });
    const second = await scene.untilVersion(2);
    const [, first] = await scene.versions();
    expect([second.valid, second.issuedBy, first?.valid]).toEqual([true, null, false]);
    expect(JSON.parse(second.text)).toMatchObject({
      previousHash: first?.hash,
      issuedBy: "Server",
      changes: {
        figures: { unitsCounted: { from: 1, to: 3 }, countsByHand: { from: 0, to: 1 } },
        skus: 1,
        listed: [
          {
            sku: "JK-1000",
            from: { state: "counted", units: 1 },
            to: { state: "counted", units: 3 },
            why: [{ action: "count.adjusted", by: "admin", reason: "Two behind the shelf" }],
          },
        ],
      },
    });
  });

  test("a late scan takes its validity away at once; what is decided of it makes the next version", async () => {
    await scene.complete();
    await scene.issue();
    const late = await scene.scan("A1", "JK-1001");
    expect(await scene.read()).toMatchObject({
      open: [{ kind: "exceptions", count: 1 }],
      certificate: { version: 1, valid: false },
      canIssue: false,
    });
    expect(await scene.issue()).toMatchObject({ body: { code: "COVERAGE_OPEN" } });
    await scene.server.admin.call(contract.resolveScan, { params: { id: late }, body: { action: "accept" } });
    const second = await scene.untilVersion(2);
    expect(JSON.parse(second.text).changes).toMatchObject({
      figures: { skusCounted: { from: 1, to: 2 }, skusLeftAlone: { from: 5, to: 4 } },
      listed: [{ sku: "JK-1001", from: { state: "left_alone" }, to: { state: "counted", units: 1 } }],
    });
    expect((await scene.read()).certificate).toMatchObject({ version: 2, valid: true });
  });
});

test("another name of a location or a person is no change, whatever comes first by it", async () => {
  const { server, params, store } = scene;
  const place = { name: "Stockroom", storeId: store.id };
  const { location } = await server.admin.call(contract.createLocation, { body: place });
  const { areas } = await server.admin.call(contract.createAreas, {
    params: { id: location._id },
    body: { areas: [{ code: "B1" }] },
  });
  const ofNobody = { as: "void", stated: true, reason: "Empty room" } as const;
  const areaIds = areas.map(({ _id }) => _id);
  await server.admin.call(contract.stateAreas, { params, body: { areaIds, ...ofNobody } });
  await server.admin.call(contract.createSearches, {
    params,
    body: { skus: ["BELT-1", "JK-1001", "JK-1002"] },
  });
  for (const [sku, by] of [
    ["BELT-1", scene.ada],
    ["JK-1001", scene.ben],
    ["JK-1002", scene.ben],
  ] as const) {
    const body = { sku, answer: "not_there", deviceId: `phone of ${by.username}` } as const;
    await by.api.call(contract.answerSearch, { params: { ...params, number: "1" }, body });
  }
  await scene.complete();
  await scene.issue();
  await server.admin.call(contract.updateLocation, {
    params: { id: store.locationId },
    body: { name: "Ground floor, with the windows" },
  });
  await server.admin.call(contract.updateLocation, {
    params: { id: location._id },
    body: { name: "Cellar" },
  });
  const rename = (from: string, to: string) =>
    server.database.pool.query("update users set username = $2 where username = $1", [from, to]);
  await rename("Ada", "Zoe");
  await rename("admin", "Boss");
  const coverage = await scene.read();
  await rename("Boss", "admin");
  expect(coverage).toMatchObject({ open: [], certificate: { version: 1, valid: true } });
});

test("out of a backup nothing is certain until somebody releases the session", async () => {
  await scene.complete();
  await scene.issue();
  const ofSession = "update sessions set restored = $2, backup_made_at = now() where id = $1";
  await scene.server.database.pool.query(ofSession, [scene.session._id, true]);
  expect(await scene.read()).toMatchObject({ open: [{ kind: "restored" }], certificate: { valid: false } });
  await scene.server.database.pool.query(ofSession, [scene.session._id, false]);
  expect(await scene.read()).toMatchObject({ open: [], certificate: { valid: true } });
});

test("the auditor's file holds every version with the list of SKUs that its text has the hash of", async () => {
  await scene.complete();
  await scene.issue();
  const { body } = await scene.server.admin.send(contract.writeAuditorsFile, {
    params: { sessionId: scene.session._id },
  });
  const records = String(body)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line.slice(65)));
  const [certificate, ...others] = records.filter(({ is }) => is === "certificate");
  expect(others).toEqual([]);
  expect(certificate).toMatchObject({ version: 1, hash: sha256(certificate.text), issuedBy: "admin" });
  expect(JSON.parse(certificate.text).stock.list).toBe(sha256(certificate.items));
  expect(certificate.items.split("\n")).toContain('["JK-1000","counted",1]');
});
