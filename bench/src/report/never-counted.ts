import { listNeverCounted, neverCountedGroups } from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";
import { loadText } from "../machine.ts";
import { median } from "../times.ts";

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
  return `never counted (${items} SKUs): p50 ${median(list).toFixed(0)} ms, its brands ${median(groups).toFixed(0)} ms (aim 1000, ${loadText()})`;
}
