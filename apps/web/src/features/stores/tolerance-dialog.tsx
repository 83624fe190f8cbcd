import { Text } from "@mantine/core";
import type { Store, Tolerance } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { storeToleranceQuery, useSetStoreTolerance } from "../../http/tolerances.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { MeanwhileNotice } from "../../ui/shared-forms/meanwhile-notice.tsx";
import { useSharedForm } from "../../ui/shared-forms/use-shared-form.ts";
import { limitFields } from "../../ui/tolerances/tolerance-changes.ts";
import { ToleranceFields } from "../../ui/tolerances/tolerance-fields.tsx";
import { isEmpty, isRight, toleranceOf, typedOf } from "../../ui/tolerances/tolerance-form.ts";
import { toleranceMessages as texts } from "../../ui/tolerances/tolerance-messages.ts";

interface StoreToleranceProps {
  readonly store: Store;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function EditStoreTolerance({
  store,
  tolerance,
  onDone,
  onClose,
}: StoreToleranceProps & { readonly tolerance: Tolerance | null }) {
  const save = useSetStoreTolerance(store._id);
  const form = useSharedForm({
    opened: tolerance,
    now: save.isPending || save.isSuccess ? undefined : tolerance,
    draftOf: typedOf,
    fields: limitFields,
  });
  const { draft: typed, seen } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isRight(typed)) return;
    save.send({ tolerance: isEmpty(typed) ? null : toleranceOf(typed), seen }, () => {
      onDone(texts.savedOfStore(store.name));
      onClose();
    });
  };
  return (
    <FormDialog
      title={texts.ofStore(store.name)}
      change={save}
      errorFallback={texts.saveFailed}
      heading={<Text>{texts.intro}</Text>}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={!isRight(typed)}
      onClose={onClose}
      onSubmit={submit}
    >
      <ToleranceFields typed={typed} onChange={form.set} />
      <MeanwhileNotice form={form} />
    </FormDialog>
  );
}

/** From which difference on a store's areas are counted a second time. */
export function StoreToleranceDialog({ store, onDone, onClose }: StoreToleranceProps) {
  const { data, error, refetch } = useQuery(storeToleranceQuery(store._id));
  if (data !== undefined) {
    return <EditStoreTolerance {...{ store, onDone, onClose }} tolerance={data.tolerance} />;
  }
  return (
    <Dialog title={texts.ofStore(store.name)} onClose={onClose}>
      <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
      {error === null ? <LoadingState /> : null}
    </Dialog>
  );
}
