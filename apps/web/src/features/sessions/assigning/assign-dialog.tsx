import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { assignmentsQuery } from "../../../http/assignments.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import type { SessionProgress } from "../api.ts";
import { messages } from "../messages.ts";
import { useAssignAreas } from "./api.ts";
import { AssigningFields } from "./assigning-fields.tsx";
import { changeOf, drafted, nothingChanged, withAreas } from "./draft.ts";

const texts = messages.assigning;

interface AssignDialogProps {
  readonly session: CountingSession;
  readonly areas: SessionProgress["areas"];
  readonly onClose: () => void;
}

/** Assigns areas of a running session to the people who count it, as a suggestion or so that nobody else may. */
export function AssignDialog({ session, areas, onClose }: AssignDialogProps) {
  const { data, error, refetch } = useQuery(assignmentsQuery(session._id));
  const [draft, setDraft] = useState(nothingChanged);
  const change = useAssignAreas(session._id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (data !== undefined) change.send(changeOf(data, draft), onClose);
  };
  return (
    <FormDialog
      title={texts.title(session.storeId.name)}
      size="lg"
      onClose={onClose}
      onSubmit={submit}
      change={change}
      errorFallback={texts.failed}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={draft === nothingChanged || data === undefined}
    >
      <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : (
        <AssigningFields
          areas={areas}
          assignments={drafted(data, draft)}
          isFirst
          onToggle={(personId, areaIds, on) => setDraft(withAreas(data, draft, { personId, areaIds, on }))}
          onEnforce={(enforced) => setDraft({ ...draft, enforced })}
        />
      )}
    </FormDialog>
  );
}
