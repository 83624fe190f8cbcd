import { type ReactNode, useRef } from "react";
import { useFallenFocus } from "./fallen-focus.ts";

interface OutcomeProps {
  /** Null as long as nothing has come of it. */
  readonly children: ReactNode;
}

/**
 * What came of something, as a status. It takes the focus where the button that asked for it is gone. The region is always
 * there, so that screen readers announce what appears in it.
 */
export function Outcome({ children }: OutcomeProps) {
  const region = useRef<HTMLDivElement>(null);
  useFallenFocus(region, children !== null);
  // Empty it takes no room, nor the gap of a column.
  const style = children === null ? ({ position: "absolute" } as const) : {};
  return (
    <div role="status" ref={region} tabIndex={-1} style={style}>
      {children}
    </div>
  );
}
