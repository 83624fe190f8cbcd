import type { Database } from "../../database/pool.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ShopifyPlatform } from "../../shopify/platform.ts";

/** A process that dies at a chosen seam: from then on nothing it tries reaches anything. */
export interface Life {
  /** Resolves when the process has died; never where it outlives its work. */
  readonly death: Promise<void>;
  readonly isOver: boolean;
  /** Seams passed so far. */
  readonly seams: number;
  /** A place between two steps, where the process may die. */
  seam(): void;
  /** Throws once the process is dead. */
  check(): void;
}

class DeadProcessError extends Error {
  override readonly name = "DeadProcessError";
}

/** A life that ends at seam number `last`, counted from 1. */
export function lifeUntil(last: number): Life {
  let seams = 0;
  let over = false;
  let announceDeath = () => {};
  const death = new Promise<void>((resolve) => {
    announceDeath = resolve;
  });
  const check = () => {
    if (over) throw new DeadProcessError("This process is dead.");
  };
  return {
    death,
    check,
    get isOver() {
      return over;
    },
    get seams() {
      return seams;
    },
    seam() {
      check();
      seams += 1;
      if (seams !== last) return;
      over = true;
      announceDeath();
      check();
    },
  };
}

/** The database as a mortal process reaches it: it may die before each transaction and after each commit. */
export function mortalDatabase(database: Database, life: Life): Database {
  return new Proxy(database, {
    get(target, name) {
      life.check();
      if (name === "transaction") return () => mortalTransaction(target.transaction(), life);
      return boundMember(target, name);
    },
  });
}

function mortalTransaction(builder: ReturnType<Database["transaction"]>, life: Life) {
  return new Proxy(builder, {
    get(target, name) {
      if (name !== "execute") return boundMember(target, name);
      const execute: typeof target.execute = async (work) => {
        life.seam();
        const result = await target.execute(work);
        life.seam();
        return result;
      };
      return execute;
    },
  });
}

function boundMember(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === "function" ? member.bind(target) : member;
}

/** The platform as a mortal process reaches it: it may die before each change is sent and before it is answered. */
export function mortalPlatform(platform: ShopifyPlatform, life: Life): ShopifyPlatform {
  const between = async <Outcome>(send: () => Promise<Outcome>): Promise<Outcome> => {
    life.seam();
    const outcome = await send();
    life.seam();
    return outcome;
  };
  return {
    ...platform,
    adjustAvailable: (request, beforeSend) => between(() => platform.adjustAvailable(request, beforeSend)),
    activate: (request, signal) => between(() => platform.activate(request, signal)),
  };
}

/** The clock of a mortal process: the dead sleep until they are told to stop. */
export function mortalClock(clock: Clock, life: Life): Clock {
  return {
    now: clock.now,
    steady: clock.steady,
    sleep: (milliseconds, signal) => (life.isOver ? untilAborted(signal) : clock.sleep(milliseconds, signal)),
  };
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
