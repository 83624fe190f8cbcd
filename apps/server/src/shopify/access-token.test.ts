import { describe, expect, test } from "vitest";
import { z } from "zod";
import { breakOff, data, hang, type Reply, status } from "./testing/scripted-shop.ts";
import { transportInEachTest } from "./testing/scripted-transport.ts";
import { TIME_LIMIT_MS } from "./testing/test-clock.ts";

const HOUR = 3_600_000;
const question = {
  document: "query Shop { shop { name } }",
  variables: {},
  answer: z.object({ shop: z.unknown() }),
};
const good = data({ shop: {} });
const token = (value: string): Reply =>
  status(200, { access_token: value, scope: "read_products", expires_in: 86_399 });

describe("signing in with an app's credentials", () => {
  const auth = { kind: "client-credentials", clientId: "id", clientSecret: "se&cret" } as const;
  const scripted = transportInEachTest({ auth });

  const signIns = () =>
    scripted.shop.received.filter((request) => request.path === "/admin/oauth/access_token");
  const tokensSent = () =>
    scripted.shop.received.flatMap((request) => request.headers["x-shopify-access-token"] ?? []);

  test("asks for a token by form and sends it with the call", async () => {
    scripted.shop.will(token("first"), good);
    await scripted.transport.read(question);
    expect(signIns().map((request) => request.body)).toEqual([
      "grant_type=client_credentials&client_id=id&client_secret=se%26cret",
    ]);
    expect(tokensSent()).toEqual(["first"]);
  });

  test("renews the token in the last of its 24 hours, not before", async () => {
    scripted.shop.will(token("first"), good, good, token("second"), good);
    await scripted.transport.read(question);
    scripted.clock.advance(22.9 * HOUR);
    await scripted.transport.read(question);
    scripted.clock.advance(0.1 * HOUR);
    await scripted.transport.read(question);
    expect(tokensSent()).toEqual(["first", "first", "second"]);
  });

  test("shares one request between calls at the same time", async () => {
    scripted.shop.will(token("first"), good, good, good);
    await Promise.all([
      scripted.transport.read(question),
      scripted.transport.read(question),
      scripted.transport.read(question),
    ]);
    expect(signIns()).toHaveLength(1);
  });

  test("renews once after a 401 and sends the call again, a mutation too, of which it asks each time", async () => {
    scripted.shop.will(token("revoked"), status(401), token("second"), good);
    const sentBefore: number[] = [];
    const mutation = { ...question, beforeSend: async () => void sentBefore.push(tokensSent().length) };
    expect(await scripted.transport.mutateOnce(mutation)).toMatchObject({ kind: "answer" });
    expect(tokensSent()).toEqual(["revoked", "second"]);
    expect(sentBefore).toEqual([0, 1]);
  });

  test("does not renew a second time for the same call", async () => {
    scripted.shop.will(token("first"), status(401), token("second"), status(401), token("third"));
    expect(await scripted.transport.mutateOnce(question)).toMatchObject({ kind: "unauthorised" });
    expect(signIns()).toHaveLength(2);
  });

  test("goes on with the old token while a renewal fails and the old one lives", async () => {
    scripted.shop.will(token("first"), good, breakOff, good);
    await scripted.transport.read(question);
    scripted.clock.advance(23.5 * HOUR);
    await scripted.transport.read(question);
    expect(tokensSent()).toEqual(["first", "first"]);
  });

  test("says that the access was refused for wrong credentials", async () => {
    scripted.shop.will(status(400, { error: "application_cannot_be_found" }));
    await expect(scripted.transport.read(question)).rejects.toMatchObject({ kind: "unauthorised" });
  });

  test.each([
    ["breaks off", breakOff],
    ["fails", status(500)],
    ["makes no sense", status(200, { token: "" })],
  ])("leaves it certain that a mutation was not sent when it %s", async (_name, failure) => {
    scripted.shop.will(failure);
    expect(await scripted.transport.mutateOnce(question)).toMatchObject({ kind: "unreachable" });
    expect(tokensSent()).toEqual([]);
  });

  test("ends at its time limit", async () => {
    scripted.shop.will(hang);
    const outcome = scripted.transport.mutateOnce(question);
    await scripted.shop.arrived(1);
    scripted.clock.advance(TIME_LIMIT_MS);
    expect(await outcome).toMatchObject({ kind: "unreachable" });
  });
});
