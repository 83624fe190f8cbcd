import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, NumericIdInput, Timestamp } from "../primitives.ts";
import { Sku } from "../text.ts";
import { InputType, ScanReason, ScanStatus } from "./scanning.ts";

/** A device's scan beside another one in the walk. */
export const NeighbourScan = z.object({
  _id: Id,
  input: z.string(),
  sku: z.nullable(z.string()),
  productTitle: z.nullable(z.string()),
  size: z.nullable(z.string()),
  scannedAt: Timestamp,
});

/** A scan that waits for an administrator, with the device's scans before and after it. */
export const ExceptionScan = z.object({
  _id: Id,
  status: ScanStatus,
  reason: z.nullable(ScanReason),
  input: z.string(),
  inputType: InputType,
  /** Units. Absent from an older server: 1. */
  quantity: z.optional(z.int()),
  sku: z.nullable(z.string()),
  productTitle: z.nullable(z.string()),
  size: z.nullable(z.string()),
  area: z.object({ _id: Id, code: z.string(), name: z.string() }),
  pass: z.int(),
  deviceId: z.string(),
  username: z.string(),
  scannedAt: Timestamp,
  /** It was, or may have been, made after the end stock was read: accepted, its row may become uncertain. */
  afterEnd: z.boolean(),
  before: z.nullable(NeighbourScan),
  after: z.nullable(NeighbourScan),
});
export type ExceptionScan = z.infer<typeof ExceptionScan>;

export const sessionExceptions = defineCall({
  method: "GET",
  path: "/api/session/:id/exceptions",
  access: "admin",
  summary: "Unresolved and late scans of a session, in the order in which they arrived",
  params: z.object({ id: IdInput }),
  query: z.object(pageQuery),
  answer: z.object({ scans: z.array(ExceptionScan), ...pageAnswer }),
});

export const resolveScan = defineCall({
  method: "POST",
  path: "/api/scans/:id/resolve",
  access: "admin",
  summary: "Accept an unresolved or late scan (as a SKU, in an area) or dismiss it",
  params: z.object({ id: NumericIdInput }),
  body: z.object({
    action: z.enum(["accept", "dismiss"]),
    sku: z.optional(z.nullable(Sku)),
    areaId: z.optional(z.nullable(IdInput)),
  }),
  answer: z.object({
    scan: z.object({
      _id: Id,
      status: ScanStatus,
      reason: z.nullable(ScanReason),
      sku: z.nullable(z.string()),
      areaId: Id,
      pass: z.int(),
    }),
  }),
  refusals: ["REPORT_DEPLOYED", "SCAN_NOT_OPEN"],
  events: ["scan"],
});
