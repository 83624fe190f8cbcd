import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { ConnectionParts } from "../database/connection.ts";
import { DatabaseStartError, messageOf } from "../database/errors.ts";

/** A program with its arguments and how it runs; `env` is its whole environment. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly env: Record<string, string>; readonly uid?: number; readonly gid?: number };
}

/** How a running program is asked to end: a signal, or a command of its own where signals only kill. */
export interface StopRequest {
  readonly signal: NodeJS.Signals;
  readonly command?: Command;
}

interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

type Claim =
  | { readonly kind: "owned"; readonly unlocked?: string }
  | { readonly kind: "taken"; readonly connection?: ConnectionParts };

type GuardMessage =
  | Claim
  | { readonly kind: "line"; readonly line: string }
  | ({ readonly kind: "ended" } & ProgramEnd);

/** The process that runs PostgreSQL for us and stops it when we are gone. */
export interface Guard {
  /** Takes the data folder's lock, waiting up to `milliseconds` for an earlier owner that is shutting down. */
  claim(milliseconds: number): Promise<Claim>;
  /** Runs one program to its end, handing on what it prints. One at a time. */
  run(command: Command, stop: StopRequest, onLine: (line: string) => void): Promise<ProgramEnd>;
  /** Lets whoever asks for the folder's lock find its database. */
  announce(connection: ConnectionParts): void;
  stop(): void;
  signal(signal: NodeJS.Signals): void;
  /** Gives up the lock and ends the guard. */
  release(): Promise<void>;
  /** Resolves when the guard's process has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

/** Starts the guard of `folder`, which must exist. */
export function startGuard(folder: string): Guard {
  const child = fork(
    fileURLToPath(new URL("./postgres-guard.mjs", import.meta.url)),
    [folder, lockAddress(folder)],
    // Detached: Ctrl-C reaches the whole foreground group, and PostgreSQL must outlast the last request.
    { detached: true, env: {}, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] },
  );
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  return {
    ended,
    claim: (milliseconds) => claim(child, ended, milliseconds),
    run: (command, stop, onLine) => run(child, ended, { command, stop }, onLine),
    announce: (connection) =>
      sendTo(child, { kind: "announce", announcement: { state: "serving", connection } }),
    stop: () => sendTo(child, { kind: "stop" }),
    signal: (signal) => sendTo(child, { kind: "signal", signal }),
    release: () => {
      if (child.connected) child.disconnect();
      return ended;
    },
  };
}

/** A socket in the folder itself; Windows has named pipes for all the machine instead. */
function lockAddress(folder: string): string {
  if (process.platform !== "win32") return "owner.sock";
  return `\\\\.\\pipe\\stocktake-${createHash("sha256").update(folder.toLowerCase()).digest("hex")}`;
}

function sendTo(child: ChildProcess, message: object): void {
  // A guard that has just ended is noticed through `ended`; a message to it has no other consequence.
  if (child.connected) child.send(message, () => undefined);
}

function claim(child: ChildProcess, ended: Promise<void>, milliseconds: number): Promise<Claim> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ kind: "taken" }), milliseconds);
    onGuardMessage(child, (message) => {
      if (message.kind !== "owned" && message.kind !== "taken") return false;
      clearTimeout(timer);
      resolve(message);
      return true;
    });
    child.once("error", (error) => reject(guardFailed(messageOf(error))));
    void ended.then(() => {
      clearTimeout(timer);
      reject(guardFailed("it ended at once"));
    });
    sendTo(child, { kind: "claim" });
  });
}

function run(
  child: ChildProcess,
  ended: Promise<void>,
  request: { command: Command; stop: StopRequest },
  onLine: (line: string) => void,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    onGuardMessage(child, (message) => {
      if (message.kind === "line") onLine(message.line);
      if (message.kind === "ended") resolve({ code: message.code, signal: message.signal });
      return message.kind === "ended";
    });
    void ended.then(() => resolve({ code: null, signal: null }));
    sendTo(child, { kind: "run", command: { ...request.command, stop: request.stop } });
  });
}

/** Calls `handle` with each message until it returns that it has what it waited for. */
function onGuardMessage(child: ChildProcess, handle: (message: GuardMessage) => boolean): void {
  const listener = (message: unknown) => {
    if (isGuardMessage(message) && handle(message)) child.off("message", listener);
  };
  child.on("message", listener);
}

function isGuardMessage(message: unknown): message is GuardMessage {
  return typeof message === "object" && message !== null && "kind" in message;
}

function guardFailed(detail: string): DatabaseStartError {
  return new DatabaseStartError(
    "FAILED",
    `The process that watches over the database could not start (${detail}). No data was touched. ` +
      "Check that this machine has memory and process slots free, then start again.",
  );
}
