import { listOperations, readOperation } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import type { Database } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import { route } from "../kernel/route.ts";
import { presentOperation } from "./present.ts";
import { findOperation, listRunningOperations } from "./queries.ts";

interface OperationServices {
  readonly database: Database;
}

export function operationRoutes(app: FastifyInstance, { database }: OperationServices): void {
  route(app, listOperations, async () => {
    const operations = await listRunningOperations(database);
    return { operations: operations.map(presentOperation) };
  });

  route(app, readOperation, async ({ params }) => {
    const operation = await findOperation(database, params.id);
    if (operation === undefined) throw notFound("The operation");
    return { operation: presentOperation(operation) };
  });
}
