import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { type PhonesOrders, PhonesSaw, type ShopOrders } from "./messages.ts";

function start(program: string): ChildProcess {
  return fork(fileURLToPath(new URL(program, import.meta.url)));
}

/** What it sends next. @throws Error where it ends before that. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([code]: unknown[]) => {
    throw new Error(`A process of the bench ended with ${String(code)}.`);
  });
  const [answer]: unknown[] = await Promise.race([once(child, "message"), ended]);
  return answer;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

export interface Shop {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the stand-in of a shop in a process of its own. */
export async function startShop(orders: ShopOrders): Promise<Shop> {
  const child = start("shop.ts");
  child.send(orders);
  return {
    url: z
      .string()
      .check(z.url())
      .parse(await answerOf(child)),
    stop: () => stop(child),
  };
}

export interface Phones {
  /** Scans while `work` runs. */
  during(orders: PhonesOrders, work: () => Promise<void>): Promise<PhonesSaw>;
  stop(): Promise<void>;
}

/** Starts the phones' process; it scans when it is told to. */
export function startPhones(): Phones {
  const child = start("phones.ts");
  return {
    async during(orders, work) {
      const seen = answerOf(child);
      child.send(orders);
      await Promise.race([work().finally(() => child.send("over")), seen]);
      return PhonesSaw.parse(await seen);
    },
    stop: () => stop(child),
  };
}
