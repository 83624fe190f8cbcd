import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../kernel/clock.ts";
import type { CallKind } from "../../kernel/route.ts";
import { Company } from "./company.ts";
import { type TurnLimits, Turns, tooManyWaiting } from "./turns.ts";

/**
 * Phones that come back with what they had kept may share a link, all of a shop's. What is under way is read and worked on, and
 * the rest waits as it came.
 */
const batchLimits: TurnLimits = { atOnce: 4, inHandOfPerson: 24, inHand: 64 };
/** A page asks for half a dozen at once, and a link may be on many phones. They are short, and hold up nobody else's. */
const listLimits: TurnLimits = { atOnce: Number.POSITIVE_INFINITY, inHandOfPerson: 200, inHand: 4_000 };
/** So that asking again and again, against Retry-After, is slow as well. */
const refusalMs = 1_000;

declare module "fastify" {
  interface FastifyRequest {
    /** Ends the call's turn; null before it has one. */
    endTurn: (() => void) | null;
  }
}

interface Turn {
  readonly turns: Turns;
  readonly person: string;
}

/**
 * Lets the batches of one person take turns, and what a counter reads: whoever holds one link and sends many at once waits for
 * themselves, and single scans, their own too, for none of it.
 */
export class CallTurns {
  private readonly clock: Pick<Clock, "sleep">;
  private readonly company = new Company();
  private readonly kinds: Readonly<Record<CallKind, Turns>> = {
    batches: new Turns(batchLimits, this.company),
    lists: new Turns(listLimits, this.company),
  };

  constructor(clock: Pick<Clock, "sleep">) {
    this.clock = clock;
  }

  /** For the app that has found out who calls. */
  takeOn(app: FastifyInstance): void {
    app.decorateRequest("endTurn", null);
    app.addHook("onRequest", (request, _reply, done) => {
      if (request.caller !== null) this.company.note(request.caller.userId);
      const turn = this.turnOf(request);
      if (turn === null) done();
      else this.admit(request, turn).then(() => done(), done);
    });
    app.addHook("onSend", (request, _reply, _payload, done) => {
      request.endTurn?.();
      done();
    });
  }

  /**
   * Resolves when it is the turn of a call that brings a body, which may then be read into objects: they take ten times the
   * memory of its text. Null where nothing is to be waited for.
   */
  forBody(request: FastifyRequest): Promise<void> | null {
    const turn = this.turnOf(request);
    return turn === null ? null : enter(request, turn);
  }

  private turnOf({ caller, routeOptions }: FastifyRequest): Turn | null {
    const { turns = null } = routeOptions.config;
    if (turns === null || caller === null) return null;
    // There is one, whose pages ask for much at once.
    if (turns === "lists" && caller.role === "admin") return null;
    return { turns: this.kinds[turns], person: caller.userId };
  }

  private async admit(request: FastifyRequest, turn: Turn): Promise<void> {
    const { ofPerson, inAll } = turn.turns.roomFor(turn.person);
    if (!ofPerson) await this.clock.sleep(refusalMs);
    if (!ofPerson || !inAll) throw tooManyWaiting();
    if (request.routeOptions.config.turns === "lists") await enter(request, turn);
  }
}

async function enter(request: FastifyRequest, { turns, person }: Turn): Promise<void> {
  request.endTurn = await turns.enter(person);
  // Whoever has gone meanwhile waits for nothing any more.
  if (request.socket.destroyed) throw tooManyWaiting();
}
