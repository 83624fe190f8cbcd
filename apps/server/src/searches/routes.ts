import {
  answerSearch,
  createSearches,
  decideSearch,
  listNeverCounted,
  listSearches,
  listSearchTasks,
  neverCountedGroups,
  readSearch,
  readSearchTask,
  withdrawSearch,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route, succeeded } from "../kernel/route.ts";
import { keepAnswer } from "./answer-search.ts";
import { makeSearches } from "./create-searches.ts";
import { decideAnswer } from "./decide-search.ts";
import { listAllSearches, readSearchOf, withdrawList } from "./follow-searches.ts";
import { readNeverCounted, readNeverCountedGroups } from "./list-never-counted.ts";
import { listTasks, readTask } from "./search-tasks.ts";
import type { SearchServices } from "./services.ts";

const listOf = ({ id, number }: { readonly id: string; readonly number: number }) => ({
  sessionId: id,
  number,
});

/** Searching: what was never counted, the lists that administrators make of it, and what their counters say. */
export function searchRoutes(app: FastifyInstance, services: SearchServices): void {
  const { database } = services;

  route(app, listNeverCounted, ({ caller, params, query }) =>
    readNeverCounted(database, caller, params.id, query),
  );

  route(app, neverCountedGroups, ({ caller, params }) => readNeverCountedGroups(database, caller, params.id));

  route(app, createSearches, ({ caller, params, body }) => makeSearches(services, caller, params.id, body));

  route(app, listSearches, ({ caller, params, query }) =>
    listAllSearches(database, caller, params.id, query),
  );

  route(app, readSearch, ({ caller, params, query }) =>
    readSearchOf(database, caller, listOf(params), query),
  );

  route(app, withdrawSearch, async ({ caller, params }) => ({
    list: await withdrawList(services, caller, listOf(params)),
  }));

  route(app, decideSearch, async ({ caller, params, body }) => {
    await decideAnswer(services, caller, params.id, body);
    return succeeded;
  });

  route(app, listSearchTasks, ({ caller, params, query }) => listTasks(database, caller, params.id, query));

  route(app, readSearchTask, ({ caller, params, query }) =>
    readTask(database, caller, listOf(params), query),
  );

  route(app, answerSearch, async ({ caller, params, body }) => ({
    item: await keepAnswer(services, caller, listOf(params), body),
  }));
}
