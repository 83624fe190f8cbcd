import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useAsk } from "./api.ts";
import { messages } from "./messages.ts";

const { areas: texts } = messages;

interface AskDialogProps {
  readonly area: { readonly _id: string; readonly code: string; readonly name: string };
  readonly onClose: () => void;
}

/** Asks before a closed area is counted once more. */
export function AskDialog({ area, onClose }: AskDialogProps) {
  const ask = useAsk();
  return (
    <ConfirmDialog
      title={texts.askTitle(area.code)}
      message={texts.askQuestion(area.code, area.name)}
      consequences={texts.askConsequences}
      confirmLabel={texts.ask}
      change={ask}
      danger={false}
      errorFallback={texts.askFailed}
      onConfirm={() => ask.send(area._id, onClose)}
      onCancel={onClose}
    />
  );
}
