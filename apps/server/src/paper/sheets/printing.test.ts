import {
  limits,
  listSheets,
  postScan,
  printSheets,
  readSheet,
  resetArea,
  storeCountRows,
} from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database, Transaction } from "../../database/pool.ts";
import {
  codes,
  countInEachTest,
  countingSlices,
  countsOf,
  endAtOnce,
  firstArea,
  scan,
  scanBody,
} from "../../scanning/testing/scene.ts";
import { begin, join } from "../../testing/scenes.ts";
import { countWaiting } from "../../testing/waiting-transactions.ts";
import { paperRoutes } from "../routes.ts";
import { sheetsOf } from "./testing.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);
const { areaIds, bringBack, declareVoid, ofSession, print, read, refusal } = sheetsOf(scene);
const { jacketL, jacketM, jacketS } = codes;

const titlesOf = async (number: number) =>
  (await read(number)).lines.map(({ productTitle, size }) => `${productTitle} ${size}`);

test("sheets have running numbers, and name who printed them", async () => {
  const [first, second] = await print({ areaIds: areaIds("A1", "A2") });
  expect([first?.number, second?.number]).toEqual([1, 2]);
  expect(first).toMatchObject({
    ...{ area: { code: "A1", locationName: "Sales floor" }, state: "out", order: "walk" },
    ...{ products: 0, blankLines: limits.sheetLinesPerPage, printedBy: { username: "admin" }, keyed: null },
  });
  const all = await Promise.all([print(), print(), print({ blankPages: 2 })]);
  expect(
    all
      .flat()
      .map(({ number }) => number)
      .sort(),
  ).toEqual([3, 4, 5]);
  const { sheets, total } = await scene.server.admin.call(listSheets, { params: ofSession() });
  expect([sheets.map(({ number }) => number), total]).toEqual([[1, 2, 3, 4, 5], 5]);
  expect(sheets.map(({ blankLines }) => blankLines / limits.sheetLinesPerPage).sort()).toEqual([
    1, 1, 1, 1, 3,
  ]);
  const paged = await scene.server.admin.call(listSheets, {
    params: ofSession(),
    query: { limit: "2" },
  });
  const rest = await scene.server.admin.call(listSheets, {
    params: ofSession(),
    query: { limit: "2", cursor: paged.next ?? "" },
  });
  expect(rest.sheets.map(({ number }) => number)).toEqual([3, 4]);
});

test("a sheet lists what was counted in the area: by the walk of the last count, or by title", async () => {
  await scan(scene, { input: jacketM.input, seq: 1, scannedAt: new Date(Date.now() - 3000).toISOString() });
  await scan(scene, { input: jacketL.input, seq: 2, scannedAt: new Date(Date.now() - 2000).toISOString() });
  await scan(scene, { input: jacketM.input, seq: 3 });
  await scan(scene, { input: jacketS.input, seq: 4, areaCode: "A2" });
  const jacket = (await titlesOf((await print({ areaIds: areaIds("A2") }))[0]?.number ?? 0))[0] ?? "";
  const called = (size: string) => jacket.replace(/\S+$/, size);
  const [byWalk] = await print();
  const [byTitle] = await print({ order: "title" });
  expect(byWalk).toMatchObject({ products: 2, blankLines: limits.sheetLinesPerPage - 2 });
  expect(await titlesOf(byWalk?.number ?? 0)).toEqual([called("M"), called("L")]);
  expect(await titlesOf(byTitle?.number ?? 0)).toEqual(
    [called("M"), called("L")].sort((a) => (a.endsWith("M") ? -1 : 1)),
  );
});

test("what was only counted before the last count keeps the order of its walk", async () => {
  const walk = [jacketL, jacketS, jacketM];
  for (const [index, { input }] of walk.entries()) {
    const scannedAt = new Date(Date.now() - 3000 + index * 1000).toISOString();
    await scan(scene, { input, seq: index + 1, scannedAt });
  }
  await endAtOnce(scene);
  const session = await begin(scene.server, scene.store);
  const { api } = await join(scene.server, session, { name: "Cleo", email: "cleo@example.com" });
  const body = scanBody(scene, { sessionId: session._id, deviceId: "device-3" });
  await api.call(postScan, { body: { ...body, input: jacketS.input } });
  const params = { id: session._id };
  const { sheets } = await scene.server.admin.call(printSheets, {
    params,
    body: { areaIds: areaIds("A1"), order: "walk" },
  });
  const { lines } = await scene.server.admin.call(readSheet, {
    params: { ...params, number: String(sheets[0]?.number) },
  });
  expect(lines.map(({ code }) => code)).toEqual([jacketS, jacketL, jacketM].map(({ input }) => input));
});

test("what earlier sessions of the store counted there stands on it, what was voided does not", async () => {
  await scan(scene, { input: jacketL.input, seq: 1 });
  await endAtOnce(scene);
  const session = await begin(scene.server, scene.store);
  const { api } = await join(scene.server, session, { name: "Bea", email: "bea@example.com" });
  const body = scanBody(scene, { sessionId: session._id, deviceId: "device-2" });
  await api.call(postScan, { body: { ...body, input: jacketS.input, seq: 1 } });
  await api.call(resetArea, { body: { ...firstArea(scene), sessionId: session._id } });
  await api.call(postScan, { body: { ...body, input: jacketM.input, seq: 2 } });
  const params = { id: session._id };
  const { sheets } = await scene.server.admin.call(printSheets, {
    params,
    body: { areaIds: areaIds("A1"), order: "walk" },
  });
  const { lines } = await scene.server.admin.call(readSheet, {
    params: { ...params, number: String(sheets[0]?.number) },
  });
  expect(lines.map(({ size, code }) => [size, code])).toEqual([
    ["M", jacketM.input],
    ["L", jacketL.input],
  ]);
});

test("blind: a sheet is the same whatever is in stock and however much was counted, and names no figure", async () => {
  await scan(scene, { seq: 1 });
  const textOf = async () => {
    const [sheet] = await print();
    const { lines, ...whole } = await read(sheet?.number ?? 0);
    expect(Object.keys(lines[0] ?? {}).sort()).toEqual(["code", "line", "productTitle", "size"]);
    expect(whole).toMatchObject({ entries: null, sheet: { keyed: null } });
    return JSON.stringify(lines);
  };
  const before = await textOf();
  await scan(scene, { seq: 2, quantity: 7777 });
  await scene.server.database.pool.query("update session_items set start_on_hand = 8642");
  const after = await textOf();
  expect(after).toBe(before);
  expect(after).not.toMatch(/7777|8642/);
});

test("an area with more products than a sheet holds gets several sheets, the last one with blank lines", async () => {
  const { pool } = scene.server.database;
  const count = limits.sheetProducts + 3;
  await pool.query(
    `insert into session_items (session_id, sku, inventory_item_id, variant_number, product_title, size, start_on_hand,
       tracked, bundle, stocked)
     select $1, 'MANY-' || n, 'many ' || n, 'many ' || n, 'Many', 'S', 0, true, false, true from generate_series(1, $2) n`,
    [scene.session._id, count],
  );
  await pool.query("update sessions set catalogue_version = catalogue_version + 1 where id = $1", [
    scene.session._id,
  ]);
  const rows = Array.from({ length: count }, (_row, index) => {
    return { row: index + 1, area: "A1", code: `MANY-${index + 1}`, quantity: "1" };
  });
  await scene.server.admin.call(storeCountRows, {
    params: ofSession(),
    body: { file: "many.csv", rows },
  });
  const sheets = await print({ order: "title" });
  expect(sheets.map(({ products, blankLines }) => [products, blankLines])).toEqual([
    [limits.sheetProducts, 0],
    [3, limits.sheetLinesPerPage - 3],
  ]);
  expect((await read(2)).lines.map(({ code }) => code)).toEqual([221, 222, 223].map((n) => `MANY-${n}`));
});

test("a void sheet counts nothing, a keyed one can't become void, and both keep their numbers", async () => {
  const [first, second] = await print({ areaIds: areaIds("A1", "A2") });
  const [one, two] = [first?.number ?? 0, second?.number ?? 0];
  expect((await declareVoid(one)).body).toMatchObject({
    sheet: { state: "void", voidReason: "Coffee", voidedBy: { username: "admin" } },
  });
  expect(await refusal(one, { others: [{ code: jacketS.input, quantity: 1 }] })).toEqual([409, "SHEET_OVER"]);
  await bringBack(two, { others: [{ code: jacketS.input, quantity: 1 }] });
  for (const number of [one, two]) {
    const { status, body } = await declareVoid(number);
    expect([status, Object(body).code]).toEqual([409, "SHEET_OVER"]);
  }
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  expect((await print())[0]?.number).toBe(two + 1);
});

test("a session that is over prints and takes no sheets; those that are out can still be void", async () => {
  const [sheet] = await print();
  const number = sheet?.number ?? 0;
  await endAtOnce(scene);
  expect(await refusal(number, {})).toEqual([409, "SESSION_CLOSED"]);
  const body = { areaIds: areaIds("A1"), order: "walk" as const };
  const { status } = await scene.server.admin.send(printSheets, { params: ofSession(), body });
  expect(status).toBe(409);
  expect((await declareVoid(number)).status).toBe(200);
});

test("a session that ends, or an area that is deleted, at the moment of printing is noticed", async () => {
  const { database } = scene.server.database;
  const params = { id: scene.session._id };
  const body = { areaIds: areaIds("A1", "A2"), order: "title" as const };
  const printWhile = async (change: (transaction: Transaction) => Promise<unknown>) => {
    const [sent] = await database.transaction().execute(async (transaction) => {
      await change(transaction);
      const printing = scene.server.admin.send(printSheets, { params, body });
      await expect.poll(() => countWaiting(database)).toBeGreaterThan(0);
      return [printing];
    });
    const { status, body: answer } = await sent;
    return [status, Object(answer).code];
  };
  const [gone] = areaIds("A2");
  const hide = (transaction: Transaction) =>
    sql`update areas set deleted_at = now() where id in (select id from areas where id = ${gone} for update)`.execute(
      transaction,
    );
  expect(await printWhile(hide)).toEqual([404, "NOT_FOUND"]);
  await sql`update areas set deleted_at = null where id = ${gone}`.execute(database);
  const end = (status: string) => (reader: Database) =>
    sql`update sessions set status = ${status} where id = ${params.id}`.execute(reader);
  expect(await printWhile(end("ending"))).toEqual([409, "SESSION_ENDING"]);
  await end("active")(database);
  const { sheets } = await scene.server.admin.call(listSheets, { params });
  expect(sheets).toEqual([]);
});

test("an area of another store, or of none, is not found", async () => {
  const body = { areaIds: [...areaIds("A1"), scene.store.id], order: "title" as const };
  const { status } = await scene.server.admin.send(printSheets, { params: ofSession(), body });
  expect(status).toBe(404);
});

test("printing, return and void are in the audit log, and a repeat is not", async () => {
  const [first] = await print({ areaIds: areaIds("A1", "A2"), order: "title" });
  const number = first?.number ?? 0;
  for (const _ of [1, 2])
    await bringBack(number, { who: "Ada", declaredTotal: 3, others: [{ code: jacketS.input, quantity: 2 }] });
  await declareVoid(number + 1);
  const entries = await scene.server.database.database
    .selectFrom("auditEntries")
    .select(["action", "before", "after"])
    .where("action", "like", "sheet%")
    .where("chain", "=", scene.session._id)
    .orderBy("id")
    .execute();
  expect(entries).toEqual([
    {
      ...{ action: "sheets.printed", before: null },
      after: { firstSheet: 1, lastSheet: 2, areas: 2, order: "title" },
    },
    {
      ...{ action: "sheet.returned", before: null },
      after: {
        ...{ sheet: 1, area: "A1 - Area A1", countedBy: scene.counter.userId },
        ...{ rows: 1, units: 2, declaredTotal: 3 },
      },
    },
    { action: "sheet.voided", before: { sheet: 2, area: "A2 - Area A2" }, after: { reason: "Coffee" } },
  ]);
});
