import { createEmitter } from "./emitter.ts";

/** A value that changes, and that plain objects and React follow alike. */
export interface Observable<Value> {
  /** The value now; the same reference until it is set to another. */
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls back after each change; the returned function ends that. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function createObservable<Value>(initial: Value): Observable<Value> {
  const changes = createEmitter();
  let value = initial;
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      changes.emit();
    },
    subscribe: changes.subscribe,
  };
}
