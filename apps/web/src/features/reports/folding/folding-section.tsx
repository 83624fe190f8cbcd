import { useMediaQuery } from "@mantine/hooks";
import { type FocusEvent, type ReactNode, useId, useState } from "react";
import { Section } from "../../../ui/section.tsx";
import { usePrinting } from "../print/use-printing.ts";
import classes from "./folding-section.module.css";

/** A phone held upright: so narrow that the whole report in a row would be a hundred screens long. */
const narrow = "(max-width: 47.99em)";

/** Whether the page is as narrow as a phone; never on paper. */
export function useNarrow(): boolean {
  const printing = usePrinting();
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  return isNarrow && !printing;
}

interface FoldingSectionProps {
  readonly title: string;
  /** What is in it, in a word or two, while it is folded. */
  readonly count: string;
  /** Beside its title where it does not fold. */
  readonly aside?: ReactNode;
  /** The id of its heading, for what leads here: focusing the heading unfolds it. */
  readonly anchor?: string;
  /** It does not begin folded. */
  readonly startsOpen?: boolean;
  /** It can't be folded now: nothing else can be done before it. */
  readonly isNeeded?: boolean;
  readonly children: ReactNode;
}

interface FoldedSectionProps extends Omit<FoldingSectionProps, "aside" | "startsOpen" | "isNeeded"> {
  readonly isOpen: boolean;
  readonly onFold: (isOpen: boolean) => void;
}

function FoldedSection({ title, count, anchor, isOpen, onFold, children }: FoldedSectionProps) {
  const ownId = useId();
  const titleId = anchor ?? ownId;
  const contentId = useId();
  const openForWhoIsLedHere = (event: FocusEvent) => {
    if (event.target === event.currentTarget) onFold(true);
  };
  return (
    <section aria-labelledby={titleId} className={classes.section}>
      <h2 id={titleId} tabIndex={-1} className={classes.heading} onFocus={openForWhoIsLedHere}>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isOpen}
          aria-controls={contentId}
          onClick={() => onFold(!isOpen)}
        >
          <span>{title}</span>
          <span className={classes.count}>{count}</span>
        </button>
      </h2>
      <div id={contentId} className={classes.content} hidden={!isOpen}>
        {isOpen ? children : null}
      </div>
    </section>
  );
}

/** A part of the report: unfolded where there is room and on paper, and on a phone one line with what is in it, until it is pressed. */
export function FoldingSection(props: FoldingSectionProps) {
  const { startsOpen = false, isNeeded = false, aside, ...section } = props;
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(startsOpen);
  if (isNarrow) return <FoldedSection {...section} isOpen={isOpen || isNeeded} onFold={setOpen} />;
  const { title, anchor, children } = section;
  return (
    <Section title={title} aside={aside} {...(anchor === undefined ? {} : { anchor })}>
      {children}
    </Section>
  );
}
