import { randomUUID } from "node:crypto";
import { Signer } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../database/pool.ts";

/** The cookie that tells a browser in which somebody has signed in with a password from those of strangers. */
export const deviceMarkCookie = "stocktake_device";

/** Only where passwords are sent. */
const path = "/api/auth";

/** As long as browsers keep a cookie at all (RFC 6265bis, 5.5), from the last time that somebody signed in. */
const lifetimeSeconds = 400 * 86_400;

/** A shop's computer is used by a few; the one who has not signed in for the longest time is forgotten first. */
const accountsPerMark = 20;

/** A browser's own id, and the accounts that have signed in in it. It opens nothing: it only says where to count guesses. */
export interface DeviceMark {
  readonly id: string;
  readonly accounts: readonly string[];
}

declare module "fastify" {
  interface FastifyRequest {
    /** The mark that the call's browser carries; null for a browser in which nobody has signed in with a password. */
    deviceMark: DeviceMark | null;
  }
}

/** The id of the mark where its browser is known for the account, null elsewhere. */
export function markFor(mark: DeviceMark | null, accountId: string): string | null {
  return mark?.accounts.includes(accountId) === true ? mark.id : null;
}

export interface DeviceMarks {
  /** Hands a browser a mark that names the account that has just signed in, beside those of its earlier mark. */
  remember(reply: FastifyReply, accountId: string): Promise<void>;
}

/** Reads the marks of calls before anything else handles them. `secure` where the product is reached by https. */
export function readDeviceMarks(app: FastifyInstance, database: Database, secure: boolean): DeviceMarks {
  const signer = createSigner(database);
  app.decorateRequest("deviceMark", null);
  const readMark = async (request: FastifyRequest, cookie: string) => {
    const { valid, value } = (await signer()).unsign(cookie);
    if (valid) request.deviceMark = markOf(value ?? "");
  };
  app.addHook("onRequest", (request, _reply, done) => {
    const cookie = request.cookies[deviceMarkCookie];
    if (cookie === undefined || cookie === "") done();
    else readMark(request, cookie).then(() => done(), done);
  });
  return {
    async remember(reply, accountId) {
      if (!isFromABrowser(reply.request)) return;
      const { id, accounts } = reply.request.deviceMark ?? { id: randomUUID(), accounts: [] };
      const kept = accounts.filter((account) => account !== accountId).slice(0, accountsPerMark - 1);
      const text = [id, accountId, ...kept].join(".");
      reply.setCookie(deviceMarkCookie, (await signer()).sign(text), {
        path,
        httpOnly: true,
        sameSite: "lax",
        secure,
        maxAge: lifetimeSeconds,
      });
    },
  };
}

/** Browsers name their page's origin with every POST (Fetch, 3.2). A program gets the login's cookie and no other. */
function isFromABrowser({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined;
}

function markOf(text: string): DeviceMark {
  const [id = "", ...accounts] = text.split(".");
  return { id, accounts };
}

/** Signs with the installation's key, the same on all nodes; it is read once, when it is first needed. */
function createSigner(database: Database): () => Promise<Signer> {
  let signer: Promise<Signer> | null = null;
  const read = async () => {
    const { markKey } = await database.selectFrom("installation").select("markKey").executeTakeFirstOrThrow();
    return new Signer(markKey);
  };
  return () => {
    signer ??= read().catch((error: unknown) => {
      signer = null;
      throw error;
    });
    return signer;
  };
}
