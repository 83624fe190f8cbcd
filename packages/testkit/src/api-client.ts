import {
  type CallAnswer,
  type CallArguments,
  type CallDefinition,
  callAddress,
  type ErrorBody,
} from "@stocktake/contract";

/** What came back, whatever it was. `body` is the ordinary answer only where `ok`. */
export type Outcome<Definition extends CallDefinition> =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Headers;
      readonly body: CallAnswer<Definition>;
    }
  | { readonly ok: false; readonly status: number; readonly headers: Headers; readonly body: ErrorBody };

/** A refusal where the caller counted on an answer. */
export class UnexpectedRefusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(definition: CallDefinition, status: number, body: ErrorBody) {
    super(`${definition.method} ${definition.path} answered ${status} ${JSON.stringify(body)}`);
    this.name = "UnexpectedRefusal";
    this.status = status;
    this.body = body;
  }
}

/** The one cookie that opens anything; the mark of a browser that signed in before does not. */
const loginCookie = "stocktake_session";

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * One visitor of the product over real HTTP: keeps its own login cookie, as a browser would, and nothing else.
 * `call` throws UnexpectedRefusal; `attempt` gives back whatever was answered.
 */
export class ApiClient {
  readonly url: string;
  #cookie: string | null = null;

  constructor(url: string) {
    this.url = url;
  }

  get cookie(): string | null {
    return this.#cookie;
  }

  async attempt<const Definition extends CallDefinition>(
    definition: Definition,
    ...[given]: CallArguments<Definition, SendOptions>
  ): Promise<Outcome<Definition>> {
    const parts: { params?: unknown; query?: unknown; body?: unknown } & SendOptions = given ?? {};
    const response = await fetch(this.url + callAddress(definition, parts.params, parts.query), {
      method: definition.method,
      headers: {
        "content-type": "application/json",
        ...(this.#cookie === null ? {} : { cookie: this.#cookie }),
        ...parts.headers,
      },
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      ...(parts.signal === undefined ? {} : { signal: parts.signal }),
    });
    this.#keepCookie(response.headers);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const body = isJson && text !== "" ? JSON.parse(text) : text;
    return { ok: response.ok, status: response.status, headers: response.headers, body };
  }

  async call<const Definition extends CallDefinition>(
    definition: Definition,
    ...given: CallArguments<Definition, SendOptions>
  ): Promise<CallAnswer<Definition>> {
    const outcome = await this.attempt(definition, ...given);
    if (!outcome.ok) throw new UnexpectedRefusal(definition, outcome.status, outcome.body);
    return outcome.body;
  }

  #keepCookie(headers: Headers): void {
    const login = headers.getSetCookie().find((line) => line.startsWith(`${loginCookie}=`));
    if (login !== undefined) this.#cookie = login.split(";")[0] ?? null;
  }
}
