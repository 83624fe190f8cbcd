import { Card, Group, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type FocusEvent, type ReactNode, useId, useRef, useState } from "react";
import { usePrinting } from "../print/use-printing.ts";
import classes from "./folding-section.module.css";

/** A phone held upright: so narrow that the whole report in a row would be a hundred screens long. */
const narrow = "(max-width: 47.99em)";

/** Whether the page is as narrow as a phone; never on paper. */
export function useNarrow(): boolean {
  const printing = usePrinting();
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
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

interface FoldingTitleProps extends Pick<FoldingSectionProps, "title" | "count"> {
  readonly titleId: string;
  readonly contentId: string;
  readonly isOpen: boolean;
  readonly onFold: (isOpen: boolean) => void;
}

function FoldingTitle({ title, count, titleId, contentId, isOpen, onFold }: FoldingTitleProps) {
  const isPressed = useRef(false);
  const setPressed = (pressed: boolean) => () => {
    isPressed.current = pressed;
  };
  const openForWhoIsLedHere = (event: FocusEvent) => {
    // Safari gives the focus to the heading when its button is pressed: the press that unfolds would fold again at once.
    if (event.target === event.currentTarget && !isPressed.current) onFold(true);
  };
  return (
    <Title
      order={2}
      fz="1.0625rem"
      id={titleId}
      tabIndex={-1}
      className={classes.heading ?? ""}
      onFocus={openForWhoIsLedHere}
    >
      <button
        type="button"
        className={classes.fold}
        aria-expanded={isOpen}
        aria-controls={contentId}
        onMouseDown={setPressed(true)}
        onMouseLeave={setPressed(false)}
        onClick={() => {
          isPressed.current = false;
          onFold(!isOpen);
        }}
      >
        <span>{title}</span>
        <span className={classes.count}>{count}</span>
      </button>
    </Title>
  );
}

/** True from when it first is: what was drawn once keeps its state, whether it is to be seen or not. */
function useEver(isNow: boolean): boolean {
  const [ever, setEver] = useState(isNow);
  if (isNow && !ever) setEver(true);
  return ever || isNow;
}

/**
 * A part of the report: unfolded where there is room and on paper, and on a phone one line with what is in it, until it is
 * pressed. What is in it stays the same element when a phone is turned or the page is printed.
 */
export function FoldingSection(props: FoldingSectionProps) {
  const { title, count, aside, anchor, startsOpen = false, isNeeded = false, children } = props;
  const ownId = useId();
  const titleId = anchor ?? ownId;
  const contentId = useId();
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(startsOpen);
  const isShown = !isNarrow || isOpen || isNeeded;
  const isDrawn = useEver(isShown);
  return (
    <Card
      component="section"
      aria-labelledby={titleId}
      p={isNarrow ? 0 : { base: "sm", sm: "md" }}
      className={isNarrow ? (classes.folding ?? "") : ""}
    >
      <Group justify="space-between" gap="xs">
        {isNarrow ? (
          <FoldingTitle {...{ title, count, titleId, contentId }} isOpen={isShown} onFold={setOpen} />
        ) : (
          <Title order={2} fz="1.125rem" id={titleId} {...(anchor === undefined ? {} : { tabIndex: -1 })}>
            {title}
          </Title>
        )}
        {isNarrow ? null : aside}
      </Group>
      <div id={contentId} className={classes.content} hidden={!isShown}>
        {isDrawn ? children : null}
      </div>
    </Card>
  );
}
