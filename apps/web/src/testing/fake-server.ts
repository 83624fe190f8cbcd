import {
  type CallAnswer,
  type CallDefinition,
  type ErrorCode,
  errorStatuses,
  type User,
  whoAmI,
} from "@stocktake/contract";
import { vi } from "vitest";
import { SlowCalls } from "./slow-answers.ts";

/** What a page sent. */
export interface SentCall {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Responder = (sent: SentCall) => Response | Promise<Response>;

interface Rule {
  readonly definition: CallDefinition;
  readonly pattern: RegExp;
  readonly respond: Responder;
  readonly sent: SentCall[];
}

function patternOf(definition: CallDefinition): RegExp {
  return new RegExp(`^${definition.path.replaceAll(/:\w+/g, "[^/]+")}$`);
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

/** The server as the pages see it through fetch: every answer is typed by the contract. */
export class FakeServer {
  private rules: Rule[] = [];
  private readonly calls = new SlowCalls();

  constructor(user: User | null = null) {
    if (user === null) this.signOut();
    else this.answer(whoAmI, { user, invitationData: null });
    vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => this.exchange(input, init));
  }

  /** From now on nobody is signed in. */
  signOut(): void {
    this.refuse(whoAmI, "UNAUTHENTICATED", "Sign in to continue.");
  }

  /** From now on the call is answered so; a function makes the answer of what was sent. */
  answer<Definition extends CallDefinition>(
    definition: Definition,
    answer: CallAnswer<Definition> | ((sent: SentCall) => CallAnswer<Definition>),
    status: number = definition.status ?? 200,
  ): SentCall[] {
    return this.rule(definition, (sent) => json(status, answer instanceof Function ? answer(sent) : answer));
  }

  /** From now on the call signs the browser in: whoever asks afterwards who is signed in is told the same. */
  signIn<Definition extends CallDefinition>(
    definition: Definition,
    answer: CallAnswer<Definition> & CallAnswer<typeof whoAmI>,
  ): SentCall[] {
    return this.rule(definition, () => {
      this.answer(whoAmI, answer);
      return json(definition.status ?? 200, answer);
    });
  }

  /** From now on the call waits for the function that this gives; then it is answered so. */
  answerLater<Definition extends CallDefinition>(
    definition: Definition,
    answer: CallAnswer<Definition>,
  ): { readonly sent: SentCall[]; readonly release: () => void } {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const sent = this.rule(definition, async () => {
      await released;
      return json(definition.status ?? 200, answer);
    });
    return { sent, release };
  }

  refuse(definition: CallDefinition, code: ErrorCode, error: string): SentCall[] {
    return this.rule(definition, () => json(errorStatuses[code], { error, code }));
  }

  /** From now on the call is answered so, whatever the contract says: with headers of its own, say. */
  answerWith(definition: CallDefinition, respond: Responder): SentCall[] {
    return this.rule(definition, respond);
  }

  /** From now on the call is answered with what is not the product's: a proxy's page, say. */
  answerRaw(definition: CallDefinition, status: number, body: string): SentCall[] {
    return this.rule(definition, () => new Response(body, { status }));
  }

  /** From now on the call finds no network. */
  loseNetwork(definition: CallDefinition): SentCall[] {
    return this.rule(definition, () => Promise.reject(new TypeError("Failed to fetch")));
  }

  private rule(definition: CallDefinition, respond: Responder): SentCall[] {
    const sent: SentCall[] = [];
    this.rules = this.rules.filter((rule) => rule.definition !== definition);
    // A path without parameters is more exact than one with them.
    const exact = !definition.path.includes(":");
    const rule = { definition, pattern: patternOf(definition), respond, sent };
    this.rules = exact ? [rule, ...this.rules] : [...this.rules, rule];
    return sent;
  }

  private async exchange(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(String(input), "http://localhost");
    const rule = this.rules.find(
      ({ definition, pattern }) => definition.method === init.method && pattern.test(url.pathname),
    );
    if (rule === undefined) return json(404, { error: "Nothing is here.", code: "NOT_FOUND" });
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    const sent = { path: url.pathname, query: Object.fromEntries(url.searchParams), body };
    rule.sent.push(sent);
    return this.calls.answer(`${init.method} ${url.pathname}`, init.signal, () => rule.respond(sent));
  }
}
