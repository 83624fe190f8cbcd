import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { GraphQLSchema } from "graphql";
import type { Clock } from "../clock.ts";
import type { UserError } from "../entities.ts";
import type { Faults } from "../faults.ts";
import { gid } from "../gid.ts";
import type { Settings } from "../settings.ts";
import { type BulkQuery, BulkQueryError, compileBulkQuery } from "./projection.ts";

export interface BulkFile {
  readonly token: string;
  readonly chunks: readonly Buffer[];
  readonly size: number;
}

type BulkStatus = "CREATED" | "RUNNING" | "COMPLETED" | "FAILED" | "EXPIRED" | "CANCELED";

export interface BulkOperation {
  readonly id: string;
  readonly query: string;
  readonly createdAt: number;
  status: BulkStatus;
  errorCode: string | null;
  completedAt: number | null;
  objectCount: number;
  rootObjectCount: number;
  file: BulkFile | null;
}

/** Lines rendered before the event loop gets its turn: other calls go on while a large shop is read. */
const SLICE = 1000;

/** Results are kept in memory, so only the latest of them; the platform keeps all for seven days. */
const STORED_RESULTS = 3;

interface Environment {
  readonly schema: GraphQLSchema;
  readonly root: () => object;
  readonly clock: Clock;
  readonly settings: Readonly<Settings>;
  readonly faults: Faults;
}

function isOver({ status }: BulkOperation): boolean {
  return status !== "CREATED" && status !== "RUNNING";
}

/** The bulk operations of the shop, one at a time; each moves on when it is read. */
export class BulkOperations {
  private readonly environment: Environment;
  private operations: BulkOperation[] = [];
  private readonly compiled = new Map<BulkOperation, BulkQuery>();

  constructor(environment: Environment) {
    this.environment = environment;
  }

  start(query: string): { operation: BulkOperation | null; userErrors: readonly UserError[] } {
    const running = this.latest();
    if (running && !isOver(running)) return { operation: null, userErrors: [this.busy(running)] };
    try {
      const compiled = compileBulkQuery(this.environment.schema, query);
      return { operation: this.create(query, compiled), userErrors: [] };
    } catch (error) {
      if (!(error instanceof BulkQueryError)) throw error;
      return { operation: null, userErrors: [{ code: "INVALID", field: ["query"], message: error.message }] };
    }
  }

  get(id: string): BulkOperation | null {
    const operation = this.operations.find((candidate) => candidate.id === id);
    if (operation) this.moveOn(operation);
    return operation ?? null;
  }

  latest(): BulkOperation | null {
    const operation = this.operations.at(-1);
    if (operation) this.moveOn(operation);
    return operation ?? null;
  }

  cancel(id: string): BulkOperation | null {
    const operation = this.get(id);
    if (operation && !isOver(operation)) this.end(operation, "CANCELED");
    return operation;
  }

  file(token: string): BulkFile | null {
    return this.operations.find((operation) => operation.file?.token === token)?.file ?? null;
  }

  reset(): void {
    this.operations = [];
    this.compiled.clear();
  }

  private busy({ id }: BulkOperation): UserError {
    const message = `A bulk query operation for this app and shop is already in progress: ${id}.`;
    return { code: this.environment.settings.bulkRefusal, field: null, message };
  }

  private create(query: string, compiled: BulkQuery): BulkOperation {
    const operation: BulkOperation = {
      id: gid("BulkOperation", 5_200_000_000_000 + this.operations.length + 1),
      query,
      createdAt: this.environment.clock(),
      status: "CREATED",
      errorCode: null,
      completedAt: null,
      objectCount: 0,
      rootObjectCount: 0,
      file: null,
    };
    const failure = this.environment.faults.consumeBulkFailure();
    this.operations.push(operation);
    if (failure) this.end(operation, failure.status, failure.errorCode ?? null);
    else this.compiled.set(operation, compiled);
    return operation;
  }

  private end(operation: BulkOperation, status: BulkStatus, errorCode: string | null = null): void {
    operation.status = status;
    operation.errorCode = errorCode;
    operation.completedAt = this.environment.clock();
    this.compiled.delete(operation);
  }

  /** Rows are read once the operation has run its time, and not before anyone asks. */
  private moveOn(operation: BulkOperation): void {
    if (isOver(operation)) return;
    operation.status = "RUNNING";
    const query = this.compiled.get(operation);
    const due = operation.createdAt + this.environment.settings.bulkDuration;
    if (!query || this.environment.clock() < due) return;
    this.compiled.delete(operation);
    void this.render(operation, query);
  }

  private async render(operation: BulkOperation, query: BulkQuery): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      const lines = query(this.environment.root());
      while (operation.status === "RUNNING") {
        const chunk = renderSlice(lines, operation);
        if (chunk === "") break;
        chunks.push(Buffer.from(chunk));
        await setImmediate();
      }
      if (operation.status === "RUNNING") this.complete(operation, chunks);
    } catch (error) {
      process.stderr.write(`Bulk operation ${operation.id} failed: ${String(error)}\n`);
      this.end(operation, "FAILED", "INTERNAL_SERVER_ERROR");
    }
  }

  private complete(operation: BulkOperation, chunks: Buffer[]): void {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    operation.file = { token: randomUUID(), chunks, size };
    this.end(operation, "COMPLETED");
    const withFile = this.operations.filter(({ file }) => file !== null);
    for (const old of withFile.slice(0, -STORED_RESULTS)) old.file = null;
  }
}

function renderSlice(lines: ReturnType<BulkQuery>, operation: BulkOperation): string {
  let text = "";
  for (let count = 0; count < SLICE; count += 1) {
    const next = lines.next();
    if (next.done) break;
    text += `${JSON.stringify(next.value.row)}\n`;
    operation.objectCount += 1;
    if (next.value.isRoot) operation.rootObjectCount += 1;
  }
  return text;
}
