import { type ReactNode, startTransition, useEffect, useState } from "react";

/**
 * Draws its children in a piece of their own, once what is beside them is on the page: a phone shows a page earlier, and hears its person
 * between the pieces. For what stands below the others, or shows nothing before its own answers have come: it moves nothing then.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  const [isTime, setTime] = useState(false);
  // A deferred value would do for one piece, but what is deferred within a deferred piece React draws at once with that.
  useEffect(() => startTransition(() => setTime(true)), []);
  return isTime ? children : <Coming />;
}

/** Until then the page's footer is not shown, as it would be pushed away (app/shell.module.css). */
function Coming() {
  return <span hidden data-coming="true" />;
}

interface InPiecesProps {
  /** As many each time: what is drawn once stays what it is. */
  readonly children: readonly ReactNode[];
}

/** Draws each of its children in a piece of its own, one after the other: for what is together too much for one. */
export function InPieces({ children }: InPiecesProps) {
  const [first, ...others] = children;
  return (
    <>
      {first}
      {others.length === 0 ? null : (
        <Later>
          <InPieces>{others}</InPieces>
        </Later>
      )}
    </>
  );
}
