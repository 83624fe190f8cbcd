import { once } from "node:events";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { endSession } from "@stocktake/contract";
import { emulatorControl } from "@stocktake/shopify-emulator";
import { type Product, startProduct } from "@stocktake/testkit";
import { makeDataFolder } from "../data-folder.ts";
import { openMailbox } from "../mailbox.ts";
import { type RunningCount, startCount } from "../running-count.ts";
import { adminPassword, openShop, type Stage } from "../staging.ts";

export type Victim = "server" | "postgres" | "both";

/** How long it took, in milliseconds. */
export interface Comeback {
  /** Until the server had ended after its database was killed; 0 where it was killed itself. */
  readonly endedMs: number;
  /** From the restart until the first answer. */
  readonly answerMs: number;
}

/** The built product on a folder that stays, a running count in one store and an ended one in another. */
export interface KillStage extends Stage {
  readonly running: RunningCount;
  readonly ended: RunningCount;
  /** kill -9, and then a restart on the same data and port. */
  killAndRestart(victim: Victim): Promise<Comeback>;
  /** Whether the server has ended by itself. */
  hasEnded(): boolean;
  /** Starts it again on the same data and port; resolves to how many milliseconds the first answer took. */
  restart(): Promise<number>;
  close(): Promise<void>;
}

const areaCodes = Array.from({ length: 480 }, (_nothing, index) => `K${String(index).padStart(3, "0")}`);

/** What serves the product's data folder. */
function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
}

async function kill({ process: child, dataDir }: Product, victim: Victim): Promise<number> {
  const gone = once(child, "exit");
  const killedAt = performance.now();
  if (victim !== "server") process.kill(postmasterOf(dataDir), "SIGKILL");
  if (victim !== "postgres") child.kill("SIGKILL");
  await gone;
  return victim === "postgres" ? performance.now() - killedAt : 0;
}

async function openCounts(stage: Stage) {
  const areas = areaCodes.map((code) => ({ code, name: `Shelf ${code}` }));
  const at = (store: string) => ({ store, location: "Floor", scope: "partial" }) as const;
  const running = await startCount(stage, { ...at("Linden Quay Old Mill"), areas });
  const ended = await startCount(stage, {
    ...at("Linden Quay Harbour Street"),
    areas: areas.slice(0, 1),
  });
  await ended.admin.call(endSession, { body: { sessionId: ended.sessionId } });
  return { running, ended };
}

/** @param keptIn the data folder; one of its own unless told */
export async function openKillStage(keptIn?: string): Promise<KillStage> {
  const folder = keptIn ?? makeDataFolder();
  const [emulator, mailbox, dataDir] = await Promise.all([openShop(), openMailbox(), folder]);
  const start = (port?: number) =>
    startProduct({
      ...{ shopifyUrl: emulator.url, adminPassword, dataDir, ...(port === undefined ? {} : { port }) },
      environment: (url) => ({ PUBLIC_URL: url, SMTP_URL: mailbox.url, LOG_LEVEL: "error" }),
    });
  let product = await start();
  const stage: Stage = { product, shop: emulatorControl(emulator.url), mailbox };
  const restart = async () => {
    const restartedAt = performance.now();
    product = await start(Number(new URL(product.url).port));
    return performance.now() - restartedAt;
  };
  return {
    ...stage,
    ...(await openCounts(stage)),
    hasEnded: () => product.process.exitCode !== null || product.process.signalCode !== null,
    restart,
    async killAndRestart(victim) {
      const endedMs = await kill(product, victim);
      return { endedMs, answerMs: await restart() };
    },
    async close() {
      await product.stop();
      await mailbox.close();
      await emulator.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
