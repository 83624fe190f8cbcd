import fc from "fast-check";
import { findArticle } from "../stock.ts";
import { AccountDesk, ReportDesk } from "./desk.ts";
import { Device } from "./device.ts";
import { type Comeback, type KillStage, openKillStage, type Victim } from "./kill-stage.ts";
import { LoginDesk } from "./logins.ts";

/** One kill: what, and after how much work. */
interface Round {
  readonly victim: Victim;
  readonly afterMs: number;
}

/** What came of all rounds. */
export interface KillFigures {
  readonly rounds: readonly (Round & Comeback)[];
  readonly scans: number;
  readonly undos: number;
  readonly areas: number;
  readonly counts: number;
  readonly moves: number;
  readonly accounts: number;
  readonly signIns: number;
  readonly endedLogins: number;
  /** What is not as it was answered. */
  readonly wrong: readonly string[];
}

const devices = ["ann", "ben", "cleo"];
const signIns = 5;

const rounds = fc.record({
  victim: fc.constantFrom<Victim>("server", "postgres", "both"),
  afterMs: fc.integer({ min: 150, max: 1_500 }),
});

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function killAgainAndAgain(
  stage: KillStage,
  planned: readonly Round[],
  stopped: () => boolean,
  tell: (round: Round & Comeback) => void,
): Promise<(Round & Comeback)[]> {
  const done: (Round & Comeback)[] = [];
  for (const round of planned) {
    await sleep(round.afterMs);
    if (stopped()) break;
    const told = { ...round, ...(await stage.killAndRestart(round.victim)) };
    tell(told);
    done.push(told);
  }
  return done;
}

/**
 * Three phones, and administrators who adjust counts, deploy, roll back, change accounts and logins, while server and PostgreSQL are
 * killed again and again at random moments. In the end all that was answered is there once.
 */
export async function proveKills(
  plan: { readonly rounds: number; readonly seed: number },
  tell: (round: Round & Comeback) => void = () => undefined,
): Promise<KillFigures> {
  const stage = await openKillStage();
  try {
    return await prove(stage, fc.sample(rounds, { seed: plan.seed, numRuns: plan.rounds }), tell);
  } finally {
    await stage.close();
  }
}

async function prove(
  stage: KillStage,
  planned: readonly Round[],
  tell: (round: Round & Comeback) => void,
): Promise<KillFigures> {
  const snapshot = await stage.shop.snapshot();
  const article = findArticle(snapshot, "Jetty Shorts Sand", "M");
  const pile = [article, findArticle(snapshot, "Estuary Dress Plum", "10")];
  const phones: Device[] = [];
  for (const name of devices) phones.push(await Device.join(stage, name, pile));
  const [reports, accounts] = [new ReportDesk(stage, article), new AccountDesk(stage)];
  const logins = new LoginDesk(stage);
  let over = false;
  const stopped = () => over;
  const codes = stage.running.areas.map(({ code }) => code);
  const stop = () => {
    over = true;
  };
  const work = Promise.all([
    ...phones.map((phone, index) =>
      phone.count(
        codes.filter((_code, position) => position % phones.length === index),
        stopped,
      ),
    ),
    reports.work(stopped),
    accounts.work(stopped),
    logins.work(stopped),
  ]).finally(stop);
  const kills = killAgainAndAgain(stage, planned, stopped, tell).finally(stop);
  // What fails first ends the other too, before the stage is closed.
  await Promise.allSettled([kills, work]);
  const [done] = await Promise.all([kills, work]);
  const wrong = [await reports.wrong(), await accounts.wrong(signIns), await logins.wrong()];
  for (const phone of phones) wrong.push(await phone.wrong());
  const sum = (count: (phone: Device) => number) => phones.reduce((total, phone) => total + count(phone), 0);
  return {
    rounds: done,
    scans: sum((phone) => phone.scans),
    undos: sum((phone) => phone.undos),
    areas: sum((phone) => phone.closed.length),
    counts: reports.set.filter(({ answered }) => answered).length,
    moves: reports.moves,
    accounts: accounts.changes,
    signIns: logins.count("signed in"),
    endedLogins: logins.count("ended"),
    wrong: wrong.flat(),
  };
}
