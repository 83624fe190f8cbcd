import { execFile } from "node:child_process";
import { mkdtemp, rm, rmdir, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findArticle } from "../stock.ts";
import { Device } from "./device.ts";
import { type KillStage, openKillStage } from "./kill-stage.ts";

/*
 * A real full disk, so it needs the right to mount one: a phone counts on and on while another program takes all the room,
 * twice: all but what the server keeps as a reserve, and every byte.
 */

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const diskSize = 512;
const giveUpMs = 60_000;

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<number> {
  const since = performance.now();
  while (!(await isSo())) {
    if (performance.now() - since > giveUpMs) throw new Error(`Not within a minute: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Math.round(performance.now() - since);
}

/** Fills the disk but for so much; the server may be quicker to the last bytes. */
async function take(disk: string, leaving: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  const bytes = Math.max(0, bavail * bsize - leaving);
  const piece = Buffer.alloc(mebibyte);
  try {
    for (let written = 0; written < bytes; written += piece.length) {
      const rest = piece.subarray(0, Math.min(piece.length, bytes - written));
      await writeFile(join(disk, "ballast"), rest, { flag: "a" });
    }
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOSPC") throw error;
  }
}

async function fillAndFree(stage: KillStage, phone: Device, disk: string, leaving: number): Promise<void> {
  say(`\n${leaving / mebibyte} MiB are left on the disk`);
  await take(disk, leaving);
  const refusedAfter = await until(() => phone.refusal !== null || stage.hasEnded(), "a refusal");
  say(`refused after ${refusedAfter} ms: ${stage.hasEnded() ? "the server has ended" : phone.refusal}`);
  await rm(join(disk, "ballast"));
  if (stage.hasEnded()) say(`restarted as a service would: ${Math.round(await stage.restart())} ms`);
  const before = phone.scans;
  say(`there is room again; stored after ${await until(() => phone.scans > before, "a scan")} ms`);
}

async function prove(stage: KillStage, disk: string): Promise<readonly string[]> {
  const pile = [findArticle(await stage.shop.snapshot(), "Jetty Shorts Sand", "M")];
  const phone = await Device.join(stage, "ann", pile);
  let over = false;
  const codes = stage.running.areas.map(({ code }) => code);
  const counting = phone.count(codes, () => over);
  await until(() => phone.scans > 0, "the first scan");
  for (const leaving of [64 * mebibyte, 0]) await fillAndFree(stage, phone, disk, leaving);
  over = true;
  await counting;
  say(`\n${phone.scans} scans, ${phone.undos} undos and ${phone.closed.length} finished areas were answered`);
  return phone.wrong();
}

const disk = await mkdtemp(join(tmpdir(), "stocktake-disk-"));
await run("mount", ["-t", "tmpfs", "-o", `size=${diskSize}m,mode=0755`, "stocktake", disk]);
try {
  const stage = await openKillStage(join(disk, "data"));
  try {
    const wrong = await prove(stage, disk);
    say(wrong.length === 0 ? "Each is there once." : wrong.join("\n"));
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    await stage.close();
  }
} finally {
  await run("umount", [disk]);
  await rmdir(disk);
}
