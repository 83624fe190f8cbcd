import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import type { ExceptionGroup } from "@stocktake/contract";
import { type KeyboardEvent, useState } from "react";
import { keyOf } from "./api.ts";
import { scansIn } from "./decision-dialogs.tsx";
import classes from "./exceptions.module.css";
import { GroupText } from "./group-text.tsx";
import { messages } from "./messages.ts";
import { canCount, type DecisionKind, naturalKind, needsOnlyArea } from "./use-deciding-panel.ts";

const { decisions, list, selection } = messages;
const step = 25;

/** Marks what is listed, for what finds its place in the list. */
export const itemMark = "data-item";

/** Marks a group by its key, for what leads to it. */
export const groupMark = "data-group";

interface GroupListProps {
  /** Those that were read so far. */
  readonly groups: readonly ExceptionGroup[];
  readonly total: number;
  readonly locked: boolean;
  /** Reads more of them. */
  readonly onMore: () => void;
  readonly onAsk: (kind: DecisionKind, groups: readonly ExceptionGroup[]) => void;
  readonly onWorkThrough: (group: ExceptionGroup) => void;
}

/** Moves the focus from one group's checkbox to another; false for a key that does not. */
function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): boolean {
  const boxes = [
    ...(currentTarget.closest("ul")?.querySelectorAll<HTMLInputElement>("[type=checkbox]") ?? []),
  ];
  const at = boxes.indexOf(currentTarget);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: boxes.length - 1 }[key];
  if (to === undefined) return false;
  boxes[to]?.focus();
  return true;
}

interface GroupLineProps extends Pick<GroupListProps, "locked" | "onAsk" | "onWorkThrough"> {
  readonly group: ExceptionGroup;
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
}

function GroupLine({ group, selected, locked, onSelect, onAsk, onWorkThrough }: GroupLineProps) {
  const label = naturalKind(group) === "accept" ? decisions.accept : decisions.resolve;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const decides = event.key === "Enter" && !event.repeat;
    if (decides && canCount(group)) onWorkThrough(group);
    if (decides || moveFocus(event)) event.preventDefault();
  };
  return (
    <li
      className={classes.group}
      {...{ [itemMark]: true, [groupMark]: keyOf(group) }}
      {...(selected ? { "data-selected": true } : {})}
    >
      <Checkbox
        className="screen-only"
        checked={selected}
        disabled={locked}
        aria-label={selection.select(group.input)}
        onChange={(event) => onSelect(event.currentTarget.checked)}
        onKeyDown={onKeyDown}
      />
      <GroupText group={group} />
      <Group gap="xs">
        {canCount(group) ? (
          <Button
            variant="default"
            size="sm"
            disabled={locked}
            onClick={() => onWorkThrough(group)}
            aria-label={`${label}: ${group.input}`}
          >
            {label}
          </Button>
        ) : null}
        <Button
          variant="subtle"
          color="red"
          size="sm"
          disabled={locked}
          onClick={() => onAsk("dismiss", [group])}
          aria-label={`${decisions.dismiss}: ${group.input}`}
        >
          {decisions.dismiss}
        </Button>
      </Group>
    </li>
  );
}

interface SelectionBarProps extends Pick<GroupListProps, "groups" | "onAsk"> {
  readonly selected: readonly ExceptionGroup[];
  readonly onSelectAll: (selected: boolean) => void;
}

/** Selects everything that is listed, and decides on what is selected. */
function SelectionBar({ groups, selected, onAsk, onSelectAll }: SelectionBarProps) {
  const acceptable = selected.filter(({ acceptable }) => acceptable);
  const rest = selected.filter(({ acceptable }) => !acceptable);
  // A product is chosen for what has none, an area for what has a product and lost its area.
  const unknown = rest.filter(({ sku }) => sku === null);
  const placeless = rest.filter(needsOnlyArea);
  return (
    <div className={`${classes.bar} screen-only`}>
      <Checkbox
        label={selection.all}
        checked={selected.length > 0 && selected.length === groups.length}
        indeterminate={selected.length > 0 && selected.length < groups.length}
        onChange={(event) => onSelectAll(event.currentTarget.checked)}
      />
      <Text role="status" fz="sm" c="dimmed">
        {selected.length === 0 ? "" : selection.selected(selected.length, scansIn(selected))}
      </Text>
      {acceptable.length === 0 ? null : (
        <Button size="sm" onClick={() => onAsk("accept", acceptable)}>
          {selection.accept(scansIn(acceptable))}
        </Button>
      )}
      {unknown.length === 0 ? null : (
        <Button size="sm" variant="default" onClick={() => onAsk("resolve", unknown)}>
          {selection.resolve(scansIn(unknown))}
        </Button>
      )}
      {placeless.length === 0 ? null : (
        <Button size="sm" variant="default" onClick={() => onAsk("resolve", placeless)}>
          {selection.place(scansIn(placeless))}
        </Button>
      )}
      {selected.length === 0 ? null : (
        <Button size="sm" variant="subtle" color="red" onClick={() => onAsk("dismiss", selected)}>
          {selection.dismiss(scansIn(selected))}
        </Button>
      )}
    </div>
  );
}

/** What is selected; what no longer waits is no longer selected. */
function useSelection(groups: readonly ExceptionGroup[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const selected = groups.filter((group) => keys.has(keyOf(group)));
  const select = (group: ExceptionGroup, isSelected: boolean) => {
    const others = [...keys].filter((key) => key !== keyOf(group));
    setKeys(new Set(isSelected ? [...others, keyOf(group)] : others));
  };
  const selectAll = (isSelected: boolean) => setKeys(new Set(isSelected ? groups.map(keyOf) : []));
  return { selected, select, selectAll };
}

/** What waits, by code; the keyboard alone is enough for all of it. */
export function GroupList({ groups, total, locked, onMore, onAsk, onWorkThrough }: GroupListProps) {
  const [shown, setShown] = useState(step);
  const listed = groups.slice(0, shown);
  const { selected, select, selectAll } = useSelection(groups);
  const hidden = Math.max(0, total - shown);
  const showMore = () => {
    if (shown + step > groups.length) onMore();
    setShown(shown + step);
  };
  return (
    <Stack gap="xs">
      {locked ? null : (
        <>
          <Text c="dimmed" fz="sm" visibleFrom="sm" className="screen-only">
            {list.hint}
          </Text>
          <SelectionBar groups={groups} selected={selected} onAsk={onAsk} onSelectAll={selectAll} />
        </>
      )}
      <ul className={classes.list}>
        {listed.map((group) => (
          <GroupLine
            key={keyOf(group)}
            group={group}
            selected={selected.includes(group)}
            locked={locked}
            onSelect={(isSelected) => select(group, isSelected)}
            onAsk={onAsk}
            onWorkThrough={onWorkThrough}
          />
        ))}
      </ul>
      {hidden === 0 ? null : (
        <Button variant="subtle" onClick={showMore} style={{ alignSelf: "flex-start" }}>
          {list.more(Math.min(step, hidden))}
        </Button>
      )}
    </Stack>
  );
}
