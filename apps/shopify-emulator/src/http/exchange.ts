import type { IncomingMessage } from "node:http";

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonReply(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return {
    status,
    body: JSON.stringify(value),
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  };
}

const LARGEST_BODY = 32 * 1024 * 1024;

/** The body as text; rejects above 32 MiB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Uint8Array = Buffer.from(chunk);
    size += bytes.length;
    if (size > LARGEST_BODY) throw new RangeError("The body is larger than 32 MiB.");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
