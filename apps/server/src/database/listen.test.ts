import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createListener } from "./listen.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

function recorder() {
  const heard: string[] = [];
  return {
    heard,
    onNotification: (channel: string, payload: string) => heard.push(`${channel}: ${payload}`),
  };
}

async function breakListeners(): Promise<void> {
  await db.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stocktake-listen' AND datname = current_database()",
  );
}

describe("a listener", () => {
  test("hears what is sent on its channels, with and without a payload, and nothing else", async () => {
    const { heard, onNotification } = recorder();
    const listener = await createListener(db.connection, {
      channels: ["scans", "Odd channel"],
      onNotification,
      onReconnect: () => undefined,
    });
    await db.pool.query(`NOTIFY scans, 'area 1'; NOTIFY others, 'x'; NOTIFY "Odd channel"`);
    await vi.waitFor(() => expect(heard).toEqual(["scans: area 1", "Odd channel: "]));
    await listener.close();
  });

  test("comes back after a loss, says so, and hears again", async () => {
    const { heard, onNotification } = recorder();
    const onReconnect = vi.fn();
    const listener = await createListener(db.connection, {
      channels: ["scans"],
      onNotification,
      onReconnect,
    });
    await breakListeners();
    await vi.waitFor(() => expect(onReconnect).toHaveBeenCalledOnce());
    await db.pool.query("NOTIFY scans, 'after'");
    await vi.waitFor(() => expect(heard).toEqual(["scans: after"]));
    await listener.close();
  });

  test("that was closed leaves no connection and does not come back", async () => {
    const onReconnect = vi.fn();
    const listener = await createListener(db.connection, {
      channels: ["scans"],
      onNotification: () => undefined,
      onReconnect,
    });
    await listener.close();
    await vi.waitFor(async () => {
      const { rows } = await db.pool.query(
        "SELECT count(*) AS open FROM pg_stat_activity WHERE application_name = 'stocktake-listen' AND datname = current_database()",
      );
      expect(rows).toEqual([{ open: 0 }]);
    });
    expect(onReconnect).not.toHaveBeenCalled();
  });

  test("fails at once where it cannot connect at all", async () => {
    const nowhere = { host: "/nonexistent", user: "stocktake", database: "stocktake" };
    const options = { channels: ["scans"], onNotification: () => undefined, onReconnect: () => undefined };
    await expect(createListener(nowhere, options)).rejects.toThrow("ENOENT");
  });
});
