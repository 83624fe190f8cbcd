import {
  type BadRow,
  type CallAnswer,
  type CountRow,
  checkCountRows,
  firstCharacters,
  limits,
  storeCountRows,
} from "@stocktake/contract";
import { createObservable } from "../../../events/observable.ts";
import { callApi } from "../../../http/call.ts";
import { createRetry } from "../../../http/retry.ts";
import type { Timers } from "../../../offline/offline.ts";
import { type CountFile, partsOf } from "./count-file.ts";

/** What the rows of a file would come to. */
export interface Preview {
  readonly bad: readonly BadRow[];
  readonly known: number;
  /** Of the known rows: in no total any more. */
  readonly voided: number;
  readonly counted: number;
  readonly units: number;
  readonly unresolved: number;
  /** Some of the codes that fit no product. */
  readonly codes: readonly string[];
  /** New rows that look like one that is here already: left out unless whoever loads the file wants them counted. */
  readonly alike: number;
  /** The numbers of some of them. */
  readonly alikeRows: readonly number[];
}

/** What became of the rows of a file. */
export interface Loaded extends Omit<Preview, "codes" | "alikeRows"> {
  readonly late: number;
}

export interface FileState {
  readonly status: "checking" | "checked" | "storing" | "failed" | "done";
  /** Rows that the server has checked or stored in this step. */
  readonly rows: number;
  readonly total: number;
  /** With `failed`. */
  readonly error: unknown;
  readonly preview: Preview | null;
  readonly loaded: Loaded | null;
}

/** Sends one file of counts: first to be checked, then, once a person has seen that, to be stored. */
export interface FileLoading {
  readonly get: () => FileState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Resolves when it is checked or failed. */
  readonly check: () => Promise<void>;
  /** Resolves when it is stored or failed; what is stored by then is known to the server when it goes on, as was chosen first. */
  readonly store: (choice?: { readonly countAlike: boolean }) => Promise<void>;
  readonly stop: () => void;
}

interface Target {
  readonly sessionId: string;
  readonly name: string;
}

const nothingFound: Preview = {
  ...{ bad: [], known: 0, voided: 0, counted: 0, units: 0, unresolved: 0, codes: [] },
  ...{ alike: 0, alikeRows: [] },
};
const nothingLoaded: Loaded = {
  ...{ bad: [], known: 0, voided: 0, counted: 0, units: 0, unresolved: 0, late: 0, alike: 0 },
};

function addChecked(sum: Preview, answer: CallAnswer<typeof checkCountRows>): Preview {
  const { bad, known, counted, unresolved, alike } = answer;
  return {
    bad: [...sum.bad, ...bad],
    ...{ known: sum.known + known.rows, voided: sum.voided + known.voided },
    ...{ counted: sum.counted + counted.rows, units: sum.units + counted.units },
    unresolved: sum.unresolved + unresolved.rows,
    codes: [...new Set([...sum.codes, ...unresolved.codes])].slice(0, limits.groupedNames),
    alike: sum.alike + (alike?.rows ?? 0),
    alikeRows: [...sum.alikeRows, ...(alike?.examples ?? [])].slice(0, limits.groupedNames),
  };
}

type Known = CallAnswer<typeof checkCountRows>["known"];

/**
 * What a part stored whose answer was lost: as it was sent again, all of it was known, and of that what was not when it was checked. Of a
 * server that doesn't say what known rows are, nothing.
 */
function storedBefore(known: Known, checked: Known | undefined) {
  const since = (now = 0, then = 0) => Math.max(0, now - then);
  return {
    counted: since(known.counted?.rows, checked?.counted?.rows),
    units: since(known.counted?.units, checked?.counted?.units),
    unresolved: since(known.unresolved, checked?.unresolved),
    late: since(known.late, checked?.late),
  };
}

function addStored(
  sum: Loaded,
  answer: CallAnswer<typeof storeCountRows>,
  checked: Known | undefined,
): Loaded {
  const { bad, known, counted, unresolved, late, alike } = answer;
  const before = storedBefore(known, checked);
  return {
    bad: [...sum.bad, ...bad],
    known: sum.known + known.rows - before.counted - before.unresolved - before.late,
    voided: sum.voided + known.voided,
    counted: sum.counted + counted.rows + before.counted,
    units: sum.units + counted.units + before.units,
    unresolved: sum.unresolved + unresolved + before.unresolved,
    late: sum.late + late + before.late,
    alike: sum.alike + (alike?.rows ?? 0),
  };
}

export function createFileLoading({ sessionId, name }: Target, file: CountFile, timers: Timers): FileLoading {
  const total = file.rows.length;
  const state = createObservable<FileState>({
    ...{ status: "checking", rows: 0, total, error: null, preview: null, loaded: null },
  });
  const patch = (changed: Partial<FileState>) => state.set({ ...state.get(), ...changed });
  const bodyOf = (rows: CountRow[]) => ({ file: firstCharacters(name, limits.name), rows, countAlike });
  const params = { id: sessionId };
  let controller = new AbortController();
  let countAlike = false;

  /** Sends the parts that are left, two at a time: while one is stored, the next is read. Throws what the first failed with. */
  async function sendParts<Sum>(
    progress: { sum: Sum; readonly left: CountRow[][] },
    send: (rows: CountRow[], signal: AbortSignal) => Promise<(sum: Sum) => Sum>,
  ): Promise<void> {
    controller = new AbortController();
    const { signal } = controller;
    const retry = createRetry({ timers, signal, onWait: () => undefined });
    const failures: unknown[] = [];
    const sendRest = async () => {
      for (let part = progress.left.shift(); part !== undefined; part = progress.left.shift()) {
        const rows = part;
        try {
          const add = await retry.call(() => send(rows, signal));
          progress.sum = add(progress.sum);
          patch({ rows: state.get().rows + rows.length });
        } catch (error) {
          progress.left.unshift(rows);
          failures.push(error);
        }
        if (failures.length > 0) return;
        retry.progressed();
      }
    };
    await Promise.all([sendRest(), sendRest()]);
    if (failures.length > 0) throw failures[0];
  }

  const checking = { sum: nothingFound, left: partsOf(file.rows) };
  const storing = { sum: nothingLoaded, left: partsOf(file.rows) };
  /** What each part, by its first row, came to when it was checked. */
  const checkedOf = new Map<number | undefined, CallAnswer<typeof checkCountRows>>();
  return {
    get: state.get,
    subscribe: state.subscribe,
    async check() {
      patch({ status: "checking", error: null });
      try {
        await sendParts(checking, async (rows, signal) => {
          const answer = await callApi(checkCountRows, { params, body: bodyOf(rows), signal });
          checkedOf.set(rows[0]?.row, answer);
          return (sum) => addChecked(sum, answer);
        });
        const bad = [...file.bad, ...checking.sum.bad].sort((one, other) => one.row - other.row);
        patch({ status: "checked", rows: 0, preview: { ...checking.sum, bad } });
      } catch (error) {
        if (!controller.signal.aborted) patch({ status: "failed", error });
      }
    },
    async store(choice = { countAlike }) {
      countAlike = choice.countAlike;
      patch({ status: "storing", error: null });
      try {
        await sendParts(storing, async (rows, signal) => {
          const checked = checkedOf.get(rows[0]?.row);
          const asOf = checked?.asOf === undefined ? {} : { asOf: checked.asOf };
          const body = { ...bodyOf(rows), ...asOf };
          const answer = await callApi(storeCountRows, { params, body, signal });
          return (sum) => addStored(sum, answer, checked?.known);
        });
        const bad = [...file.bad, ...storing.sum.bad].sort((one, other) => one.row - other.row);
        patch({ status: "done", loaded: { ...storing.sum, bad } });
      } catch (error) {
        if (!controller.signal.aborted) patch({ status: "failed", error });
      }
    },
    stop: () => controller.abort(),
  };
}
