import { randomUUID } from "node:crypto";
import { Signer } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";

/** The cookie that tells a browser in which somebody has signed in with a password from those of strangers. */
export const deviceMarkCookie = "stocktake_device";

/** Only where passwords are sent. */
const path = "/api/auth";

/** As long as browsers keep a cookie at all (RFC 6265bis, 5.5), from the last time that somebody signed in. */
const lifetimeSeconds = 400 * 86_400;

/** A shop's computer is used by a few; the one who has not signed in for the longest time is forgotten first. */
const accountsPerMark = 20;

/** An account, and which of its passwords was given: a browser in which an earlier one was given is a stranger's again. */
interface MarkedAccount {
  readonly id: string;
  readonly generation: number;
}

/**
 * A browser's own id, and the accounts that have signed in in it by the passwords that they have now. It opens nothing: it only says where
 * to count guesses.
 */
export interface DeviceMark {
  readonly id: string;
  readonly accounts: readonly MarkedAccount[];
}

declare module "fastify" {
  interface FastifyRequest {
    /** The mark that the call's browser carries; null for a browser in which nobody has signed in with a password. */
    deviceMark: DeviceMark | null;
  }
}

/** The id of the mark where its browser is known for the account, null elsewhere. */
export function markFor(mark: DeviceMark | null, accountId: string): string | null {
  return mark?.accounts.some(({ id }) => id === accountId) === true ? mark.id : null;
}

export interface DeviceMarks {
  /** Hands a browser a mark that names the account whose login it has just been given, beside those of its earlier mark. */
  remember(reply: FastifyReply, caller: Caller): Promise<void>;
}

/** Reads the marks of calls before anything else handles them. `secure` where the product is reached by https. */
export function readDeviceMarks(app: FastifyInstance, database: Database, secure: boolean): DeviceMarks {
  const signer = createSigner(database);
  app.decorateRequest("deviceMark", null);
  const readMark = async (request: FastifyRequest, cookie: string) => {
    const { valid, value } = (await signer()).unsign(cookie);
    if (valid) request.deviceMark = await withoutEarlierPasswords(database, markOf(value ?? ""));
  };
  app.addHook("onRequest", (request, _reply, done) => {
    const cookie = request.cookies[deviceMarkCookie];
    if (cookie === undefined || cookie === "") done();
    else readMark(request, cookie).then(() => done(), done);
  });
  return {
    async remember(reply, caller) {
      if (!isFromABrowser(reply.request)) return;
      const account = await readAccount(database, caller);
      if (account === null) return;
      const { id, accounts } = reply.request.deviceMark ?? { id: randomUUID(), accounts: [] };
      const kept = accounts.filter((other) => other.id !== account.id).slice(0, accountsPerMark - 1);
      reply.setCookie(deviceMarkCookie, (await signer()).sign(textOf({ id, accounts: [account, ...kept] })), {
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

function textOf({ id, accounts }: DeviceMark): string {
  return [id, ...accounts.map((account) => `${account.id}:${account.generation}`)].join(".");
}

/** A mark of an earlier release names no generation: it is of the password that the account had before it was counted. */
function markOf(text: string): DeviceMark {
  const [id = "", ...accounts] = text.split(".");
  const accountOf = (account: string): MarkedAccount => {
    const [accountId = "", generation = "0"] = account.split(":");
    return { id: accountId, generation: Number(generation) };
  };
  return { id, accounts: accounts.map(accountOf) };
}

/** The password that the login was made by; null where it is another by now, which has ended the login. */
async function readAccount(database: Database, { loginHash }: Caller): Promise<MarkedAccount | null> {
  const { rows } = await sql<MarkedAccount>`
    select person.id, person.password_generation as generation
    from logins login join users person on person.id = login.user_id
    where login.token_hash = ${loginHash}`.execute(database);
  return rows[0] ?? null;
}

async function withoutEarlierPasswords(
  database: Database,
  { id, accounts }: DeviceMark,
): Promise<DeviceMark> {
  const { rows } = await sql<{ id: string }>`
    select person.id from users person
    join json_to_recordset(${JSON.stringify(accounts)}::json) as marked (id uuid, generation integer)
      on marked.id = person.id and marked.generation = person.password_generation`.execute(database);
  const present = new Set(rows.map((row) => row.id));
  return { id, accounts: accounts.filter((account) => present.has(account.id)) };
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
