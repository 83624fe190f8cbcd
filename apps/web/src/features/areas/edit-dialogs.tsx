import { Text, TextInput } from "@mantine/core";
import { type Area, type Location, updateArea, updateLocation } from "@stocktake/contract";
import type { ReactNode } from "react";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { type Change, useChange } from "../../http/use-change.ts";
import { useContractForm } from "../../ui/contract-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
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
  readonly children?: ReactNode;
}

/** Gives something another name. */
function EditDialog({ title, label, name, nameRequired, schema, change, ...props }: EditDialogProps) {
  const { errorFallback, onDone, onClose, children } = props;
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

export function EditAreaDialog({ area, ...outcome }: Outcome & { readonly area: Area }) {
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
      {...outcome}
    >
      <Text c="dimmed" fz="sm">
        {messages.editArea.note}
      </Text>
    </EditDialog>
  );
}
