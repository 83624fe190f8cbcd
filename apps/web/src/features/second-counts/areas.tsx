import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { areaText, quantityText } from "../../ui/formats.ts";
import { Section } from "../../ui/section.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { useCancel } from "./api.ts";
import type { ComparedArea } from "./area-states.ts";
import { AskDialog } from "./ask-dialog.tsx";
import { messages } from "./messages.ts";

const { areas: texts } = messages;

interface DialogProps {
  readonly row: ComparedArea;
  readonly onClose: () => void;
}

function CancelDialog({ row: { area }, onClose }: DialogProps) {
  const cancel = useCancel();
  return (
    <ConfirmDialog
      title={texts.cancelTitle(area.code)}
      message={texts.cancelQuestion}
      confirmLabel={texts.cancelConfirm}
      change={cancel}
      errorFallback={texts.cancelFailed}
      onConfirm={() => cancel.send(area._id, onClose)}
      onCancel={onClose}
    />
  );
}

function RowButton({ row, onPress }: { row: ComparedArea; onPress: () => void }) {
  if (row.isControl || (!row.isOpen && row.next === null)) return null;
  const { code } = row.area;
  return (
    <Button
      variant="default"
      size="sm"
      aria-label={
        row.isOpen ? texts.cancelFor(code) : row.next === 3 ? texts.askThirdFor(code) : texts.askFor(code)
      }
      onClick={onPress}
    >
      {row.isOpen ? texts.cancel : row.next === 3 ? texts.askThird : texts.ask}
    </Button>
  );
}

interface AreasProps {
  readonly rows: readonly ComparedArea[];
  /** Nothing can be asked for any more. */
  readonly hasEnded: boolean;
}

/** The closed areas, each with a way to have it counted once more. */
export function Areas({ rows, hasEnded }: AreasProps) {
  const [pressed, setPressed] = useState<ComparedArea | null>(null);
  const close = () => setPressed(null);
  const actions = {
    header: "Actions",
    hiddenHeader: true,
    cell: (row: ComparedArea) => <RowButton row={row} onPress={() => setPressed(row)} />,
  };
  const columns = [
    { header: "Area", cell: ({ area }: ComparedArea) => areaText(area.code, area.name) },
    { header: "Location", cell: ({ area }: ComparedArea) => area.locationName },
    { header: "Counted", numeric: true, cell: ({ area }: ComparedArea) => quantityText(area.scans) },
    { header: "Second Count", cell: ({ state }: ComparedArea) => state },
  ];
  return (
    <Section title={texts.heading}>
      {hasEnded ? <Text c="dimmed">{texts.ended}</Text> : null}
      {rows.length === 0 ? (
        <EmptyState title={texts.none}>{texts.noneText}</EmptyState>
      ) : (
        <QuietTable
          label={texts.heading}
          columns={hasEnded ? columns : [...columns, actions]}
          rows={rows}
          keyOf={({ area }) => area._id}
        />
      )}
      {pressed === null ? null : pressed.isOpen ? (
        <CancelDialog row={pressed} onClose={close} />
      ) : (
        <AskDialog area={pressed.area} onClose={close} />
      )}
    </Section>
  );
}
