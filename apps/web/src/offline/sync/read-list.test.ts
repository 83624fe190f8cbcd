import { listSessions } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { activeSession } from "../../testing/examples.ts";
import type { OutgoingCall, RawResponse } from "../ports.ts";
import { readList } from "./read-list.ts";

type Answer = readonly [status: number, body: unknown];

function server(answers: readonly Answer[]) {
  const asked: string[] = [];
  const send = async ({ path }: OutgoingCall): Promise<RawResponse> => {
    const [status, body] = answers[asked.length] ?? [500, null];
    asked.push(path);
    return { kind: "answer", status, body, retryAfterMs: null, epoch: null };
  };
  return { send, asked };
}

const page = (_id: string, next: string | null): Answer => [
  200,
  { sessions: [activeSession({ _id })], next, total: 2 },
];

describe("a list of the server, read by the device", () => {
  it("S17: is read to its end, so that a session on the second page is accessible", async () => {
    const { send, asked } = server([page("session-1", "abc"), page("session-2", null)]);
    const read = await readList(send, listSessions);
    const sessions = read.kind === "done" ? read.answer.sessions : [];
    expect(sessions.map(({ _id }) => _id)).toEqual(["session-1", "session-2"]);
    expect(asked).toEqual(["/api/session", "/api/session?cursor=abc"]);
  });

  it("is what the server refused the first page with", async () => {
    const refusal = [403, { error: "No.", code: "FORBIDDEN" }] as const;
    expect(await readList(server([refusal]).send, listSessions)).toMatchObject({ kind: "refused" });
  });

  it("without one of its pages is none: it is read again later", async () => {
    const later = { kind: "failed", why: "busy", retryAfterMs: null };
    const passOver = [409, { error: "Restarted.", code: "PASS_OVER" }] as const;
    for (const last of [passOver, [503, null]] as const) {
      expect(await readList(server([page("session-1", "abc"), last]).send, listSessions)).toEqual(later);
    }
  });
});
