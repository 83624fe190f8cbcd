import { appendPage, type CallDefinition, callAddress, cursorAfter } from "@stocktake/contract";
import type * as z from "zod/mini";
import type { Send } from "../ports.ts";
import { interpret, type Reply } from "./reply.ts";

type ListCall<Answer> = CallDefinition & { readonly answer: z.ZodMiniType<Answer> };

interface Given {
  readonly params?: object;
  readonly query?: object;
}

/** A page after the first is refused only where the list is another one by now: it has to be read again. */
const listChanged = { kind: "failed", why: "busy", retryAfterMs: null } as const;

/** Reads a list of the server to its end, page after page: all its entries in one answer, or none. */
export async function readList<Answer>(
  send: Send,
  definition: ListCall<Answer>,
  given: Given = {},
): Promise<Reply<Answer>> {
  const first = await readPage(send, definition, given, null);
  if (first.kind !== "done") return first;
  let { answer } = first;
  for (let cursor = cursorAfter(answer); cursor !== null; cursor = cursorAfter(answer)) {
    const page = await readPage(send, definition, given, cursor);
    if (page.kind !== "done") return page.kind === "failed" ? page : listChanged;
    answer = appendPage(answer, page.answer);
  }
  return { kind: "done", answer };
}

async function readPage<Answer>(
  send: Send,
  definition: ListCall<Answer>,
  { params, query }: Given,
  cursor: string | null,
): Promise<Reply<Answer>> {
  const path = callAddress(definition, params, { ...query, cursor });
  return interpret(await send({ method: "GET", path }), definition.answer);
}
