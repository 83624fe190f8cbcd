/** Listeners of one subject; `subscribe` fits React's useSyncExternalStore. */
export interface Emitter<Event> {
  emit(event: Event): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: (event: Event) => void): () => void;
  clear(): void;
}

export function createEmitter<Event = void>(): Emitter<Event> {
  const listeners = new Set<(event: Event) => void>();
  return {
    emit(event) {
      for (const listener of [...listeners]) {
        try {
          listener(event);
        } catch (error) {
          // An event that one screen cannot show must stop neither the other listeners nor the sending.
          globalThis.reportError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}
