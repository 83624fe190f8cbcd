import type { Product } from "@stocktake/testkit";
import type { OlderTree } from "../older/older-tree.ts";
import { addPlace } from "../running-count.ts";
import { type NodesStage, openNodesStage } from "./nodes-stage.ts";
import { OneSession, type Place } from "./one-session.ts";

/** What came of a stocktake during which the nodes were updated one after the other. */
export interface RollingFigures {
  readonly scans: number;
  readonly areas: number;
  /** Requests of phones and people that nodes of the older release have answered, and those of today's. */
  readonly answers: { readonly older: number; readonly todays: number };
  /** What is not as it has to be, one sentence each. */
  readonly wrong: readonly string[];
}

const areasInAll = 480;

async function addStore(stage: NodesStage, store: string): Promise<Place> {
  const codes = Array.from({ length: areasInAll }, (_nothing, index) => `R${index}`);
  const areas = codes.map((code) => ({ code, name: code }));
  return { ...(await addPlace(stage, { store, location: "Floor", areas })), store };
}

type Tell = (line: string) => void;

/** The nodes in the order of their starts, and what they have answered and logged, those among them that were stopped since. */
class Fleet {
  readonly #stage: NodesStage;
  readonly #older: Product[];
  readonly #todays: Product[] = [];
  readonly #program: string;

  constructor(stage: NodesStage, first: Product, program: string) {
    this.#stage = stage;
    this.#older = [first];
    this.#program = program;
  }

  get older(): Product {
    const node = this.#older.at(-1);
    if (node === undefined) throw new Error("There is no node of the older release.");
    return node;
  }

  async addTodays(count: number): Promise<readonly Product[]> {
    const added = await this.#stage.add(count);
    this.#todays.push(...added);
    return added;
  }

  /** Resolves to why it did not start again; null where it did. */
  async restartOlder(): Promise<string | null> {
    await this.#stage.takeOut(this.older);
    try {
      this.#older.push(...(await this.#stage.add(1, this.#program)));
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  answers(): RollingFigures["answers"] {
    const of = (nodes: readonly Product[]) =>
      nodes.reduce((sum, { url }) => sum + (this.#stage.answers()[url] ?? 0), 0);
    return { older: of(this.#older), todays: of(this.#todays) };
  }

  wrong(): string[] {
    const all = [...this.#older, ...this.#todays];
    const lines = all.flatMap((node) => node.output().split("\n"));
    const errors = lines.filter((line) => /"level":(?:50|60)/.test(line));
    const idle = all.filter(({ url }) => this.#stage.answers()[url] === undefined);
    const ended = this.#stage.nodes.filter(
      ({ process: { exitCode, signalCode } }) => exitCode !== null || signalCode !== null,
    );
    const odd = Object.entries(this.#stage.statuses()).filter(([status]) => !/^2..$/.test(status));
    return [
      ...(errors.length === 0 ? [] : [`the nodes logged ${errors.length} errors, the first: ${errors[0]}`]),
      ...(ended.length === 0 ? [] : [`${ended.length} nodes have ended`]),
      ...(idle.length === 0 ? [] : [`${idle.length} nodes have answered nothing`]),
      ...odd.map(([status, times]) => `${times} requests were answered with ${status}`),
    ];
  }
}

/** What a server says that does not know a migration which only those can go on with that include it. */
const tooOld = "has been migrated by a newer release";

/**
 * A node of the older release, two of today's started beside it, and the older one replaced by a third: each while phones count. Three
 * sessions, whose starts, ends, deploys and rollbacks are asked of nodes of both releases in turn.
 */
export async function proveRolling(
  { serverProgram }: OlderTree,
  sharesRestart: boolean,
  tell: Tell,
): Promise<RollingFigures> {
  const stage = await openNodesStage(1, { serverProgram });
  try {
    const [first] = stage.nodes;
    if (first === undefined) throw new Error("There is no node.");
    const fleet = new Fleet(stage, first, serverProgram);
    const sessions: OneSession[] = [];
    // What breaks it off is told beside what else was found until then.
    const found = await prove({ stage, fleet, sessions, sharesRestart, tell }).catch((error: unknown) => [
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    ]);
    const phones = sessions.flatMap((session) => session.phones);
    return {
      scans: phones.reduce((sum, phone) => sum + phone.scans, 0),
      areas: phones.reduce((sum, phone) => sum + phone.closed.length, 0),
      answers: fleet.answers(),
      wrong: [...sessions.flatMap(({ wrong }) => wrong), ...found, ...fleet.wrong()],
    };
  } finally {
    await stage.close();
  }
}

interface Proof {
  readonly stage: NodesStage;
  readonly fleet: Fleet;
  /** Each is added when it starts. */
  readonly sessions: OneSession[];
  readonly sharesRestart: boolean;
  readonly tell: Tell;
}

/** Resolves to what is wrong besides what the sessions and the fleet know. */
async function prove({ stage, fleet, sessions, sharesRestart, tell }: Proof): Promise<string[]> {
  const start = async (place: Place, by: Product) => {
    const session = await OneSession.start(stage, place, by, `${sessions.length + 1}`);
    sessions.push(session);
    await session.countsOn();
    return session;
  };
  const mill = await addStore(stage, "Linden Quay Old Mill");
  const street = await addStore(stage, "Linden Quay Harbour Street");

  const first = await start(mill, fleet.older);
  tell("The older node has started a session, and phones count with it alone.");
  const [left, right] = await fleet.addTodays(2);
  if (left === undefined || right === undefined) throw new Error("There are too few nodes.");
  await first.countsOn();
  await first.finishes({ end: fleet.older, deploy: left, rollback: fleet.older });
  tell(
    "Two of today's have started meanwhile; the older one ended it and rolled back what one of today's had deployed.",
  );

  const second = await start(street, left);
  await second.finishes({ end: right, deploy: fleet.older, rollback: left });
  tell(
    "A session of today's, counted by both, was ended by today's, deployed by the older one, rolled back by today's.",
  );

  const third = await start(mill, fleet.older);
  const refusal = await fleet.restartOlder();
  await third.countsOn();
  tell(
    refusal === null
      ? "The older node was restarted while phones counted, and goes on."
      : "The older node was stopped while phones counted, and does not start again on what today's have migrated.",
  );
  if (refusal === null) await stage.takeOut(fleet.older);
  const [last] = await fleet.addTodays(1);
  if (last === undefined) throw new Error("There are too few nodes.");
  await third.countsOn();
  await third.finishes({ end: last, deploy: right, rollback: last });
  tell(
    "One of today's has taken its place meanwhile; what the older one had started, today's ended, deployed and rolled back.",
  );
  return wrongInRestart(refusal, sharesRestart);
}

function wrongInRestart(refusal: string | null, shares: boolean): string[] {
  if (refusal === null) return shares ? [] : ["the older node started again on a schema that is not shared"];
  if (shares) return [`the older node did not start again: ${refusal}`];
  return refusal.includes(tooOld) ? [] : [`the older node did not say why it does not start: ${refusal}`];
}
