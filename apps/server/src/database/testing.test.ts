import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

describe("a test's database", () => {
  let one: TestDatabase;
  let other: TestDatabase;

  beforeAll(async () => {
    [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  });
  afterAll(() => Promise.all([one.drop(), other.drop()]));

  test("is migrated", async () => {
    const { rows } = await one.pool.query("SELECT count(*) AS applied FROM schema_migrations");
    expect(rows[0].applied).toBeGreaterThan(0);
  });

  test("is nobody else's", async () => {
    await one.pool.query("CREATE TABLE only_here (id integer)");
    const { rows } = await other.pool.query("SELECT to_regclass('only_here') AS found");
    expect(rows[0].found).toBeNull();
  });
});
