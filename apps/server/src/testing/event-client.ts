import { LiveEvent } from "@stocktake/contract";
import { vi } from "vitest";
import { loginCookie } from "../auth/authentication.ts";
import type { TestApi } from "./test-api.ts";

/** A page that listens to the server's events. */
export interface EventClient {
  readonly status: number;
  readonly headers: Headers;
  /** Everything heard so far, in order. */
  readonly heard: LiveEvent[];
  /** Comments heard so far. */
  readonly comments: string[];
  /** All of it so far, as it came. */
  readonly pieces: string[];
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  /** Resolves once something like this was heard. */
  until(event: Partial<LiveEvent>): Promise<void>;
  close(): void;
}

/** Opens the events as the caller; resolves once the server listens for it. */
export async function listen({ url, token }: TestApi): Promise<EventClient> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/events`, {
    headers: token === null ? {} : { cookie: `${loginCookie}=${token}` },
    signal: leaving.signal,
  });
  const heard: LiveEvent[] = [];
  const comments: string[] = [];
  const pieces: string[] = [];
  const ended = readInto(response, { heard, comments, pieces }, leaving.signal);
  if (response.ok) await vi.waitFor(() => found(comments.length > 0, "a first comment"));
  return {
    status: response.status,
    headers: response.headers,
    heard,
    comments,
    pieces,
    ended,
    until: (wanted) =>
      vi.waitFor(() =>
        found(
          heard.some((event) => isLike(event, wanted)),
          JSON.stringify(wanted),
        ),
      ),
    close: () => leaving.abort(),
  };
}

function found(isThere: boolean, what: string): void {
  if (!isThere) throw new Error(`The stream has not brought ${what} yet.`);
}

function isLike(event: LiveEvent, wanted: Partial<LiveEvent>): boolean {
  const names = ["type", "sessionId", "storeId", "areaId", "pass"] as const;
  return names.every((name) => wanted[name] === undefined || wanted[name] === event[name]);
}

async function readInto(
  response: Response,
  { heard, comments, pieces }: Pick<EventClient, "heard" | "comments" | "pieces">,
  leaving: AbortSignal,
): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of response.body ?? []) {
      const came = decoder.decode(piece, { stream: true });
      pieces.push(came);
      text += came;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const line of blocks.flatMap((block) => block.split("\n"))) {
        if (line.startsWith("data: ")) heard.push(LiveEvent.parse(JSON.parse(line.slice(6))));
        if (line.startsWith(":")) comments.push(line.slice(1).trim());
      }
    }
  } catch (error) {
    if (!leaving.aborted) throw error;
  }
}
