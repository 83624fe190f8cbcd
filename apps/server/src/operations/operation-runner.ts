import type { Operation, Waiting } from "@stocktake/contract";
import type { Transaction } from "../database/pool.ts";

export type OperationKind = Operation["kind"];

/** What an operation is about; `input` is the work's own and survives a restart with it. */
export interface OperationRequest {
  readonly kind: OperationKind;
  readonly storeId: string | null;
  readonly sessionId: string | null;
  readonly adjustmentId: string | null;
  readonly input: Record<string, unknown>;
  readonly startedBy: string | null;
}

/** One that has been recorded. */
export interface RecordedOperation extends OperationRequest {
  readonly id: string;
}

/** A pause of an operation's work. */
export interface OperationPause {
  readonly reason: Waiting["reason"];
  readonly until: Date;
  /** Since when it has not gone forward. */
  readonly since: Date;
}

/** One run of an operation's work. */
export interface OperationJob extends RecordedOperation {
  /** The pause in which the run before this one ended; null where it ended in none. */
  readonly leftIn: OperationPause | null;
  /** How often another process has taken it up after the one that worked on it had stopped; this one too. */
  readonly takeOvers: number;
  /** Writes how far the work has come, in its own unit; `of` is null while unknown. */
  report(done: number, of: number | null): Promise<void>;
  /** Writes until when and why the work pauses; null once it goes forward again. */
  pause(pause: OperationPause | null): Promise<void>;
  /**
   * Records the operation as done in the transaction that makes its effect, so that there is never one without the other;
   * call it before anything else in that transaction. Throws where the lease was lost: let the transaction roll back.
   */
  complete(transaction: Transaction, result: { readonly sessionId?: string }): Promise<void>;
  /**
   * Keeps the lease from being taken over until the transaction ends, for work that commits in many steps; call it
   * before anything else in each. Throws where the lease was lost: let the transaction roll back.
   */
  holdLease(transaction: Transaction): Promise<void>;
  /**
   * For an effect that no transaction undoes, right before it: throws where the lease may be another process's by now, as
   * this one was paused or could not reach the database.
   */
  checkLease(): void;
  /**
   * Aborted when the server stops or the lease is lost: the work must then change nothing more. What is recorded as done has no lease to lose:
   * work that follows ends with the server alone.
   */
  readonly signal: AbortSignal;
  /** Whether somebody has asked, of whatever node, that the operation stops: work that can stop half-way then does. */
  isCancelled(): Promise<boolean>;
  /** Aborted once this node has learned of it: at once where it was asked, else by the next look or renewal of the lease. */
  readonly cancelled: AbortSignal;
}

/** How a kind is worked on, and what becomes of one whose process died: started again, or ended as failed. */
export interface OperationWork {
  /** Resolves when done; the id of the session that came of it, where one did. A thrown ApiError or platform error becomes the operation's error. */
  run(job: OperationJob): Promise<{ readonly sessionId?: string }>;
  readonly whenAbandoned: "resume" | "fail";
  /** Puts back what the operation's beginning had changed, in the transaction that records its failure. */
  afterFailure?(transaction: Transaction, operation: RecordedOperation): Promise<void>;
}

/** Runs work that outlasts a call; its rows in `operations` are the record, a lease keeps one worker on each. */
export interface OperationRunner {
  register(kind: OperationKind, work: OperationWork): void;
  /** Records the operation in the caller's transaction; nothing runs before `wake`. */
  insert(transaction: Transaction, request: OperationRequest): Promise<string>;
  /** Records in the caller's transaction that a running operation is to stop; whether nobody had asked for it before. */
  requestCancel(transaction: Transaction, id: string, userId: string): Promise<boolean>;
  /** Tells the work on this node at once, after that commit; another node finds it out when it renews its lease. */
  cancel(id: string): void;
  /** Starts the work on this node, after the commit. Harmless when it already runs anywhere. */
  wake(id: string): void;
  /** The operation once it has ended, or as it is after that many milliseconds. */
  waitForEnd(id: string, milliseconds: number): Promise<Operation>;
  /**
   * Takes over what processes that are gone left running: those whose lease is over, or every one of another process
   * with `alone`, where there can be no other. Resolves when each is running here or has failed.
   */
  sweep(alone?: "alone"): Promise<void>;
  /** Stops this node's work at its next step and leaves it to the next sweep. */
  close(): Promise<void>;
}

/** Start, end, deploy and rollback respond within this time: done, or an operation to follow. */
export const respondWithinMs = 25_000;
