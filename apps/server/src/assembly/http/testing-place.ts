import { randomUUID } from "node:crypto";
import type * as contract from "@stocktake/contract";
import type { Given } from "../../testing/test-api.ts";

/** Everything that a call can name, of one store with a running session in it. */
export interface Place {
  readonly storeId: string;
  readonly shopifyLocationId: string;
  readonly locationId: string;
  readonly areaId: string;
  readonly areaCode: string;
  /** The area's current pass. */
  readonly pass: number;
  readonly sessionId: string;
  readonly invitationId: string;
  readonly scanId: string;
  readonly deviceId: string;
  readonly userId: string;
  /** A permanent counter's account, and the name that it signs in with. */
  readonly accountId: string;
  readonly username: string;
  readonly invitationToken: string;
  readonly operationId: string;
  readonly adjustmentId: string;
  /** Of a person who signs in with a password. */
  readonly loginId: string;
  readonly passkeyId: string;
  readonly noticeId: string;
  /** A session that is prepared and not started. */
  readonly planId: string;
  /** The open code of the session, and somebody who waits to be admitted by it. */
  readonly sessionCodeId: string;
  readonly codeToken: string;
  readonly joinRequestId: string;
  readonly joinKey: string;
}

/** Names of the right form that lead to nothing. */
export const nowhere: Place = {
  storeId: randomUUID(),
  shopifyLocationId: "gid://shopify/Location/1",
  locationId: randomUUID(),
  areaId: randomUUID(),
  areaCode: "A1",
  pass: 1,
  sessionId: randomUUID(),
  invitationId: randomUUID(),
  scanId: "9007199254740991",
  deviceId: "device-1",
  userId: randomUUID(),
  accountId: randomUUID(),
  username: "Nobody",
  invitationToken: "unknown",
  operationId: randomUUID(),
  adjustmentId: randomUUID(),
  ...{ loginId: randomUUID(), passkeyId: randomUUID(), noticeId: randomUUID(), planId: randomUUID() },
  ...{ sessionCodeId: randomUUID(), codeToken: "unknown", joinRequestId: randomUUID(), joinKey: "unknown" },
};

/** A call's parameters, query and body, whatever they are. */
export interface AnyGiven {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A call with what makes a proper one of it. */
export interface Sample {
  readonly name: string;
  readonly call: contract.CallDefinition;
  readonly given: (place: Place) => AnyGiven;
}

export const nameOf = ({ method, path }: contract.CallDefinition): string => `${method} ${path}`;

/** A sample whose form the compiler has checked. */
export function sample<const Definition extends contract.CallDefinition>(
  call: Definition,
  given: (place: Place) => Given<Definition>,
): Sample {
  return { name: nameOf(call), call, given };
}
