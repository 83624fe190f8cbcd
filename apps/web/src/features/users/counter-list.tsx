import { Button, Group } from "@mantine/core";
import { type Counter, deleteCounter } from "@stocktake/contract";
import { useState } from "react";
import { callApi } from "../../http/call.ts";
import { useChange } from "../../http/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateText } from "../../ui/formats.ts";
import { SearchableList } from "../../ui/search/searchable-list.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { staleRoots, useUpdateCounter } from "./api.ts";
import { EditCounterDialog } from "./counter-forms.tsx";
import { messages } from "./messages.ts";

function useDeleteCounter() {
  return useChange((id: string) => callApi(deleteCounter, { params: { id } }), staleRoots);
}

interface CounterDialogProps {
  readonly counter: Counter;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function DeactivateCounterDialog({ counter, onDone, onClose }: CounterDialogProps) {
  const update = useUpdateCounter();
  const succeed = () => {
    onDone(messages.deactivated(counter.username));
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.deactivateDialog.title}
      message={messages.deactivateDialog.question(counter.username)}
      consequences={messages.deactivateDialog.consequences}
      confirmLabel={messages.deactivate}
      change={update}
      errorFallback={messages.updateFailed}
      onConfirm={() => update.send({ id: counter._id, isActive: false }, succeed)}
      onCancel={onClose}
    />
  );
}

function DeleteCounterDialog({ counter, onDone, onClose }: CounterDialogProps) {
  const removal = useDeleteCounter();
  const succeed = () => {
    onDone(messages.deleted(counter.username));
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.deleteDialog.title}
      message={messages.deleteDialog.question(counter.username)}
      consequences={messages.deleteDialog.consequences}
      confirmLabel={messages.deleteDialog.confirm}
      change={removal}
      errorFallback={messages.deleteFailed}
      onConfirm={() => removal.send(counter._id, succeed)}
      onCancel={onClose}
    />
  );
}

interface Open {
  readonly kind: "edit" | "deactivate" | "delete";
  readonly counter: Counter;
}

interface CounterActionsProps {
  readonly counter: Counter;
  readonly onOpen: (kind: Open["kind"]) => void;
  readonly onActivate: () => void;
  readonly isBusy: boolean;
}

function CounterActions({ counter, onOpen, onActivate, isBusy }: CounterActionsProps) {
  const toggle = counter.isActive ? messages.deactivate : messages.activate;
  const name = counter.username;
  return (
    <Group gap={4} justify="flex-end">
      <Button
        variant="subtle"
        size="sm"
        onClick={() => onOpen("edit")}
        aria-label={`${messages.edit} ${name}`}
      >
        {messages.edit}
      </Button>
      <Button
        variant="subtle"
        size="sm"
        disabled={isBusy && !counter.isActive}
        onClick={counter.isActive ? () => onOpen("deactivate") : onActivate}
        aria-label={`${toggle} ${name}`}
      >
        {toggle}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="sm"
        onClick={() => onOpen("delete")}
        aria-label={`${messages.remove} ${name}`}
      >
        {messages.remove}
      </Button>
    </Group>
  );
}

interface CounterListProps {
  readonly counters: readonly Counter[];
  readonly onDone: (message: string) => void;
}

function CounterDialogs({
  open,
  ...outcome
}: {
  open: Open;
  onDone: CounterListProps["onDone"];
  onClose: () => void;
}) {
  const { kind, counter } = open;
  if (kind === "edit") return <EditCounterDialog counter={counter} {...outcome} />;
  if (kind === "deactivate") return <DeactivateCounterDialog counter={counter} {...outcome} />;
  return <DeleteCounterDialog counter={counter} {...outcome} />;
}

interface CounterTableProps {
  readonly counters: readonly Counter[];
  readonly onOpen: (open: Open) => void;
  readonly onActivate: (counter: Counter) => void;
  /** An activation is under way; the next one waits for it. */
  readonly isBusy: boolean;
}

function CounterTable({ counters, onOpen, onActivate, isBusy }: CounterTableProps) {
  return (
    <QuietTable
      label={messages.listHeading}
      rows={counters}
      keyOf={(counter) => counter._id}
      columns={[
        { header: "Username", cell: (counter) => counter.username },
        {
          header: "Status",
          cell: ({ isActive }) => (
            <StatusBadge tone={isActive ? "positive" : "neutral"}>
              {isActive ? "Active" : "Inactive"}
            </StatusBadge>
          ),
        },
        { header: "Created", cell: (counter) => dateText(counter.createdAt) },
        {
          header: "Actions",
          hiddenHeader: true,
          cell: (counter) => (
            <CounterActions
              counter={counter}
              onOpen={(kind) => onOpen({ kind, counter })}
              onActivate={() => onActivate(counter)}
              isBusy={isBusy}
            />
          ),
        },
      ]}
    />
  );
}

export function CounterList({ counters, onDone }: CounterListProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const update = useUpdateCounter();
  const activate = (counter: Counter) =>
    update.send({ id: counter._id, isActive: true }, () => onDone(messages.activated(counter.username)));
  if (counters.length === 0) return <EmptyState title={messages.none}>{messages.noneText}</EmptyState>;
  return (
    <>
      <ErrorBox error={update.error} fallback={messages.updateFailed} />
      <SearchableList label={messages.listHeading} rows={counters} textOf={({ username }) => username}>
        {(found) => (
          <CounterTable counters={found} onOpen={setOpen} onActivate={activate} isBusy={update.isPending} />
        )}
      </SearchableList>
      {open === null ? null : <CounterDialogs open={open} onDone={onDone} onClose={() => setOpen(null)} />}
    </>
  );
}
