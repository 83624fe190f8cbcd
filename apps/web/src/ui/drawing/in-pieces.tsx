import { type ReactNode, startTransition, useEffect, useState } from "react";

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
      {others.length === 0 ? null : <NextPieces>{others}</NextPieces>}
    </>
  );
}

function NextPieces({ children }: InPiecesProps) {
  const [isTime, setTime] = useState(false);
  // A deferred value would do for one piece, but what is deferred within a deferred piece React draws at once with that.
  useEffect(() => startTransition(() => setTime(true)), []);
  return isTime ? <InPieces>{children}</InPieces> : <Coming />;
}

/** What is drawn together: each piece costs the time of a frame, and what is below waits for it. */
export function Piece({ children }: { readonly children: ReactNode }) {
  return children;
}

/** Until then the page's footer is not shown, as it would be pushed away (app/shell.module.css). */
function Coming() {
  return <span hidden data-coming="true" />;
}
