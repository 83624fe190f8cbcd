import { useRef, useState } from "react";
import { doubleTapMs } from "./double-tap.ts";

type Press = Pick<Event, "timeStamp">;

/** A question that the same press answers once it comes again. The second tap of a double tap has not read it, and is no answer. */
export function useSecondPress<Subject>() {
  const [asked, setAsked] = useState<Subject | null>(null);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    /** Of what was asked last; null where nothing was. */
    asked,
    ask: (subject: Subject, { timeStamp }: Press) => {
      askedAt.current = timeStamp;
      setAsked(subject);
    },
    isUnread: ({ timeStamp }: Press) => timeStamp - askedAt.current < doubleTapMs,
  };
}
