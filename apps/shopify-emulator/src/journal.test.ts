import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { DEFAULT_CREDENTIALS, emulatorControl, startEmulator } from "./index.ts";
import { OPERATIONS } from "./operations.ts";
import { changes, codes, openShop, SMALL_CATALOGUE } from "./test-shop.ts";

function stateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "emulator-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "kept", "shop.jsonl");
}

const ROW = { sku: "TEE-S", delta: 2, from: 5 };

describe("the kept state", () => {
  it("brings back stock, movements, groups, keys and catalogue changes", async () => {
    const file = stateFile();
    const before = await openShop({ stateFile: file });
    const first = await before.adjust("k1", [ROW]);
    await before.control.sell({ item: "TEE-M", location: "North", quantity: 1 });
    await before.control.deactivateLevel({ item: "TEE-S", location: "South" });
    await before.control.changeVariant({ item: "WRAP", change: { sku: "WRAP-2" } });
    const movements = await before.control.movements({});
    await before.emulator.close();

    const after = await openShop({ stateFile: file });
    expect(await after.control.movements({})).toEqual(movements);
    expect(await after.control.stock({ item: "TEE-S", location: "South" })).toMatchObject({
      isActive: false,
    });
    expect(await after.control.stock({ item: "WRAP-2", location: "North" })).toMatchObject({ available: 0 });
    expect((await after.adjust("k1", [ROW])).data).toEqual(first.data);
    expect(await after.control.stock({ item: "TEE-S", location: "North" })).toMatchObject({ available: 7 });
  });

  it("loses only a line that was cut off while it was written", async () => {
    const file = stateFile();
    const before = await openShop({ stateFile: file });
    await before.adjust("k1", [ROW]);
    await before.emulator.close();
    appendFileSync(file, '{"type":"moved","at":17');
    const after = await openShop({ stateFile: file });
    await after.adjust("k2", [{ ...ROW, from: 7 }]);
    await after.emulator.close();
    const again = await openShop({ stateFile: file });
    expect(await again.control.stock({ item: "TEE-S", location: "North" })).toMatchObject({ available: 9 });
  });

  it("is refused for another catalogue, and for a file that is none", async () => {
    const file = stateFile();
    await (await openShop({ stateFile: file })).emulator.close();
    const other = { ...SMALL_CATALOGUE, fingerprint: "other-1" };
    await expect(startEmulator({ stateFile: file, catalogue: other })).rejects.toThrow(
      "keeps the stock of the catalogue small-1, not of other-1",
    );
    appendFileSync(`${file}.txt`, "shopping list\n");
    await expect(startEmulator({ stateFile: `${file}.txt` })).rejects.toThrow(
      "is not a state file of this emulator",
    );
  });

  it("is empty again after a reset", async () => {
    const file = stateFile();
    const shop = await openShop({ stateFile: file });
    await shop.adjust("k1", [ROW]);
    shop.emulator.reset();
    await shop.adjust("k2", [{ ...ROW, delta: 1 }]);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
    await shop.emulator.close();
    const after = await openShop({ stateFile: file });
    expect(await after.control.stock({ item: "TEE-S", location: "North" })).toMatchObject({ available: 6 });
  });

  it("keeps a burned key", async () => {
    const file = stateFile();
    const settings = { userErrorBurnsKey: true };
    const before = await openShop({ stateFile: file, settings });
    await before.adjust("k1", [{ ...ROW, from: 4 }]);
    await before.emulator.close();
    const after = await openShop({ stateFile: file, settings });
    expect(codes(await after.adjust("k1", [{ ...ROW, from: 4 }]))).toEqual([
      "IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED",
    ]);
    expect(changes(await after.adjust("k2", [ROW]))).toEqual(["available 2", "on_hand 2"]);
  });
});

interface Running {
  readonly url: string;
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** The emulator as its own process, as the demo runs it. */
async function startProcess(args: string[]): Promise<Running> {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", main, "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  onTestFinished(async () => void (await end("SIGKILL")));
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { url: String(line).replace("Shopify emulator listening on ", ""), end };
}

describe("the emulator as a process", () => {
  it("has kept every adjustment that it answered when it is killed", async () => {
    const args = ["--state", stateFile()];
    const killed = await startProcess(args);
    const control = emulatorControl(killed.url);
    const { locations, variants } = await control.snapshot();
    const [location, variant] = [locations[0]?.id ?? "", variants[0]];
    const stock = async (url: string) =>
      (await emulatorControl(url).stock({ item: variant?.itemId ?? "", location })).available;
    const before = await stock(killed.url);
    const change = {
      inventoryItemId: variant?.itemId,
      locationId: location,
      delta: 3,
      changeFromQuantity: before,
    };
    const input = { name: "available", reason: "correction", changes: [change] };
    const response = await fetch(`${killed.url}/admin/api/2026-10/graphql.json`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Shopify-Access-Token": DEFAULT_CREDENTIALS.accessToken,
      },
      body: JSON.stringify({ query: OPERATIONS.adjust, variables: { input, key: "k1" } }),
    });
    expect(await response.text()).toContain('"userErrors":[]');
    await killed.end("SIGKILL");

    const restarted = await startProcess(args);
    expect(await stock(restarted.url)).toBe(before + 3);
    expect(await restarted.end("SIGTERM")).toBe(0);
  });
});
