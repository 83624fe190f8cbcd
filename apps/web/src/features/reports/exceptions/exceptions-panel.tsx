import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { type ExceptionGroup, isOfPaper, type LateDevice } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { deviceText, noneText, quantityText } from "../../../ui/formats.ts";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { FoldingSection } from "../folding/folding-section.tsx";
import type { RowOf } from "./advice.ts";
import { decidedQuery, groupsQuery, keyOf } from "./api.ts";
import { DecidedList } from "./decided-list.tsx";
import { AcceptDialog, DismissDialog, scansIn } from "./decision-dialogs.tsx";
import { GroupList, itemMark } from "./group-list.tsx";
import { messages } from "./messages.ts";
import type { SetByHand } from "./outcome-text.ts";
import { areKnown, ResolveDialog } from "./resolve-dialog.tsx";
import { type DecidingPanel, needsOnlyArea, useDecidingPanel } from "./use-deciding-panel.ts";

const { list, done: doneTexts } = messages;

interface ExceptionsPanelProps {
  readonly sessionId: string;
  readonly storeId: string;
  /** Nothing can be decided, because the report is deployed. */
  readonly locked: boolean;
  /** The id of the heading. */
  readonly anchor: string;
  readonly setByHand?: SetByHand;
  /** What the report says of a SKU before anything is decided; undefined where its row is not known. */
  readonly rowOf?: RowOf;
  /** How many scans wait as far as is known before the list is read; without it nothing is known. */
  readonly expected?: number;
  /** On a phone the panel is one line until it is pressed. */
  readonly folds?: boolean;
  /** What is shown where nothing waits and nothing was decided; without it there is no panel then. */
  readonly empty?: ReactNode;
}

const setByNobody = () => null;
const noRow = () => undefined;

interface FrameProps extends Required<Pick<ExceptionsPanelProps, "folds" | "anchor">> {
  readonly waiting: number;
  readonly children: ReactNode;
}

function Frame({ folds, anchor, waiting, children }: FrameProps) {
  const section = {
    title: list.heading,
    anchor,
    aside: waiting === 0 ? null : <StatusBadge tone="warning">{quantityText(waiting)}</StatusBadge>,
  };
  if (!folds) return <Section {...section}>{children}</Section>;
  return (
    <FoldingSection {...section} count={quantityText(waiting)}>
      {children}
    </FoldingSection>
  );
}

function UndoButton({ panel }: { panel: DecidingPanel }) {
  const { done, undoing, takeBack } = panel;
  if (done === null || done.scanIds.length === 0) return null;
  return (
    <Button variant="default" size="sm" disabled={undoing.isPending} onClick={() => takeBack(done.scanIds)}>
      {doneTexts.undo}
    </Button>
  );
}

/** What is asked now. */
function OpenDialog({ panel, storeId, rowOf }: { panel: DecidingPanel; storeId: string; rowOf: RowOf }) {
  const { open, done, deciding, decide, skip, dismiss, close } = panel;
  if (open === null) return null;
  const props = { groups: open.groups, rowOf, deciding, onDecide: decide, onClose: close };
  if (open.kind === "dismiss") return <DismissDialog {...props} />;
  const notice =
    done === null ? null : (
      <Notice kind="success" role="status" action={<UndoButton panel={panel} />}>
        {done.message}
      </Notice>
    );
  const walk = open.isWalk ? { left: open.queue.length, notice, onSkip: skip, onDismiss: dismiss } : null;
  const key = open.groups.map(keyOf).join();
  // One question after the other is a dialog of its own: what was pressed in the last is not pressed in the next.
  if (open.kind === "accept") return <AcceptDialog key={key} {...props} walk={walk} />;
  // For products it stays from one code to the next, and its field takes the focus each time.
  return (
    <ResolveDialog key={areKnown(open.groups) ? key : "products"} {...props} storeId={storeId} walk={walk} />
  );
}

const ownDeviceText = (deviceId: string) =>
  isOfPaper({ deviceId }) ? deviceText(deviceId) : list.ownDevice(deviceText(deviceId));

interface LateFilterProps {
  readonly devices: readonly LateDevice[];
  /** How many devices late scans are of: more than are listed where somebody has made devices up. */
  readonly deviceCount: number;
  readonly lateOf: string;
  readonly onChange: (lateOf: string) => void;
  readonly children: ReactNode;
}

/** Shows the late scans of one device alone. */
function LateFilter({ devices, deviceCount, lateOf, onChange, children }: LateFilterProps) {
  if (devices.length === 0 && lateOf === "") return null;
  const choices = devices.map(({ deviceId, username, late }) => ({
    value: deviceId,
    label: list.device(username, ownDeviceText(deviceId), late),
  }));
  const isGone = lateOf !== "" && !devices.some(({ deviceId }) => deviceId === lateOf);
  return (
    <Group align="flex-end" gap="sm" className="screen-only">
      <NativeSelect
        label={list.lateOf}
        description={deviceCount > devices.length ? list.notAllDevices(devices.length, deviceCount) : null}
        value={lateOf}
        data={[
          { value: "", label: list.everything },
          ...choices,
          ...(isGone ? [{ value: lateOf, label: list.device(noneText, ownDeviceText(lateOf), 0) }] : []),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {children}
    </Group>
  );
}

interface AllOfDeviceProps {
  readonly found: { readonly groups: readonly ExceptionGroup[]; readonly total: number };
  /** Every one of them is known. */
  readonly isRead: boolean;
  readonly onAsk: DecidingPanel["ask"];
}

/** Decides on all that one device sent late, once all of it is known: an amount that is not all of it would mislead. */
function AllOfDevice({ found: { groups, total }, isRead, onAsk }: AllOfDeviceProps) {
  if (!isRead) return <Button disabled>{list.reading(groups.length, total)}</Button>;
  const acceptable = groups.filter((group) => group.acceptable);
  const placeless = groups.filter(needsOnlyArea);
  return (
    <>
      {acceptable.length === 0 ? null : (
        <Button onClick={() => onAsk("accept", acceptable)}>{list.acceptAllLate(scansIn(acceptable))}</Button>
      )}
      {placeless.length === 0 ? null : (
        <Button variant="default" onClick={() => onAsk("resolve", placeless)}>
          {list.placeAllLate(scansIn(placeless))}
        </Button>
      )}
    </>
  );
}

/** Nothing has the focus, or what was done has it for want of anything else. */
function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches("[role=status]");
}

/**
 * Stays at the list once what was decided on is gone from it: the focus goes to what has taken its place, or to the heading
 * where nothing is left. Otherwise the page below would come up under whoever goes on deciding.
 */
function useFocusBack(
  open: DecidingPanel["open"],
  groups: readonly ExceptionGroup[],
  list: RefObject<HTMLDivElement | null>,
  anchor: string,
): void {
  const asked = useRef<{ readonly key: string; readonly index: number } | null>(null);
  const [first] = open?.groups ?? [];
  const key = first === undefined ? null : keyOf(first);
  const keys = groups.map(keyOf);
  useEffect(() => {
    if (key !== null) {
      const index = keys.indexOf(key);
      if (index >= 0) asked.current = { key, index };
      return;
    }
    if (asked.current === null || keys.includes(asked.current.key)) return;
    const items = list.current?.querySelectorAll(`[${itemMark}]`) ?? [];
    const next = items[Math.min(asked.current.index, items.length - 1)];
    asked.current = null;
    if (!isFocusLost()) return;
    const button = next?.querySelector<HTMLElement>("button:not(:disabled)");
    (button ?? document.getElementById(anchor))?.focus();
  });
}

function useLists(sessionId: string, lateOf: string) {
  const waiting = useInfiniteQuery(groupsQuery(sessionId, lateOf));
  const decided = useInfiniteQuery(decidedQuery(sessionId));
  const { hasNextPage, isFetching, isPlaceholderData, error, fetchNextPage } = waiting;
  const readsOn = lateOf !== "" && hasNextPage && !isFetching && error === null;
  // Looked at whenever this is drawn: a page may have come before it was drawn that the one before had been asked for.
  useEffect(() => {
    if (readsOn) void fetchNextPage({ cancelRefetch: false });
  });
  const readMore = ({ hasNextPage, fetchNextPage }: typeof waiting | typeof decided) => {
    if (hasNextPage) void fetchNextPage();
  };
  return {
    found: waiting.data,
    /** Nothing that is asked for is on a page that has not been read. */
    isRead: !hasNextPage && !isPlaceholderData,
    error,
    refetch: waiting.refetch,
    onMore: () => readMore(waiting),
    decided: decided.data ?? { scans: [], total: 0 },
    onMoreDecided: () => readMore(decided),
  };
}

/** Unresolved and late scans by code: accept, resolve to a product, dismiss, and take decisions back. */
export function ExceptionsPanel(props: ExceptionsPanelProps) {
  const { sessionId, storeId, locked, anchor, setByHand = setByNobody, empty = null } = props;
  const { rowOf = noRow, folds = false, expected } = props;
  const [lateOf, setLateOf] = useState("");
  const { found, isRead, error, refetch, onMore, decided, onMoreDecided } = useLists(sessionId, lateOf);
  const groups = found?.groups ?? [];
  const panel = useDecidingPanel({ sessionId, groups, lateOf, setByHand });
  const listRef = useRef<HTMLDivElement>(null);
  useFocusBack(panel.open, groups, listRef, anchor);
  const waiting = found?.waiting ?? expected;
  // Nothing is said of scans that may not be there.
  if (found === undefined && error === null && expected === 0) return null;
  const isIdle = found?.waiting === 0 && decided.total === 0 && panel.done === null && panel.open === null;
  if (isIdle) return empty;
  return (
    <Frame folds={folds} anchor={anchor} waiting={waiting ?? 0}>
      <SuccessMessage
        floats
        message={panel.done?.message ?? null}
        onClose={panel.forget}
        action={<UndoButton panel={panel} />}
      />
      <ErrorBox error={panel.undoing.error} fallback={messages.decided.takeBackFailed} />
      <ErrorBox error={error} fallback={list.fetchFailed} onRetry={refetch} />
      {found === undefined && error === null ? <LoadingState /> : null}
      {found === undefined ? null : (
        <Stack gap="sm" ref={listRef}>
          <Text c="dimmed">{found.waiting === 0 ? list.none : locked ? list.locked : list.intro}</Text>
          <LateFilter
            devices={found.devices}
            deviceCount={found.deviceCount}
            lateOf={lateOf}
            onChange={setLateOf}
          >
            {lateOf === "" || locked ? null : <AllOfDevice found={found} isRead={isRead} onAsk={panel.ask} />}
          </LateFilter>
          {groups.length === 0 ? null : (
            <GroupList
              groups={groups}
              total={found.total}
              locked={locked}
              onMore={onMore}
              onAsk={panel.ask}
              onWorkThrough={panel.workThrough}
            />
          )}
        </Stack>
      )}
      <DecidedList
        {...decided}
        locked={locked}
        busy={panel.undoing.isPending}
        onTakeBack={panel.takeBack}
        onMore={onMoreDecided}
      />
      <OpenDialog panel={panel} storeId={storeId} rowOf={rowOf} />
    </Frame>
  );
}
