import { invitationOf, loginsPerUser } from "../auth/auth.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Tallies } from "../kernel/tallies.ts";
import type { EventStream } from "./event-stream.ts";

/** A login is a browser, and a browser has one stream, or one for each page where its pages can't share one. */
const streamsPerLogin = 20;

/** A stream for each of a person's logins, and as many again for those whose connections nobody has missed yet. */
function streamsPerPerson(caller: Caller): number {
  const isTemporary = invitationOf(caller) !== null;
  return 2 * (isTemporary ? loginsPerUser.temporary : loginsPerUser.permanent);
}

const tryAgainSeconds = 30;

/** The streams of this node, by login and by person, the oldest first. */
export class OpenStreams {
  private readonly tallies: Tallies;
  private readonly byLogin = new Map<string, Set<EventStream>>();
  private readonly byPerson = new Map<string, Set<EventStream>>();

  constructor(tallies: Tallies) {
    this.tallies = tallies;
  }

  /**
   * Ends the oldest stream of a login that has too many: a browser that opens another has left those before. Throws ApiError
   * OVERLOADED where all logins of the person have too many, because the others' are not this one's to end.
   */
  makeRoom(caller: Caller): void {
    const [oldest, ...others] = this.byLogin.get(loginOf(caller)) ?? [];
    if (oldest !== undefined && others.length + 1 >= streamsPerLogin) {
      this.endOne(caller, oldest);
      return;
    }
    if ((this.byPerson.get(caller.userId)?.size ?? 0) < streamsPerPerson(caller)) return;
    throw new ApiError("OVERLOADED", "Too many pages are open with this account. Close some of them.", {
      retryAfterSeconds: tryAgainSeconds,
    });
  }

  add(caller: Caller, stream: EventStream): void {
    addTo(this.byLogin, loginOf(caller), stream);
    addTo(this.byPerson, caller.userId, stream);
    this.tallies.eventStreams += 1;
    stream.body.once("close", () => {
      this.tallies.eventStreams -= 1;
      this.remove(caller, stream);
    });
  }

  /** Ends the streams of a login that has ended; null where it is unknown which have: each is looked up. */
  loginEnded(loginHash: string | null): void {
    if (loginHash !== null) for (const stream of [...(this.byLogin.get(loginHash) ?? [])]) stream.end();
    else for (const streams of this.byLogin.values()) for (const stream of streams) stream.recheck();
  }

  endAll(): void {
    for (const streams of [...this.byLogin.values()]) for (const stream of [...streams]) stream.end();
  }

  /** Its place is free at once, however long its client takes to read the end. */
  private endOne(caller: Caller, stream: EventStream): void {
    this.remove(caller, stream);
    stream.end();
  }

  private remove(caller: Caller, stream: EventStream): void {
    removeFrom(this.byLogin, loginOf(caller), stream);
    removeFrom(this.byPerson, caller.userId, stream);
  }
}

function addTo(streams: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
  streams.set(key, (streams.get(key) ?? new Set()).add(stream));
}

function removeFrom(streams: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
  const own = streams.get(key);
  own?.delete(stream);
  if (own?.size === 0) streams.delete(key);
}

function loginOf({ loginHash }: Caller): string {
  return loginHash.toString("hex");
}
