import type { BulkOperation } from "../bulk/operations.ts";
import { isoSeconds, type ViewContext } from "./views.ts";

/** A bulk operation as GraphQL answers it; 64-bit numbers are text. */
export class BulkOperationView {
  readonly __typename = "BulkOperation";
  readonly id: string;
  readonly type = "QUERY";
  readonly query: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly objectCount: string;
  readonly rootObjectCount: string;
  readonly fileSize: string | null;
  readonly url: string | null;
  readonly partialDataUrl = null;

  constructor(operation: BulkOperation, { baseUrl }: ViewContext) {
    this.id = operation.id;
    this.query = operation.query;
    this.status = operation.status;
    this.errorCode = operation.errorCode;
    this.createdAt = isoSeconds(operation.createdAt);
    this.completedAt = operation.completedAt === null ? null : isoSeconds(operation.completedAt);
    this.objectCount = String(operation.objectCount);
    this.rootObjectCount = String(operation.rootObjectCount);
    const { file } = operation;
    // The platform gives no address where the query found nothing.
    const filled = operation.status === "COMPLETED" && file !== null && file.size > 0 ? file : null;
    this.fileSize = filled ? String(filled.size) : null;
    this.url = filled ? `${baseUrl}/bulk/${filled.token}/result.jsonl` : null;
  }
}
