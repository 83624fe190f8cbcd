import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { epochOf, interpret, interpretBody } from "./reply.ts";

const Answer = z.object({ total: z.number() });
const answer = { total: 3 };
const words = { error: "It is taken.", code: "TAKEN" };

function failed(why: string) {
  return { kind: "failed", why, retryAfterMs: null };
}

function refusal(httpStatus: number, code = "TAKEN") {
  return { httpStatus, code, error: "It is taken." };
}

describe("S11 to S14: what a status and a body mean", () => {
  it.each([
    [200, answer, { kind: "done", answer }],
    [299, answer, { kind: "done", answer }],
    [300, answer, failed("no_answer")],
    [200, {}, failed("no_answer")],
    [200, words, failed("no_answer")],
    [399, words, failed("no_answer")],
    [400, {}, failed("no_answer")],
    [404, answer, failed("no_answer")],
    [400, words, { kind: "refused", refusal: refusal(400), fields: [] }],
    [499, words, { kind: "refused", refusal: refusal(499), fields: [] }],
    [401, words, failed("unauthenticated")],
    [408, words, failed("busy")],
    [429, words, failed("busy")],
    [500, words, failed("busy")],
    [503, answer, failed("busy")],
    [199, answer, failed("no_answer")],
  ])("%s %o", (status, body, expected) => {
    expect(interpretBody(status, body, Answer)).toEqual(expected);
  });

  it.each([
    [
      { ...words, code: "SEQ_CONFLICT", nextSeq: 7 },
      { kind: "conflict", nextSeq: 7 },
    ],
    [
      { ...words, code: "SEQ_CONFLICT" },
      { kind: "refused", refusal: refusal(409, "SEQ_CONFLICT"), fields: [] },
    ],
    [
      { ...words, nextSeq: 7 },
      { kind: "refused", refusal: refusal(409), fields: [] },
    ],
    [
      { ...words, code: "NOT_FOUND" },
      { kind: "not_found", refusal: refusal(409, "NOT_FOUND") },
    ],
    [
      { ...words, details: [{ field: "scannedById", message: "Nobody." }, { field: "seq" }] },
      { kind: "refused", refusal: refusal(409), fields: ["scannedById", "seq"] },
    ],
    [{ ...words, details: "none" }, failed("no_answer")],
    [{ ...words, details: [{}] }, failed("no_answer")],
  ])("a refusal %o", (body, expected) => {
    expect(interpretBody(409, body, Answer)).toEqual(expected);
  });
});

describe("a response, or none", () => {
  const response = { kind: "answer", body: answer, retryAfterMs: 90_000, epoch: "epoch-1" } as const;

  it("says when to try again only where it failed", () => {
    expect(interpret({ kind: "no_answer" }, Answer)).toEqual(failed("no_answer"));
    expect(interpret({ ...response, status: 503 }, Answer)).toEqual({
      ...failed("busy"),
      retryAfterMs: 90_000,
    });
    expect(interpret({ ...response, status: 200 }, Answer)).toEqual({ kind: "done", answer });
  });

  it("says which life of the installation it is of", () => {
    expect(epochOf({ ...response, status: 200 })).toBe("epoch-1");
    expect(epochOf({ kind: "no_answer" })).toBeNull();
  });
});
