import { Readable, Writable } from "node:stream";
import type pg from "pg";

// PostgreSQL's COPY, which pg itself leaves to others: the message formats are those of the protocol's documentation
// ("COPY Operations", "Message Formats").

type Done = (error?: Error | null) => void;

/** What a `COPY … TO STDOUT` gives, as bytes. Hand it to `client.query`, then read it. */
export class CopyOut extends Readable implements pg.Submittable {
  readonly #statement: string;
  #connection: pg.Connection | undefined;

  constructor(statement: string) {
    super({ highWaterMark: 64 * 1024 });
    this.#statement = statement;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  override _destroy(error: Error | null, done: Done): void {
    // Whoever stops reading leaves a connection that can still hear the rest, and its own end.
    this.#connection?.stream.resume();
    done(error);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // A copy: the parser writes over its buffer.
    if (!this.push(Buffer.from(chunk))) this.#connection?.stream.pause();
  }

  handleCommandComplete(): void {
    this.push(null);
  }

  handleReadyForQuery(): void {
    // The client goes on by itself.
  }

  handleError(error: Error): void {
    this.destroy(error);
  }
}

/** Takes the bytes for a `COPY … FROM STDIN`. Hand it to `client.query`, then write to it; it finishes when stored. */
export class CopyIn extends Writable implements pg.Submittable {
  readonly #statement: string;
  #connection: pg.Connection | undefined;
  #whenReady: Done | undefined;
  #whenStored: Done | undefined;
  #hasFailed = false;

  constructor(statement: string) {
    super();
    this.#statement = statement;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#statement);
  }

  override _construct(ready: Done): void {
    this.#whenReady = ready;
  }

  handleCopyInResponse(connection: pg.Connection): void {
    this.#connection = connection;
    this.#whenReady?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#connection?.stream.write(header("d", chunk.length));
    this.#connection?.stream.write(chunk, done);
  }

  override _final(done: Done): void {
    this.#whenStored = done;
    this.#connection?.stream.write(header("c", 0));
  }

  override _destroy(error: Error | null, done: Done): void {
    if (error !== null && !this.#hasFailed && this.#whenStored === undefined) this.#giveUp();
    done(error);
  }

  #giveUp(): void {
    const reason = Buffer.from("the input broke off\0");
    this.#connection?.stream.write(Buffer.concat([header("f", reason.length), reason]));
  }

  handleCommandComplete(): void {
    this.#whenStored?.();
  }

  handleReadyForQuery(): void {
    // The client goes on by itself.
  }

  handleError(error: Error): void {
    this.#hasFailed = true;
    if (this.#connection === undefined) this.#whenReady?.(error);
    this.destroy(error);
  }
}

/** A message's type and length; the length counts itself. */
function header(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.write(type, 0, "latin1");
  bytes.writeInt32BE(length + 4, 1);
  return bytes;
}
