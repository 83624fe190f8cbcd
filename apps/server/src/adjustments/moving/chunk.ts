import type { Transaction } from "../../database/pool.ts";
import type { ChunkChange } from "../../database/tables.ts";
import {
  type AdjustRequest,
  PlatformRejectedError,
  PlatformUnavailableError,
} from "../../shopify/shopify.ts";
import {
  type ChunkRow,
  closeChunk,
  findOpenChunk,
  insertIntent,
  markLostAnswers,
  recordLost,
  recordNotRun,
  recordSend,
  recordStoodStill,
  refusePrepared,
} from "./chunk-queries.ts";
import {
  type Answer,
  answerInsteadOfResending,
  classifyRows,
  interpretAnswer,
  type RowOutcome,
  type SendResult,
} from "./interpret-answer.ts";
import { changesOf, recordedRow } from "./prepared-changes.ts";
import { regroup } from "./regroup.ts";
import {
  bookConfirmed,
  doubtfulSkus,
  numberChunks,
  type RecordedRow,
  recordRows,
  type WaitingRow,
} from "./row-queries.ts";
import { inStep, type StockMove, seenWaits } from "./stock-move.ts";
import { compareReading, type Levels, type SendWindow, windowOfSend } from "./stock-readings.ts";

/** What was read of a chunk's rows. */
interface Readings {
  /** Right before the send; null for a first send, which compares with the values that it was prepared from. */
  readonly beforeSend: Levels | null;
  readonly now: Levels;
}

/**
 * A chunk, from the reading that it is prepared from until the outcome of each of its rows is recorded.
 *
 *     prepared ─► sent ─┬─► answered ──► settled: confirmed, refused, replaced (rows go again) or unclear
 *        ▲              │                   ▲
 *        ├── not run ◄──┤                   │ by readings alone
 *        │              └─► answer lost ─► read again
 *        │                                  │
 *        └── same bytes, same key ◄─────────┘ while no row has moved
 *
 * Prepared is `intended` in the database. Each transition is one commit under the lease, and is in the database before
 * the next one begins: a process that dies between two of them is continued by another one from there. A lost answer
 * stays lost: whatever is sent afterwards, the rows that no answer settles are decided by readings.
 */
export class Chunk {
  readonly #move: StockMove;
  readonly #row: ChunkRow;
  #window: SendWindow | null;

  private constructor(move: StockMove, row: ChunkRow) {
    this.#move = move;
    this.#row = row;
    const { applicableFrom: from, applicableUntil: until } = row;
    this.#window = from && until && { from, until };
  }

  /** Reads the rows afresh and records what is to be sent. Rows that Shopify can't move any more stay behind. */
  static async prepare(move: StockMove, rows: readonly WaitingRow[]): Promise<void> {
    const levels = await readLevels(
      move,
      rows.map((row) => row.inventoryItemId),
    );
    const { changes, unmovable } = changesOf(move.direction, rows, levels);
    await inStep(move, async (transaction) => {
      await recordRows(transaction, move, unmovable);
      const [first] = rows;
      if (first !== undefined && changes.length > 0) {
        await insertIntent(transaction, move, first.chunk, changes);
      }
    });
  }

  /** A send whose process went away, or whose answer could not be recorded, has lost its answer. */
  static loseAnswers(move: StockMove): Promise<void> {
    return inStep(move, (transaction) => markLostAnswers(transaction, move.adjustmentId));
  }

  /** Gives up what is prepared of an adjustment that has moved nothing and ends as failed. */
  static abandon(transaction: Transaction, adjustmentId: string): Promise<void> {
    return refusePrepared(transaction, adjustmentId);
  }

  /** The chunk that was prepared and not settled yet; there is one at most. */
  static async findOpen(move: StockMove): Promise<Chunk | undefined> {
    const row = await findOpenChunk(move);
    return row === undefined ? undefined : new Chunk(move, row);
  }

  /** Whether something of it may be on its way to Shopify, so that its outcome has to be found out. */
  get isInDoubt(): boolean {
    return this.#row.state === "sent" || this.#row.answerLost;
  }

  /** Sends the chunk and settles it, or throws the platform's error, after which the same bytes go with the same key. */
  async advance(): Promise<void> {
    if (!this.#row.answerLost) return this.#send(null);
    const readAgain = await this.#read(this.#row.changes);
    const answer = answerInsteadOfResending(this.#row, readAgain, this.#move.context.clock.now());
    if (answer === null) return this.#send(readAgain);
    return this.#settle(answer, { beforeSend: null, now: readAgain });
  }

  async #send(beforeSend: Levels | null): Promise<void> {
    const { platform } = this.#move.context;
    // Without the job's signal: a server that is told to stop waits for this answer rather than losing it.
    const result = interpretAnswer(await platform.adjustAvailable(this.#request(), () => this.#beginSend()));
    switch (result.kind) {
      case "answered":
        return this.#answered(result.answer, beforeSend);
      case "lost":
        return this.#answerLost(result);
      case "not-run":
        return this.#notRun(result, beforeSend);
    }
  }

  /**
   * Only now the chunk counts as sent: a process that loses its lease while it waits its turn leaves it as not sent. Asked
   * before it is recorded and after: both take their time.
   */
  async #beginSend(): Promise<void> {
    const { job, context } = this.#move;
    job.checkLease();
    const at = new Date(context.clock.now());
    const window = windowOfSend(at, context.shopTime);
    await this.#step((transaction) => recordSend(transaction, this.#row, { at, window }));
    this.#window = window;
    job.checkLease();
  }

  #request(): AdjustRequest {
    const { direction, session } = this.#move;
    return {
      idempotencyKey: this.#row.idempotencyKey,
      reason: direction === "deploy" ? "cycle_count_available" : "correction",
      referenceDocumentUri: this.#row.referenceUri,
      shopifyLocationId: session.shopifyLocationId,
      changes: this.#row.changes.map(({ inventoryItemId, delta, changeFromQuantity }) => ({
        inventoryItemId,
        delta,
        changeFromQuantity,
      })),
    };
  }

  /**
   * Certainly nothing ran: the chunk is prepared once more, and what is known of an earlier send that was lost stays.
   * Throws why it did not run.
   */
  async #notRun(
    { reason, message, retryAfterMs }: Extract<SendResult, { kind: "not-run" }>,
    beforeSend: Levels | null,
  ): Promise<never> {
    const stoodStill = this.#stoodStillBefore(beforeSend);
    await this.#step((transaction) => recordNotRun(transaction, this.#row, { error: message, stoodStill }));
    if (reason === "unauthorised") throw new PlatformRejectedError(reason, message);
    throw new PlatformUnavailableError(reason, message, retryAfterMs);
  }

  /**
   * What had not moved after the last send that may have run. The same bytes go again only while no row has moved, so
   * where there is a reading before this send, it showed that of every row. A send that Shopify says is under way may
   * still be applied: then what has not moved yet proves nothing.
   */
  #stoodStillBefore(beforeSend: Levels | null): readonly string[] {
    const { changes, stoodStill, underWay } = this.#row;
    return beforeSend === null || underWay ? stoodStill : changes.map(({ sku }) => sku);
  }

  /**
   * It may have run or not. The rows are read right after the loss: the sooner, the less a sale can be mistaken for the
   * adjustment. Where that reading fails, none counts as unmoved, and its error is the reason to wait. Where Shopify says
   * that a send is under way, what has not moved yet proves nothing.
   */
  async #answerLost(lost: Extract<SendResult, { kind: "lost" }>): Promise<never> {
    const { changes } = this.#row;
    const { reason, message, underWay } = lost;
    await this.#step((transaction) => recordLost(transaction, this.#row, lost));
    if (!underWay) {
      const levels = await this.#read(changes);
      const unmoved = changes.filter((change) => compareReading(change, levels) === "unmoved");
      const skus = unmoved.map(({ sku }) => sku);
      await this.#step((transaction) => recordStoodStill(transaction, this.#row, skus));
    }
    throw new PlatformUnavailableError(reason, message);
  }

  /** Rows that the answer leaves open are looked up: in the group that it names, then in the shop's stock. */
  async #answered(answer: Answer, beforeSend: Levels | null): Promise<void> {
    const complete = await this.#withGroup(answer);
    const open = this.#openChanges(complete);
    const now: Levels = open.length === 0 ? new Map() : await this.#read(open);
    await this.#settle(complete, { beforeSend, now });
  }

  async #withGroup(answer: Answer): Promise<Answer> {
    const { context, job } = this.#move;
    if (answer.groupId === null || this.#openChanges(answer).length === 0) return answer;
    const group = await context.platform.adjustmentGroup(answer.groupId, job.signal, seenWaits);
    return group === null ? answer : { ...answer, recorded: [...answer.recorded, ...group.changes] };
  }

  #openChanges({ recorded }: Answer): ChunkChange[] {
    const known = new Set(recorded.map(({ inventoryItemId }) => inventoryItemId));
    return this.#row.changes.filter(({ inventoryItemId }) => !known.has(inventoryItemId));
  }

  async #settle(answer: Answer, readings: Readings): Promise<void> {
    const { changes, answerLost, underWay } = this.#row;
    const outcomes = classifyRows({
      changes,
      answerLost,
      underWay,
      stoodStill: new Set(this.#row.stoodStill),
      window: this.#window,
      doubtful: await doubtfulSkus(this.#move, this.#row.chunk),
      answer,
      ...readings,
    });
    await this.#step((transaction) => this.#record(transaction, outcomes, answer.groupId));
  }

  /**
   * The rows, what they book in the ledger and the chunk itself change together. Rows that were not applied wait again,
   * with the same chunk or with smaller ones.
   */
  async #record(
    transaction: Transaction,
    outcomes: ReadonlyMap<string, RowOutcome>,
    groupId: string | null,
  ): Promise<void> {
    const waiting = [...outcomes].flatMap(([sku, outcome]) =>
      outcome.state === "waiting" ? [{ sku, stale: outcome.stale }] : [],
    );
    const regrouping = regroup(this.#row.attempt, waiting);
    const parts = regrouping.kind === "apart" ? regrouping.parts : [];
    const numbers = await numberChunks(transaction, this.#move.session.id, parts);
    const rows = [...outcomes].map(([sku, outcome]) => {
      const chunk = numbers.get(sku) ?? this.#row.chunk;
      return recordedRow(sku, chunk, regrouping.kind === "given-up" ? givenUp(outcome) : outcome);
    });
    await recordRows(transaction, this.#move, rows);
    await bookConfirmed(transaction, this.#move, this.#row, rows);
    await closeChunk(transaction, this.#row, settledState(rows), groupId);
  }

  #step(write: (transaction: Transaction) => Promise<void>): Promise<void> {
    return inStep(this.#move, write);
  }

  #read(changes: readonly ChunkChange[]): Promise<Levels> {
    return readLevels(
      this.#move,
      changes.map(({ inventoryItemId }) => inventoryItemId),
    );
  }
}

function readLevels({ context, job, session }: StockMove, items: readonly string[]): Promise<Levels> {
  return context.platform.liveLevels(session.shopifyLocationId, items, job.signal, seenWaits);
}

/** A row alone that was tried often enough does not go again. A doubtful one may still be applied by a lost send. */
function givenUp(outcome: RowOutcome): RowOutcome {
  if (outcome.state !== "waiting") return outcome;
  const note = "Its stock changed each time it was about to be adjusted.";
  const { doubtful } = outcome;
  return doubtful ? { state: "unclear", note, doubtful } : { state: "not_moved", note, unmovable: null };
}

function settledState(rows: readonly RecordedRow[]): "confirmed" | "refused" | "replaced" | "unclear" {
  const has = (state: RecordedRow["state"]) => rows.some((row) => row.state === state);
  if (has("unclear")) return "unclear";
  if (has("waiting")) return "replaced";
  return has("confirmed") ? "confirmed" : "refused";
}
