import { Switch, Text } from "@mantine/core";
import type { CallAnswer, sessionTolerance } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { sessionToleranceQuery, useSetSessionTolerance } from "../../http/tolerances.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { ToleranceFields } from "../../ui/tolerances/tolerance-fields.tsx";
import { isRight, toleranceOf, typedOf } from "../../ui/tolerances/tolerance-form.ts";
import { toleranceMessages as texts } from "../../ui/tolerances/tolerance-messages.ts";

interface SessionToleranceProps {
  readonly sessionId: string;
  readonly onClose: () => void;
}

function EditSessionTolerance({
  sessionId,
  known,
  onClose,
}: SessionToleranceProps & { readonly known: CallAnswer<typeof sessionTolerance> }) {
  const save = useSetSessionTolerance(sessionId);
  const [usesStores, setUsesStores] = useState(known.session === null);
  const [typed, setTyped] = useState(() => typedOf(known.session ?? known.store));
  const shown = usesStores ? typedOf(known.store) : typed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isRight(shown)) save.send(usesStores ? null : toleranceOf(typed), onClose);
  };
  return (
    <FormDialog
      title={texts.ofSession}
      change={save}
      errorFallback={texts.saveFailed}
      heading={<Text>{texts.intro}</Text>}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={!isRight(shown)}
      onClose={onClose}
      onSubmit={submit}
    >
      <Switch
        label={texts.useStores}
        checked={usesStores}
        onChange={(event) => setUsesStores(event.currentTarget.checked)}
      />
      <Text fz="sm" c="dimmed">
        {usesStores ? texts.stores : texts.allEmpty}
      </Text>
      <ToleranceFields typed={shown} disabled={usesStores} onChange={setTyped} />
    </FormDialog>
  );
}

/** From which difference on areas of a session are counted a second time: its own limits, or its store's. */
export function SessionToleranceDialog({ sessionId, onClose }: SessionToleranceProps) {
  const { data, error, refetch } = useQuery(sessionToleranceQuery(sessionId));
  if (data !== undefined)
    return <EditSessionTolerance sessionId={sessionId} known={data} onClose={onClose} />;
  return (
    <Dialog title={texts.ofSession} onClose={onClose}>
      <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
      {error === null ? <LoadingState /> : null}
    </Dialog>
  );
}
