import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";

/** What of the address changes; null takes an entry out. */
export type AddressEntries = Readonly<Record<string, string | null>>;

interface WriteOptions {
  /** Going back returns to what was before. */
  readonly canGoBack?: boolean;
}

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

/**
 * The one writer of the report's address. A change begins with what was wanted last: the router tells of a change only
 * once it is drawn, which a report of thousands of rows takes a while to be, and a second change would undo the first.
 */
export function AddressWriter({ children }: { readonly children: ReactNode }) {
  const [address, setAddress] = useSearchParams();
  const wanted = useRef(address);
  const underway = useRef<readonly string[]>([]);
  const [elsewhere, setElsewhere] = useState(0);
  useEffect(() => {
    const at = underway.current.lastIndexOf(address.toString());
    underway.current = underway.current.slice(at + 1);
    // An address that nobody here has asked for: somebody went back, or followed a link.
    if (at < 0) {
      underway.current = [];
      if (address.toString() !== wanted.current.toString()) setElsewhere((times) => times + 1);
    }
    if (underway.current.length === 0) wanted.current = address;
  }, [address]);
  const set = useRef(setAddress);
  useEffect(() => {
    set.current = setAddress;
  }, [setAddress]);
  const write = useCallback<WriteAddress>((entries, { canGoBack = false } = {}) => {
    const next = changed(wanted.current, entries);
    if (next.toString() === wanted.current.toString()) return;
    wanted.current = next;
    underway.current = [...underway.current, next.toString()];
    set.current(next, { preventScrollReset: true, replace: !canGoBack });
  }, []);
  return (
    <ElsewhereContext value={elsewhere}>
      <WriteContext value={write}>{children}</WriteContext>
    </ElsewhereContext>
  );
}
