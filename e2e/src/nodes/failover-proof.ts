import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Standby, startStandby } from "../../../apps/server/src/testing/standby.ts";
import type { Device } from "../kill/device.ts";
import { pause } from "../kill/persist.ts";
import { startCount } from "../running-count.ts";
import { type NodesStage, openNodesStage, socketOf } from "./nodes-stage.ts";
import { joinPhones } from "./phones.ts";

/** What came of a database that failed over while phones counted. */
export interface FailoverFigures {
  readonly scans: number;
  readonly scansASecond: number;
  /** From the kill until PostgreSQL took writes again, and until the next scan was answered. */
  readonly promotedMs: number;
  readonly answeredMs: number;
  /** How often the phones got each status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

/** One call makes no more. */
const areasInAll = 500;

function codesOf(phone: number, phones: number): string[] {
  const own = Math.floor(areasInAll / phones);
  return Array.from({ length: own }, (_nothing, index) => `F${phone}-${index}`);
}

interface Plan {
  readonly phones: number;
  /** Before the kill, and after it. */
  readonly seconds: number;
  /** Scans in one call. */
  readonly batch: number;
}

async function openCount(stage: NodesStage, { phones: count, batch }: Plan) {
  const names = Array.from({ length: count }, (_nothing, index) => `phone${index}`);
  const areas = names.flatMap((_name, phone) => codesOf(phone, count).map((code) => ({ code, name: code })));
  const plan = { store: "Linden Quay Old Mill", location: "Floor", scope: "partial", areas } as const;
  const running = await startCount(stage, plan);
  return joinPhones({ ...stage, running }, names, batch);
}

/** kill -9 of the primary; the standby takes its place at the database's one address. */
async function failOver({ gate, dataDir }: NodesStage, standby: Standby): Promise<void> {
  const pid = readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0];
  process.kill(Number(pid), "SIGKILL");
  await standby.promote();
  gate.moveTo(socketOf(standby.dataDir));
}

const sum = (phones: readonly Device[]) => phones.reduce((total, { scans }) => total + scans, 0);

async function untilMore(phones: readonly Device[], than: number): Promise<void> {
  while (sum(phones) <= than) await pause();
}

/** Phones count for so long before and after the primary of a synchronous pair is killed and the standby promoted. */
export async function proveFailover(plan: Plan): Promise<FailoverFigures> {
  const stage = await openNodesStage(3);
  const standby = await startStandby(stage.dataDir, { synchronous: true });
  try {
    return await prove(stage, standby, plan);
  } finally {
    await stage.close();
    await standby.close();
  }
}

async function prove(stage: NodesStage, standby: Standby, plan: Plan): Promise<FailoverFigures> {
  const { phones: count, seconds } = plan;
  const phones = await openCount(stage, plan);
  const lasting = () => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  let over = false;
  const before = { ...stage.statuses() };
  const counting = Promise.all(phones.map((phone, index) => phone.count(codesOf(index, count), () => over)));
  await lasting();
  const rate = sum(phones) / seconds;
  const killedAt = performance.now();
  await failOver(stage, standby);
  const promotedMs = performance.now() - killedAt;
  await untilMore(phones, sum(phones));
  const answeredMs = performance.now() - killedAt;
  await lasting();
  over = true;
  await counting;
  const wrong = (await Promise.all(phones.map((phone) => phone.wrong()))).flat();
  const ended = stage.nodes.filter(
    ({ process: { exitCode, signalCode } }) => exitCode !== null || signalCode !== null,
  );
  const after = Object.entries(stage.statuses()).map(
    ([status, times]) => [status, times - (before[status] ?? 0)] as const,
  );
  const statuses = Object.fromEntries(after.filter(([, times]) => times > 0));
  const odd = Object.keys(statuses).filter((status) => !/^(?:2..|503)$/.test(status));
  return {
    scans: sum(phones),
    scansASecond: rate,
    promotedMs,
    answeredMs,
    statuses,
    wrong: [
      ...wrong,
      ...(ended.length === 0 ? [] : [`${ended.length} nodes have ended`]),
      ...odd.map((status) => `${statuses[status]} requests were answered with ${status}`),
    ],
  };
}
