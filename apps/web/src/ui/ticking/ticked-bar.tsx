import { Button, Checkbox, Group, Text } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { countText } from "../formats.ts";
import type { Ticking } from "./ticking.ts";

const texts = {
  selectShown: "Select all that are shown",
  selected: (count: number) => (count === 0 ? "" : `${countText(count, "SKU", "SKUs")} selected`),
  clear: "Clear Selection",
} as const;

interface TickedBarProps {
  readonly ticking: Ticking;
  /** SKUs that one box ticks or unticks together. Absent: there is no such box. */
  readonly shown?: readonly string[];
  /** How many can be worked on in one go, and what to say where more are ticked. */
  readonly most: number;
  readonly tooMany: (most: number) => string;
  /** The buttons for what is ticked. */
  readonly children: (isTooMany: boolean) => ReactNode;
}

function ShownBox({ ticking: { ticked, tick }, shown }: { ticking: Ticking; shown: readonly string[] }) {
  const count = shown.filter((sku) => ticked.has(sku)).length;
  return (
    <Checkbox
      label={texts.selectShown}
      checked={count > 0 && count === shown.length}
      indeterminate={count > 0 && count < shown.length}
      onChange={(event) => tick(shown, event.currentTarget.checked)}
    />
  );
}

/** How many SKUs are ticked, whether that is too many, and what can be done with them. */
export function TickedBar({ ticking, shown, most, tooMany, children }: TickedBarProps) {
  const status = useRef<HTMLParagraphElement>(null);
  const { size } = ticking.ticked;
  const isTooMany = size > most;
  const clear = () => {
    ticking.clear();
    // The button goes with what is selected.
    status.current?.focus({ preventScroll: true });
  };
  return (
    <Group gap="sm">
      {shown === undefined ? null : <ShownBox ticking={ticking} shown={shown} />}
      <Text role="status" fz="sm" c="dimmed" ref={status} tabIndex={-1}>
        {texts.selected(size)}
        {isTooMany ? `. ${tooMany(most)}` : null}
      </Text>
      {children(isTooMany)}
      {size === 0 ? null : (
        <Button size="sm" variant="subtle" onClick={clear}>
          {texts.clear}
        </Button>
      )}
    </Group>
  );
}
