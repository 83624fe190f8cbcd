import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { events, postScan, postScanBatch, type ScanPayload } from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";
import { rest, type Soak, scanOf } from "./work.ts";

/** Under which address of the loopback a phone is, one after the other: it comes back by the Wi-Fi or by its mobile network. */
const addresses = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
const scansThere = 4;
const scanEveryMs = 1_000;
/** How long the server hears nothing of a stream whose phone is gone, before a router resets the connection. */
const silentMs = 20_000;
const batchSize = 5;

/**
 * A phone that loses its network again and again: its event stream ends, in turns with a FIN and without, it goes on scanning into its queue,
 * comes back under another address with the login it had, and sends what it holds; at times the first answer is lost on its way. It
 * comes back before the soak is over. The answer is how many of its scans were answered.
 */
export async function leaveAndReturn(soak: Soak, api: ApiClient, areaCode: string): Promise<number> {
  const phone = new LeavingPhone(soak, api, areaCode);
  for (let times = 0; !soak.stopped.aborted; times += 1) {
    const from = addresses[times % addresses.length] ?? "";
    await phone.sendHeld(from, times % 3 === 2);
    const stream = await phone.listen(from);
    await phone.scanThere();
    if (times % 2 === 0) stream.destroy();
    else phone.fallSilent(stream);
    await phone.scanAway(3 + (times % 5));
    soak.did("times away");
  }
  await phone.sendHeld("127.0.0.1", false);
  await phone.end();
  return phone.answered;
}

/** A request from one of this machine's addresses, on a connection of its own. */
function ask({ url, cookie }: ApiClient, from: string, method: string, path: string): ClientRequest {
  const headers = { cookie: cookie ?? "", "content-type": "application/json" };
  return request(new URL(path, url), { method, headers, localAddress: from, agent: false });
}

async function answerTo(asked: ClientRequest): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on("response", resolve).on("error", reject);
  });
  if (answer.statusCode !== 200)
    throw new Error(`${asked.path} answered ${answer.statusCode}: ${await text(answer)}`);
  return answer;
}

class LeavingPhone {
  readonly #soak: Soak;
  readonly #api: ApiClient;
  readonly #areaCode: string;
  readonly #held: ScanPayload[] = [];
  readonly #silent: Promise<void>[] = [];
  #seq = 0;
  answered = 0;

  constructor(soak: Soak, api: ApiClient, areaCode: string) {
    this.#soak = soak;
    this.#api = api;
    this.#areaCode = areaCode;
  }

  async listen(from: string): Promise<IncomingMessage> {
    const stream = await answerTo(ask(this.#api, from, events.method, events.path).end());
    // That it breaks off is what is done to it.
    stream.on("error", () => undefined).resume();
    this.#soak.did("event streams");
    return stream;
  }

  /** Reads nothing and says nothing any more; the connection is reset later. */
  fallSilent(stream: IncomingMessage): void {
    stream.pause();
    const reset = async () => {
      await rest(this.#soak, silentMs);
      stream.socket.resetAndDestroy();
    };
    this.#silent.push(reset());
  }

  async scanThere(): Promise<void> {
    for (let made = 0; made < scansThere && (await rest(this.#soak, scanEveryMs)); made += 1) {
      const began = performance.now();
      await this.#api.call(postScan, { body: this.#next() });
      this.#soak.scanned(performance.now() - began);
      this.#took(1);
    }
  }

  async scanAway(scans: number): Promise<void> {
    for (let made = 0; made < scans; made += 1) {
      this.#held.push(this.#next());
      await rest(this.#soak, scanEveryMs);
    }
  }

  /** In batches that say what is still held after them, as the app does. */
  async sendHeld(from: string, losesFirstAnswer: boolean): Promise<void> {
    if (losesFirstAnswer && this.#held.length > 0) {
      const asked = this.#sendBatch(from);
      asked.on("error", () => undefined);
      await once(asked, "finish");
      // The server may have begun with it, or not.
      await pause(20);
      asked.destroy();
      this.#soak.did("answers lost");
    }
    while (this.#held.length > 0) {
      const answer = await text(await answerTo(this.#sendBatch(from)));
      const { results } = postScanBatch.answer.parse(JSON.parse(answer));
      const refused = results.find((result) => !("scan" in result));
      if (refused !== undefined) throw new Error(`A scan was refused: ${JSON.stringify(refused)}`);
      this.#held.splice(0, results.length);
      this.#took(results.length);
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#silent);
  }

  #sendBatch(from: string): ClientRequest {
    const scans = this.#held.slice(0, batchSize);
    const report = { pending: this.#held.length - scans.length, pendingOrder: Date.now() };
    const asked = ask(this.#api, from, postScanBatch.method, postScanBatch.path);
    return asked.end(JSON.stringify({ scans, ...report }));
  }

  #took(scans: number): void {
    this.answered += scans;
    for (let made = 0; made < scans; made += 1) this.#soak.did("scans");
  }

  #next(): ScanPayload {
    this.#seq += 1;
    return scanOf(this.#soak, this.#areaCode, this.#seq);
  }
}
