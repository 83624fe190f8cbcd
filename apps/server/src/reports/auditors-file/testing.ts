import { createHash } from "node:crypto";
import { writeAuditorsFile } from "@stocktake/contract";
import { expect } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";

/** A line of a file. */
export interface Line {
  readonly hash: string;
  readonly json: string;
  readonly record: { readonly is: string; readonly [field: string]: unknown };
}

/** Reads a file as its documentation says, and expects each line to be linked to the one before it. */
function linesOf(file: string): Line[] {
  let linked = "stocktake-file-1";
  return file
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [hash = "", json = ""] = [line.slice(0, 64), line.slice(65)];
      linked = createHash("sha256").update(`${linked} ${json}`).digest("hex");
      expect(hash).toBe(linked);
      return { hash, json, record: JSON.parse(json) as Line["record"] };
    });
}

/** The lines of a session's file as an administrator gets it. */
export async function writtenBy(admin: TestApi, sessionId: string): Promise<Line[]> {
  const { status, body, headers } = await admin.send(writeAuditorsFile, { params: { sessionId } });
  expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  return linesOf(String(body));
}
