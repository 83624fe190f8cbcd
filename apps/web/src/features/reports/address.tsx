import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";

/** What of the address changes; null takes an entry out. */
export type AddressEntries = Readonly<Record<string, string | null>>;

interface WriteOptions {
  /** Going back returns to what was before, what was typed until then included. */
  readonly canGoBack?: boolean;
  /** It waits until nobody types any more: browsers take only so many changes of an address in a while. */
  readonly isTyped?: boolean;
}

const typedAfterMs = 500;

type WriteAddress = (entries: AddressEntries, options?: WriteOptions) => void;

const WriteContext = createContext<WriteAddress>(() => undefined);

/** Changes entries of the report's address and leaves the others, those too whose change has not been drawn yet. */
export function useWriteAddress(): WriteAddress {
  return useContext(WriteContext);
}

const ElsewhereContext = createContext(0);

/** How often somebody else has changed the report's address: by going back, or by following a link. */
export function useChangesElsewhere(): number {
  return useContext(ElsewhereContext);
}

function changed(before: URLSearchParams, entries: AddressEntries): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(entries)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** What was typed and is not in the address yet. */
function createTyped() {
  let entries: AddressEntries = {};
  let timer: number | undefined;
  return {
    /** Calls `then` unless more is typed, or what was typed is taken, meanwhile. */
    after(next: AddressEntries, then: () => void): void {
      window.clearTimeout(timer);
      entries = next;
      timer = window.setTimeout(then, typedAfterMs);
    },
    take(): AddressEntries {
      window.clearTimeout(timer);
      const taken = entries;
      entries = {};
      return taken;
    },
  };
}

/**
 * The one writer of the report's address. A change begins with what was wanted last: the router tells of a change only
 * once it is drawn, which a report of thousands of rows takes a while to be, and a second change would undo the first.
 */
export function AddressWriter({ children }: { readonly children: ReactNode }) {
  const [address, setAddress] = useSearchParams();
  const wanted = useRef(address);
  const underway = useRef<readonly string[]>([]);
  const [elsewhere, setElsewhere] = useState(0);
  const [typed] = useState(createTyped);
  useEffect(() => () => void typed.take(), [typed]);
  useEffect(() => {
    const at = underway.current.lastIndexOf(address.toString());
    underway.current = underway.current.slice(at + 1);
    // An address that nobody here has asked for: somebody went back, or followed a link.
    if (at < 0) {
      underway.current = [];
      if (address.toString() !== wanted.current.toString()) {
        typed.take();
        setElsewhere((times) => times + 1);
      }
    }
    if (underway.current.length === 0) wanted.current = address;
  }, [address, typed]);
  const set = useRef(setAddress);
  useEffect(() => {
    set.current = setAddress;
  }, [setAddress]);
  const put = useCallback((entries: AddressEntries, replace: boolean) => {
    const next = changed(wanted.current, entries);
    if (next.toString() === wanted.current.toString()) return;
    wanted.current = next;
    underway.current = [...underway.current, next.toString()];
    set.current(next, { preventScrollReset: true, replace });
  }, []);
  const write = useCallback<WriteAddress>(
    (entries, { canGoBack = false, isTyped = false } = {}) => {
      if (isTyped) return typed.after(entries, () => put(typed.take(), true));
      if (canGoBack) put(typed.take(), true);
      put(entries, !canGoBack);
    },
    [put, typed],
  );
  return (
    <ElsewhereContext value={elsewhere}>
      <WriteContext value={write}>{children}</WriteContext>
    </ElsewhereContext>
  );
}
