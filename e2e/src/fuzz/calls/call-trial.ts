import { Agent } from "node:http";
import { allCalls, health } from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import fc from "fast-check";
import type { CallStage } from "./call-stage.ts";
import { faultIn } from "./classify.ts";
import { type FuzzRequest, requestsOf } from "./requests.ts";
import { send } from "./send.ts";

/** So many requests are under way at a time. */
const lanes = 4;

/** Random requests of every call, whose responses are all proper. Throws for the first that is not, with what was sent. */
export async function fuzzCalls(stage: CallStage, seed: number, requestsPerCall: number): Promise<number> {
  const { pool, cookies } = await stage.renew();
  const requests = allCalls.flatMap((call, index) =>
    fc.sample(requestsOf(call, pool), { seed: seed * allCalls.length + index, numRuns: requestsPerCall }),
  );
  const waiting = shuffled(requests, seed);
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const cookie = cookies.get(next.sender) ?? null;
      const fault = await faultOf(stage.product.url, next, { agent, cookie });
      if (fault !== null) throw new Error(`${fault}\n${describe(next)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, work));
  } finally {
    waiting.length = 0;
    agent.destroy();
  }
  await requireAlive(stage);
  return requests.length;
}

async function faultOf(
  url: string,
  request: FuzzRequest,
  options: { readonly agent: Agent; readonly cookie: string | null },
): Promise<string | null> {
  try {
    const response = await send(url, request, options);
    const fault = faultIn(request, response);
    return fault === null ? null : `${fault}: ${response?.status} ${response?.body.slice(0, 400)}`;
  } catch (error) {
    return `no response: ${String(error)}`;
  }
}

function shuffled<Thing>(things: readonly Thing[], seed: number): Thing[] {
  const places = fc.sample(fc.nat(), { seed, numRuns: things.length });
  return things
    .map((thing, index) => ({ thing, place: places[index] ?? 0 }))
    .sort((one, other) => one.place - other.place)
    .map(({ thing }) => thing);
}

async function requireAlive({ product }: CallStage): Promise<void> {
  const { process: child } = product;
  if (child.exitCode !== null || child.signalCode !== null)
    throw new Error(`The server has ended:\n${product.output().slice(-4_000)}`);
  await new ApiClient(product.url).call(health);
}

/** The request as somebody needs it to send it again. */
function describe({ call, method, path, headers, body, sender }: FuzzRequest): string {
  const shown =
    body === null
      ? "no body"
      : `${body.length} bytes ${JSON.stringify(body.toString("latin1").slice(0, 1_500))}`;
  return `${call.method} ${call.path}, sent by ${sender}: ${method} ${path.slice(0, 1_500)}\n${JSON.stringify(headers).slice(0, 500)}\n${shown}`;
}
