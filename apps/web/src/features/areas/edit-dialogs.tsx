import { Text, TextInput } from "@mantine/core";
import { type Area, type Location, updateArea, updateLocation } from "@stocktake/contract";
import type { ReactNode } from "react";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { type Change, useChange } from "../../http/use-change.ts";
import { useContractForm } from "../../ui/contract-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SameNameNotice } from "../../ui/names/same-name-notice.tsx";
import { messages } from "./messages.ts";

interface EditDialogProps {
  readonly title: string;
  readonly label: string;
  readonly name: string;
  readonly nameRequired: string;
  readonly schema: typeof updateLocation.body | typeof updateArea.body;
  readonly change: Change<string, unknown>;
  readonly errorFallback: string;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
  /** What is said of the name as it is typed. */
  readonly noteOf?: (name: string) => ReactNode;
  readonly children?: ReactNode;
}

/** Gives something another name. */
function EditDialog({ title, label, name, nameRequired, schema, change, ...props }: EditDialogProps) {
  const { errorFallback, onDone, onClose, noteOf, children } = props;
  const form = useContractForm({
    initialValues: { name },
    schema,
    required: { name: nameRequired },
    live: true,
  });
  const submit = form.onSubmit((entry) => {
    if (change.isPending) return;
    change.send(entry.name, () => {
      onDone(messages.updated(entry.name.trim()));
      onClose();
    });
  });
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={submit}
      change={change}
      errorFallback={errorFallback}
      submitLabel={messages.save}
      busyLabel={messages.saving}
      disabled={!form.isValid()}
    >
      {children}
      <TextInput label={label} data-autofocus {...form.getInputProps("name")} />
      {noteOf?.(form.values.name)}
    </FormDialog>
  );
}

type Outcome = Pick<EditDialogProps, "onDone" | "onClose">;

export function EditLocationDialog({ location, ...outcome }: Outcome & { readonly location: Location }) {
  const change = useChange(
    (name: string) => callApi(updateLocation, { params: { id: location._id }, body: { name } }),
    staleAfter.location,
  );
  return (
    <EditDialog
      title={messages.editHeading}
      label={messages.nameLabel}
      name={location.name}
      nameRequired={messages.nameRequired}
      schema={updateLocation.body}
      change={change}
      errorFallback={messages.updateFailed}
      {...outcome}
    />
  );
}

interface EditAreaDialogProps extends Outcome {
  readonly area: Area;
  /** All areas of its location. */
  readonly areas: readonly Area[];
}

export function EditAreaDialog({ area, areas, ...outcome }: EditAreaDialogProps) {
  const others = areas.filter(({ _id }) => _id !== area._id).map(({ name }) => name);
  const change = useChange(
    (name: string) => callApi(updateArea, { params: { id: area._id }, body: { name } }),
    staleAfter.area,
  );
  return (
    <EditDialog
      title={messages.editArea.heading(area.code)}
      label={messages.editArea.name}
      name={area.name}
      nameRequired={messages.editArea.nameRequired}
      schema={updateArea.body}
      change={change}
      errorFallback={messages.editArea.failed}
      noteOf={(name) => <SameNameNotice name={name} others={others} text={messages.editArea.sameName} />}
      {...outcome}
    >
      <Text c="dimmed" fz="sm">
        {messages.editArea.note}
      </Text>
    </EditDialog>
  );
}
