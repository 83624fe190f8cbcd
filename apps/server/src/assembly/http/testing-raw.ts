import type { Answered } from "../../testing/test-api.ts";

interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The login's cookie value. */
  readonly token?: string | null;
}

/** A request with a body that no client of ours would send. */
export async function sendRaw(url: string, path: string, request: RawRequest = {}): Promise<Answered> {
  const { method = "GET", headers = {}, body, token = null } = request;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    headers: { ...(token === null ? {} : { cookie: `stocktake_session=${token}` }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
