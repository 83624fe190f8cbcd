import { once } from "node:events";
import { type Agent, type IncomingMessage, request as open } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { FuzzRequest } from "./requests.ts";

export interface FuzzResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Longer than any call may take that is done or goes on as an operation: 25 s. */
const hangsAfterMs = 40_000;

/**
 * Sends the request as it is. Null where the server ended the connection, as it does with what is too large, without a
 * response that could still be read. Throws where nothing comes.
 */
export async function send(
  url: string,
  { method, path, headers, body }: FuzzRequest,
  { agent, cookie }: { readonly agent: Agent; readonly cookie: string | null },
): Promise<FuzzResponse | null> {
  const { hostname, port } = new URL(url);
  const sent = open({
    ...{ agent, hostname, port, method, path, signal: AbortSignal.timeout(hangsAfterMs) },
    headers: { ...headers, ...lengthOf(headers, body), ...(cookie === null ? {} : { cookie }) },
  });
  sent.end(body ?? undefined);
  try {
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return await read(response);
  } catch (error) {
    sent.destroy();
    if (isCutOff(error)) return null;
    throw error;
  }
}

/** Node adds a length to methods that usually have a body alone. */
function lengthOf(headers: FuzzRequest["headers"], body: Buffer | null): Record<string, string> {
  if (body === null || "transfer-encoding" in headers) return {};
  return { "content-length": String(body.length) };
}

async function read(response: IncomingMessage): Promise<FuzzResponse> {
  const status = response.statusCode ?? 0;
  const contentType = response.headers["content-type"] ?? "";
  if (contentType.startsWith("text/event-stream")) {
    response.destroy();
    return { status, contentType, body: "" };
  }
  const bytes = await buffer(response);
  const decode = decoders[response.headers["content-encoding"] ?? ""] ?? ((same) => same);
  return { status, contentType, body: decode(bytes).toString() };
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  deflate: (bytes) => inflateSync(bytes),
};

function isCutOff(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ECONNRESET" || code === "EPIPE" || code === "ECONNABORTED";
}
