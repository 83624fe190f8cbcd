import type {
  answerSearch,
  CallAnswer,
  CallInput,
  OpenedSearchTask,
  SearchTask,
  SearchTaskItem,
} from "@stocktake/contract";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type CounterHarness, openCounter } from "./counter-harness.tsx";
import { ScriptedShop } from "./scripted-shop.ts";

export const searchesPath = "/api/session/session-1/search-lists";
export const searchTask: SearchTask = {
  ...{ number: 3, items: 2, done: 0, mine: true },
  area: { _id: "area-2", code: "A2", name: "Window", locationName: "Sales Floor" },
};

export function searchItem(changes: Partial<SearchTaskItem> = {}): SearchTaskItem {
  return {
    ...{ sku: "SHIRT-M", productTitle: "Linen Shirt", size: "M", counted: false, answer: null, others: [] },
    ...changes,
  };
}

type Said = CallInput<typeof answerSearch>["body"];

/** A shop with a list of two shirts, which keeps what is said of them. */
export class SearchedShop extends ScriptedShop {
  task: OpenedSearchTask = { ...searchTask, openAreas: ["area-1", "area-2"] };
  items = [searchItem(), searchItem({ sku: "SHIRT-L", size: "L" })];
  readonly said: Said[] = [];
  /** Hears what is said, and its answers do not arrive. */
  losesAnswers = false;
  refusal: { readonly code: string; readonly error: string } | null = null;

  constructor() {
    super();
    const ok = (body: unknown) => ({ status: 200, body });
    this.further.set(`GET ${searchesPath}`, () => ok({ tasks: [searchTask] }));
    this.further.set(`GET ${searchesPath}/3`, () => ok({ task: this.task, items: this.items }));
    this.further.set(`POST ${searchesPath}/3/answer`, (body) => {
      if (this.refusal !== null) return { status: 409, body: this.refusal };
      return ok(this.keep(body));
    });
  }

  private keep(body: unknown): CallAnswer<typeof answerSearch> {
    const { sku, answer, deviceId, answerOrder, saidAgoMs } = Object(body);
    const isOvertaken = this.said.some((said) => said.sku === sku && (said.answerOrder ?? 0) > answerOrder);
    this.said.push({ sku, answer, deviceId, answerOrder, saidAgoMs });
    if (!isOvertaken) this.items = this.items.map((each) => (each.sku === sku ? { ...each, answer } : each));
    if (this.losesAnswers) throw new TypeError("Failed to fetch");
    const kept = this.items.find((each) => each.sku === sku);
    if (kept === undefined) throw new Error(`${sku} is not on the list.`);
    return { item: kept };
  }
}

/** Opens the list on a phone. */
export async function openList(
  shop = new SearchedShop(),
): Promise<{ shop: SearchedShop; harness: CounterHarness }> {
  const harness = await openCounter({ path: "/counter/search/session-1/3", shop });
  await screen.findByRole("list", { name: "Products to look for" });
  return { shop, harness };
}

/** Touches the button of this name. */
export const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
