import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startAlone } from "./starting.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

function heldWork() {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { work: vi.fn(() => finished), finish };
}

const quiet = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

describe("starts on one database", () => {
  test("come one after the other, and the one that waits says so", async () => {
    const [first, second] = [heldWork(), heldWork()];
    const starting = startAlone(db.connection, first.work);
    await vi.waitFor(() => expect(first.work).toHaveBeenCalled());
    const waiting = startAlone(db.connection, second.work, quiet);
    await vi.waitFor(() => expect(quiet.info).toHaveBeenCalledWith(expect.stringContaining("waits for it")));
    expect(second.work).not.toHaveBeenCalled();
    first.finish();
    await vi.waitFor(() => expect(second.work).toHaveBeenCalled());
    second.finish();
    await Promise.all([starting, waiting]);
  });

  test("go on after one that failed", async () => {
    await expect(startAlone(db.connection, () => Promise.reject(new Error("no luck")))).rejects.toThrow(
      "no luck",
    );
    expect(await startAlone(db.connection, async () => "started")).toBe("started");
  });

  test("go on after one whose connection was lost", async () => {
    const gone = heldWork();
    const starting = startAlone(db.connection, gone.work, quiet);
    await vi.waitFor(() => expect(gone.work).toHaveBeenCalled());
    await db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'stocktake-start' and datname = current_database()`,
    );
    expect(await startAlone(db.connection, async () => "started")).toBe("started");
    gone.finish();
    await starting;
    expect(quiet.warn).toHaveBeenCalledWith(expect.stringContaining("lock of a start was lost"));
  });
});
