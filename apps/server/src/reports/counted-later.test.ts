import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { readCountedLater } from "./other-sessions/counted-later-queries.ts";
import { type KeptSessions, openKeptSessions } from "./testing/kept-sessions.ts";

let db: TestDatabase;
let sessions: KeptSessions;

beforeAll(async () => {
  db = await createTestDatabase();
  sessions = await openKeptSessions(db.database);
});
afterAll(() => db.drop());

const hour = (hours: number) => new Date(Date.UTC(2026, 2, 1, hours));

describe("a SKU is counted later", () => {
  const later = { endedAt: hour(13) };

  async function countedLater(
    change: Parameters<KeptSessions["keep"]>[0],
    fill: (id: string) => Promise<void>,
  ) {
    const own = await sessions.keep({ shopDomain: `shop-${Math.random()}` });
    for (const sku of ["TEE", "CAP"]) await sessions.item(own.id, sku);
    const { shopDomain } = own;
    const { id } = await sessions.keep({ shopDomain, ...later, ...change });
    await fill(id);
    return [...(await readCountedLater(db.database, own, null))];
  }

  const inStock = (id: string) => sessions.item(id, "TEE", { start: 1 });

  test.each<[string, Parameters<KeptSessions["keep"]>[0]]>([
    ["ended before it", { endedAt: hour(11) }],
    ["ended together with it", { endedAt: hour(12) }],
    ["runs", { status: "active" }],
    ["is of another shop", { shopDomain: "another" }],
    ["is of another location", { shopifyLocationId: "gid://2" }],
    ["only counts what is scanned", { scope: "partial" }],
  ])("by no session that %s", async (_what, change) => {
    const found = await countedLater(change, inStock);
    await db.database
      .updateTable("sessions")
      .set({ status: "closed" })
      .where("status", "=", "active")
      .execute();
    expect(found).toEqual([]);
  });

  test.each<[string, (id: string) => Promise<void>, boolean]>([
    ["had it at its start", inStock, true],
    ["had it at its end", (id) => sessions.item(id, "TEE", { end: 1 }), true],
    ["never had it", (id) => sessions.item(id, "TEE"), false],
    ["did not read it", (id) => sessions.item(id, "TEE", { end: null }), false],
  ])("by a full one that %s", async (_what, fill, expected) => {
    expect(await countedLater({}, fill)).toEqual(expected ? ["TEE"] : []);
  });

  test.each<[string, (id: string) => Promise<void>, boolean]>([
    ["scanned it", (id) => sessions.scanned(id, "TEE", 1), true],
    ["took its scans back", (id) => sessions.scanned(id, "TEE", 0), false],
    ["scanned another", (id) => sessions.scanned(id, "CAP", 1), false],
    ["counted it by hand", (id) => sessions.byHand(id, "TEE", 0), true],
    ["counted another by hand", (id) => sessions.byHand(id, "CAP", 1), false],
  ])("by a partial one that %s", async (_what, fill, expected) => {
    const found = await countedLater({ scope: "partial" }, async (id) => {
      await sessions.item(id, "TEE", { start: 1 });
      await fill(id);
    });
    expect(found).toEqual(expected ? ["TEE"] : []);
  });

  test("by nobody, where only others than it are asked for, or another session scanned it", async () => {
    const own = await sessions.keep({ shopDomain: "asked" });
    const [full, partial] = [
      await sessions.keep({ shopDomain: "asked", ...later }),
      await sessions.keep({ scope: "partial", shopDomain: "asked", ...later }),
    ];
    for (const { id } of [own, full, partial]) await sessions.item(id, "CAP");
    for (const { id } of [own, full]) await sessions.item(id, "TEE", { start: 1 });
    await sessions.scanned(own.id, "CAP", 1);
    await sessions.byHand(own.id, "CAP", 1);
    expect(await readCountedLater(db.database, own, null)).toEqual(new Set(["TEE"]));
    expect(await readCountedLater(db.database, own, ["CAP"])).toEqual(new Set());
    expect(await readCountedLater(db.database, own, ["CAP", "TEE"])).toEqual(new Set(["TEE"]));
  });

  test("by none that has another item under its SKU", async () => {
    const found = await countedLater({}, async (id) => {
      await inStock(id);
      await db.database
        .updateTable("sessionItems")
        .set({ inventoryItemId: "item of that SKU since" })
        .where("sessionId", "=", id)
        .execute();
    });
    expect(found).toEqual([]);
  });

  test("never by the session itself, whose end the database keeps to the microsecond", async () => {
    const own = await sessions.keep({ shopDomain: "alone" });
    await inStock(own.id);
    await sql`update sessions set ended_at = ended_at + interval '1 microsecond' where id = ${own.id}`.execute(
      db.database,
    );
    expect(await readCountedLater(db.database, own, null)).toEqual(new Set());
  });
});
