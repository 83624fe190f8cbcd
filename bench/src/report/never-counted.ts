import { listNeverCounted, neverCountedGroups } from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";
import { loadText } from "../machine.ts";

interface Asked {
  readonly admin: ApiClient;
  readonly times: number;
}

/** How long what the page of searches asks for takes: its first page, and the brands and types. */
export async function measureNeverCounted({ admin, times }: Asked, sessionId: string): Promise<string> {
  const params = { id: sessionId };
  const list: number[] = [];
  const groups: number[] = [];
  let items = 0;
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now();
    const { total = 0 } = await admin.call(listNeverCounted, { params, query: { limit: "50" } });
    list.push(performance.now() - begun);
    const listed = performance.now();
    await admin.call(neverCountedGroups, { params });
    groups.push(performance.now() - listed);
    items = total;
  }
  return `never counted (${items} SKUs): p50 ${median(list)} ms, its brands ${median(groups)} ms (aim 1000, ${loadText()})`;
}

function median(times: readonly number[]): string {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)]?.toFixed(0) ?? "–";
}
