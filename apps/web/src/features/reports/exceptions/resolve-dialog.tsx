import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import type { ExceptionGroup } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { areasQuery, locationsQuery } from "../../../http/shared-queries.ts";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { keyOf } from "./api.ts";
import { type DecisionDialogProps, progressText, scansIn } from "./decision-dialogs.tsx";
import classes from "./exceptions.module.css";
import { GroupText } from "./group-text.tsx";
import { messages } from "./messages.ts";
import { ProductPicker } from "./product-picker.tsx";

const { decisions } = messages;

/** The areas of a store, each with its location's name. */
function useAreaChoices(storeId: string) {
  const { data: locations = [] } = useQuery(locationsQuery);
  const { data: areas = [] } = useQuery(areasQuery);
  const names = new Map(
    locations
      .filter((location) => location.storeId._id === storeId)
      .map((location) => [location._id, location.name]),
  );
  return areas.flatMap((area) => {
    const location = names.get(area.locationId);
    return location === undefined
      ? []
      : [{ value: area._id, label: `${location}: ${area.code} – ${area.name}` }];
  });
}

function Codes({ groups }: { groups: readonly ExceptionGroup[] }) {
  const [first] = groups;
  if (groups.length === 1 && first !== undefined) return <GroupText group={first} />;
  return (
    <Text>
      {decisions.code} <span className={classes.code}>{groups.map(({ input }) => input).join(", ")}</span>
    </Text>
  );
}

interface ResolveDialogProps extends DecisionDialogProps {
  readonly storeId: string;
  /** The groups that come after this, where they are worked through. */
  readonly left: number;
  /** What became of the one before. */
  readonly notice: ReactNode;
  readonly onSkip: () => void;
}

function ResolveForm({ groups, storeId, deciding, left, onDecide, onClose, onSkip }: ResolveDialogProps) {
  const known = groups.every(({ sku }) => sku !== null);
  const [sku, setSku] = useState("");
  const [areaId, setAreaId] = useState("");
  const areas = useAreaChoices(storeId);
  const isReady = (known || sku !== "") && !deciding.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const area = areaId === "" ? {} : { areaId };
    onDecide({ action: "accept", ...(known ? {} : { sku }), ...area });
  };
  const busy = deciding.isPending ? progressText(deciding, scansIn(groups)) : null;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Codes groups={groups} />
        <ErrorBox error={deciding.error} fallback={messages.list.failed} />
        {known ? null : <ProductPicker storeId={storeId} chosen={sku} onChoose={setSku} />}
        <NativeSelect
          label={decisions.area}
          value={areaId}
          data={[{ value: "", label: decisions.areaWhereScanned }, ...areas]}
          onChange={(event) => setAreaId(event.currentTarget.value)}
        />
        {groups.some(({ afterEnd }) => afterEnd) ? <Text c="dimmed">{decisions.afterEnd}</Text> : null}
        <DialogActions>
          {left === 0 ? null : (
            <>
              <Text fz="sm" c="dimmed">
                {decisions.left(left)}
              </Text>
              <Button variant="subtle" onClick={onSkip}>
                {decisions.skip}
              </Button>
            </>
          )}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady}>
            {busy ?? decisions.save}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

/** Accepts scans as a product of the administrator's choice; the dialog stays while one code after the other is worked through. */
export function ResolveDialog(props: ResolveDialogProps) {
  return (
    <Dialog title={decisions.resolveTitle} size="lg" onClose={props.onClose}>
      {props.notice}
      <ResolveForm key={props.groups.map(keyOf).join()} {...props} />
    </Dialog>
  );
}
