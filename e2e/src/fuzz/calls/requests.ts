import { createHmac } from "node:crypto";
import { type CallDefinition, limits, shopifyWebhook } from "@stocktake/contract";
import fc from "fast-check";
import * as z from "zod/mini";
import { formOf, type Pool } from "./forms.ts";
import { oddAddressPart, oddValue } from "./odd-values.ts";

/** Who sends it: somebody of the stage, or a cookie that opens nothing. */
const senders = ["admin", "counter", "former", "permanent", "stranger", "garbage"] as const;
export type Sender = (typeof senders)[number];

/** One request, byte by byte, and which call it is meant to be. */
export interface FuzzRequest {
  readonly call: CallDefinition;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | null;
  readonly sender: Sender;
  /** Whether method and address are still the call's own, so that its own answers and refusals are to be expected. */
  readonly isItself: boolean;
}

/** The secret that the stage's Shopify signs with. */
export const webhookSecret = "the fuzz's webhook secret";

/** Random requests of a call, as often nearly right as altogether wrong. */
export function requestsOf(call: CallDefinition, pool: Pool): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      address: addressOf(call, pool),
      body: bodyOf(call, pool),
      type: contentType,
      method: fc.oneof({ arbitrary: fc.constant(call.method), weight: 30 }, oddMethod),
      sender: senderOf(call),
      headers: fc.oneof({ arbitrary: fc.constant({}), weight: 6 }, oddHeaders),
      signed: fc.boolean(),
    })
    .map(({ address, body, type, method, sender, headers, signed }) => ({
      call,
      method,
      path: address.path,
      headers: {
        ...headers,
        ...(body === null || type === null ? {} : { "content-type": type }),
        ...(call === shopifyWebhook && signed ? signature(body) : {}),
      },
      body,
      sender,
      isItself: address.isItself && method === call.method,
    }));
}

function signature(body: Buffer | null): Record<string, string> {
  const signed = createHmac("sha256", webhookSecret).update(body ?? Buffer.alloc(0));
  return { "x-shopify-hmac-sha256": signed.digest("base64"), "x-shopify-topic": "inventory_levels/update" };
}

function senderOf({ access }: CallDefinition): fc.Arbitrary<Sender> {
  const usual = access === "admin" ? "admin" : "counter";
  return fc.oneof({ arbitrary: fc.constant<Sender>(usual), weight: 5 }, fc.constantFrom(...senders));
}

interface Address {
  readonly path: string;
  readonly isItself: boolean;
}

function addressOf(call: CallDefinition, pool: Pool): fc.Arbitrary<Address> {
  const segments = call.path.split("/").slice(1);
  const parts = segments.map((segment, index): fc.Arbitrary<string> => {
    if (!segment.startsWith(":")) return fc.constant(segment);
    const known = knownFor(pool, segment.slice(1), segments[index - 1] ?? "");
    return fc.oneof(
      { arbitrary: fc.constantFrom(...known).map(encodeURIComponent), weight: 6 },
      oddAddressPart,
    );
  });
  return fc.tuple(fc.tuple(...parts), queryOf(call, pool)).map(([names, query]) => {
    // A name that is empty, or that a client resolves, leads elsewhere.
    const isItself = names.every(
      (name) => name !== "" && !/^(?:\.|%2e){1,2}$/i.test(name) && !/[?#]/.test(name),
    );
    return { path: `/${names.join("/")}${query}`, isItself };
  });
}

/** What `:id` names follows from the word before it. */
function knownFor(pool: Pool, name: string, before: string): readonly string[] {
  const known = pool.get(name === "id" ? `id of ${before}` : name) ?? [];
  return known.length > 0 ? known : ["00000000-0000-4000-8000-000000000000", ...(pool.get("id") ?? [])];
}

function queryOf({ query }: CallDefinition, pool: Pool): fc.Arbitrary<string> {
  const own = query instanceof z.core.$ZodObject ? Object.entries(query._zod.def.shape) : [];
  const pairs = own.map(([name, schema]) =>
    formOf(schema, pool, name).map((value) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      if (text === undefined || /\p{Surrogate}/u.test(text)) return "";
      return `${name}=${encodeURIComponent(text.slice(0, 1_000))}`;
    }),
  );
  const fitting = fc.tuple(...pairs).map((texts) => texts.filter((text) => text !== "").join("&"));
  return fc
    .oneof({ arbitrary: fitting, weight: 8 }, oddQuery(own.map(([name]) => name)))
    .map((text) => (text === "" ? "" : `?${text}`));
}

/** The call's names given twice, as lists and objects, or names that objects have by themselves. */
function oddQuery(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...names, "view", "limit", "cursor", "__proto__", "constructor", "storeId");
  return fc
    .tuple(name, oddAddressPart, fc.constantFrom("twice", "list", "object", "bare", "many", "noise"))
    .map(([key, value, how]) => {
      if (how === "twice") return `${key}=${value}&${key}=${value}x`;
      if (how === "list") return `${key}[]=${value}&${key}[0]=1`;
      if (how === "object") return `${key}[__proto__][x]=${value}&${key}.x=1`;
      if (how === "bare") return `${key}`;
      if (how === "many")
        return Array.from({ length: 500 }, (_nothing, index) => `${key}=${index}`).join("&");
      return `&&==&?${key}=${value}&=%&+=+`;
    });
}

function bodyOf({ method, body }: CallDefinition, pool: Pool): fc.Arbitrary<Buffer | null> {
  const nothing = fc.constant<Buffer | null>(null);
  if (body === undefined) {
    const odd = oddValue.map((value) => Buffer.from(JSON.stringify(value) ?? ""));
    return fc.oneof({ arbitrary: nothing, weight: method === "GET" ? 30 : 6 }, odd);
  }
  const fitting = formOf(body, pool).map((value) => JSON.stringify(value) ?? "");
  return fc.oneof(
    { arbitrary: fitting.map((text) => Buffer.from(text)), weight: 14 },
    { arbitrary: fc.tuple(fitting, fc.constantFrom(...bodyFaults), fc.nat()).map(spoil), weight: 5 },
    nothing,
  );
}

type BodyFault = (text: string, at: number) => string | Buffer;

/** What can be wrong with the bytes of a body, whatever they say. */
const bodyFaults: readonly BodyFault[] = [
  (text) => text.replace("{", '{"__proto__":{"role":"admin"},'),
  (text) => text.replace("{", '{"constructor":{"prototype":{"x":1}},'),
  // Every name twice: the last one counts.
  (text) => text.replace("{", `${text.slice(0, -1)},`),
  (text, at) => text.slice(0, at % (text.length + 1)),
  (text, at) =>
    Buffer.concat([Buffer.from(text.slice(0, at % (text.length + 1))), Buffer.from([0xff, 0xc0, 0x80])]),
  (text) =>
    Buffer.from(
      text.replaceAll(/"([a-z]+)"/g, (_whole, word) => `"${word}\u00ff"`),
      "latin1",
    ),
  (text) => `\ufeff${text}`,
  (text) => Buffer.from(text, "utf16le"),
  (text) => `${text}\u0000`,
  (text) => `${text}${text}`,
  (text) => text.replaceAll(/\d+/g, "1e400"),
  (text) => text.replaceAll(/\d+/g, "-00x1"),
  (text) => text.replaceAll(/"[^"]*"/g, '"\\ud800"'),
  (text) => `[${text}]`,
  (_text, at) => "[".repeat(1 + (at % 200_000)),
  (_text, at) => `${'{"a":'.repeat(1 + (at % 20_000))}1${"}".repeat(1 + (at % 20_000))}`,
  (text) =>
    text.replace("{", `{"padding":"${"x".repeat(Math.max(0, limits.bodyBytes - text.length - 16))}",`),
  (text) => text.replace("{", `{"padding":"${"x".repeat(limits.bodyBytes)}",`),
  (text) => `${" ".repeat(200_000)}${text}`,
  (text) =>
    text.replace("{", `{${Array.from({ length: 5_000 }, (_nothing, index) => `"k${index}":${index}`)},`),
];

function spoil([text, fault, at]: [string, BodyFault, number]): Buffer {
  return Buffer.from(fault(text, at));
}

const contentType = fc.oneof(
  { arbitrary: fc.constant<string | null>("application/json"), weight: 30 },
  fc.constantFrom(
    ...[
      "application/json; charset=utf-8",
      "APPLICATION/JSON",
      "application/json; charset=utf-16",
      "text/json",
    ],
    ...[
      "application/json, text/html",
      "application/json;",
      "application/problem+json",
      "text/plain",
      "json",
      "*/*",
    ],
    ...[
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
      `application/${"x".repeat(4_000)}`,
    ],
    null,
  ),
);

const oddMethod = fc.constantFrom(
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
  "OPTIONS",
  "PROPFIND",
  "TRACE",
);

const oddHeaders = fc
  .constantFrom<[string, string]>(
    ["if-none-match", "*"],
    ["if-none-match", `W/"${"x".repeat(3_000)}"`],
    ["accept", "text/html;q=x, */*;q=9"],
    ["accept-encoding", "gzip;q=-1, br;q=1e9, , *"],
    ["content-encoding", "gzip"],
    ["range", "bytes=0-,-1,9-1"],
    ["x-http-method-override", "DELETE"],
    ["x-forwarded-for", "127.0.0.1, ::1, ' or 1=1 --"],
    ["x-forwarded-host", "evil.example"],
    ["authorization", "Basic ////"],
    ["accept-language", "x".repeat(5_000)],
    ["transfer-encoding", "chunked"],
    ["connection", "close"],
  )
  .map(([name, value]) => ({ [name]: value }));
