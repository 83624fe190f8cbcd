import {
  type CallAnswer,
  type CallDefinition,
  type CallGiven,
  callAddress,
  type ErrorBody,
  ErrorBody as ErrorBodySchema,
} from "@stocktake/contract";
import * as z from "zod/mini";
import { loginCookie } from "../auth/authentication.ts";

/** A call's parameters, query and body, those it needs. */
export type Given<Definition extends CallDefinition> = CallGiven<Definition>;

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** JSON read, or the text of anything else; undefined for no body. */
  readonly body: unknown;
}

export type Refused = ErrorBody & { readonly status: number };

/** The product's calls over HTTP as one visitor makes them; answers are checked against the contract. */
export class TestApi {
  readonly url: string;
  /** The login's cookie value; null for a stranger. */
  readonly token: string | null;

  constructor(url: string, token: string | null) {
    this.url = url;
    this.token = token;
  }

  /** The call's ordinary answer. Throws for any other, with what it said. */
  async call<const Definition extends CallDefinition>(
    definition: Definition,
    given: Given<Definition>,
  ): Promise<CallAnswer<Definition>> {
    const { status, body } = await this.send(definition, given);
    if (status >= 400) throw new Error(`${definition.path} answered ${status} ${JSON.stringify(body)}`);
    if (definition.answer === undefined) return undefined as CallAnswer<Definition>;
    return z.parse(definition.answer, body) as CallAnswer<Definition>;
  }

  /** The call's refusal. Throws when it was not refused. */
  async refusal<const Definition extends CallDefinition>(
    definition: Definition,
    given: Given<Definition>,
  ): Promise<Refused> {
    const { status, body } = await this.send(definition, given);
    if (status < 400) throw new Error(`${definition.path} was not refused but answered ${status}`);
    return { status, ...ErrorBodySchema.parse(body) };
  }

  /** The call as it is, whatever it returns. */
  send<const Definition extends CallDefinition>(
    definition: Definition,
    given: Given<Definition>,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const { params, query, body } = given as Record<string, Record<string, unknown> | undefined>;
    return this.request(definition.method, callAddress(definition, params, query), { body, headers });
  }

  async request(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answered> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.token === null ? {} : { cookie: `${loginCookie}=${this.token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: bodyOf(response, await this.read(response)),
    };
  }

  /** The text of an answer, as it came. */
  protected read(response: Response): Promise<string> {
    return response.text();
  }
}

function bodyOf(response: Response, text: string): unknown {
  if (text === "") return undefined;
  return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
}
