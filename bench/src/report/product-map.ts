import { request } from "node:http";
import { listStores, productMap } from "@stocktake/contract";
import type { BareServer } from "../bare-process.ts";
import { loadText } from "../machine.ts";
import { median } from "../times.ts";
import type { Scale } from "./at-scale.ts";
import { besideFloor, measureFloor, measureSending, rowsOfProductMap } from "./bare-floor.ts";

interface Answer {
  readonly milliseconds: number;
  readonly status: number;
  readonly body: Buffer;
  readonly etag: string;
}

/** One call for the map, packed as a browser asks for it, timed to its last byte. */
function ask(url: string, cookie: string, etag: string | null): Promise<Answer> {
  const headers = { cookie, "accept-encoding": "gzip", ...(etag === null ? {} : { "if-none-match": etag }) };
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          milliseconds: performance.now() - begun,
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks),
          etag: response.headers.etag ?? "",
        }),
      );
    });
    call.once("error", reject);
    call.end();
  });
}

async function askSeveral(times: number, once: () => Promise<Answer>, status: number): Promise<number> {
  const answers: Answer[] = [];
  for (let time = 0; time < times; time += 1) answers.push(await once());
  const other = answers.find((answer) => answer.status !== status);
  if (other !== undefined) throw new Error(`The product map returned ${other.status} instead of ${status}.`);
  return median(answers.map(({ milliseconds }) => milliseconds));
}

/**
 * The product map on a server that has just started: the first that it builds, the same again, and unchanged for who has it. Beside the
 * first the reading and sending of as much, beside the others, which are read from no database, the sending alone.
 */
export async function measureProductMap({ admin, product, pool }: Scale, bare: BareServer): Promise<string> {
  const { stores } = await admin.call(listStores);
  const [store] = stores;
  if (store === undefined) throw new Error("There is no store.");
  const cookie = admin.cookie ?? "";
  const url = `${product.url}${productMap.path}?storeId=${store._id}`;
  const first = await ask(url, cookie, null);
  const again = await askSeveral(9, () => ask(url, cookie, null), 200);
  const unchanged = await askSeveral(21, () => ask(url, cookie, first.etag), 304);
  const floor = await measureFloor(pool, bare, rowsOfProductMap, first.body.length);
  const nothing = await measureSending(bare, 0);
  const size = (first.body.length / 1e6).toFixed(2);
  return (
    `product map, ${size} MB packed (${loadText()})\n` +
    `  first ${first.milliseconds.toFixed(0)} ms (aim 300); ${besideFloor(first.milliseconds, floor)}\n` +
    `  again ${again.toFixed(1)} ms (aim 60); product / bare bytes: ${(again / floor.send).toFixed(2)}\n` +
    `  304 ${unchanged.toFixed(1)} ms (aim 3); product / bare HTTP (${nothing.toFixed(1)} ms): ${(unchanged / nothing).toFixed(2)}`
  );
}
