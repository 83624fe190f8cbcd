import { Switch, Text } from "@mantine/core";
import type { CallAnswer, sessionTolerance } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { sessionToleranceQuery, useSetSessionTolerance } from "../../http/tolerances.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { MeanwhileNotice } from "../../ui/shared-forms/meanwhile-notice.tsx";
import { type FormField, useSharedForm } from "../../ui/shared-forms/use-shared-form.ts";
import { limitFields } from "../../ui/tolerances/tolerance-changes.ts";
import { ToleranceFields } from "../../ui/tolerances/tolerance-fields.tsx";
import { isRight, type Typed, toleranceOf, typedOf } from "../../ui/tolerances/tolerance-form.ts";
import { toleranceMessages as texts } from "../../ui/tolerances/tolerance-messages.ts";

type Known = CallAnswer<typeof sessionTolerance>;

interface SessionToleranceProps {
  readonly sessionId: string;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

interface Draft {
  readonly usesStores: boolean;
  readonly typed: Typed;
}

const draftOf = ({ session, store }: Known): Draft => ({
  usesStores: session === null,
  typed: typedOf(session ?? store),
});

const toleranceFields: readonly FormField<Draft>[] = [
  {
    label: texts.useStores,
    valueOf: ({ usesStores }) => usesStores,
    textOf: ({ usesStores }) => (usesStores ? texts.yes : texts.no),
    take: (into, { usesStores }) => ({ ...into, usesStores }),
  },
  ...limitFields.map(
    (field): FormField<Draft> => ({
      label: field.label,
      valueOf: ({ typed }) => field.valueOf(typed),
      textOf: ({ typed }) => field.textOf(typed),
      take: (into, from) => ({ ...into, typed: field.take(into.typed, from.typed) }),
    }),
  ),
];

function EditSessionTolerance({
  sessionId,
  known,
  onDone,
  onClose,
}: SessionToleranceProps & { readonly known: Known }) {
  const save = useSetSessionTolerance(sessionId);
  const form = useSharedForm({
    opened: known,
    now: save.isPending || save.isSuccess ? undefined : known,
    draftOf,
    fields: toleranceFields,
  });
  const { usesStores, typed } = form.draft;
  const shown = usesStores ? typedOf(known.store) : typed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const tolerance = usesStores ? null : toleranceOf(typed);
    if (!isRight(shown)) return;
    save.send({ tolerance, seen: form.seen.session }, () => {
      onDone(texts.savedOfSession);
      onClose();
    });
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
        onChange={(event) => form.set({ typed, usesStores: event.currentTarget.checked })}
      />
      <Text fz="sm" c="dimmed">
        {usesStores ? texts.stores : texts.allEmpty}
      </Text>
      <ToleranceFields
        typed={shown}
        disabled={usesStores}
        onChange={(changed) => form.set({ usesStores, typed: changed })}
      />
      <MeanwhileNotice form={form} />
    </FormDialog>
  );
}

/** From which difference on areas of a session are counted a second time: its own limits, or its store's. */
export function SessionToleranceDialog({ sessionId, onDone, onClose }: SessionToleranceProps) {
  const { data, error, refetch } = useQuery(sessionToleranceQuery(sessionId));
  if (data !== undefined) return <EditSessionTolerance {...{ sessionId, onDone, onClose }} known={data} />;
  return (
    <Dialog title={texts.ofSession} onClose={onClose}>
      <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
      {error === null ? <LoadingState /> : null}
    </Dialog>
  );
}
