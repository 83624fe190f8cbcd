import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import type { ExceptionGroup } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { areasQuery, locationsQuery } from "../../../http/shared-queries.ts";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { adviceOnAll } from "./advice.ts";
import { keyOf } from "./api.ts";
import { progressText, scansIn, WalkActions, type WalkedDialogProps, WalkHead } from "./decision-dialogs.tsx";
import classes from "./exceptions.module.css";
import { GroupText, namesText } from "./group-text.tsx";
import { messages } from "./messages.ts";
import { packAdvice } from "./pack-advice.ts";
import { ProductPicker } from "./product-picker.tsx";
import { shopProductsQuery } from "./shop-products.ts";

const { decisions } = messages;
const namedAtMost = 6;

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
  const named = groups.slice(0, namedAtMost).map(({ input }) => input);
  return (
    <>
      <Text>
        {decisions.code} <span className={classes.code}>{namesText(named, groups.length)}</span>
      </Text>
      {adviceOnAll(groups).map((sentence) => (
        <Text key={sentence} fz="sm">
          {sentence}
        </Text>
      ))}
    </>
  );
}

interface ResolveDialogProps extends WalkedDialogProps {
  readonly storeId: string;
}

/** What counts as is known of each: only the area is gone. */
export function areKnown(groups: readonly ExceptionGroup[]): boolean {
  return groups.every(({ sku }) => sku !== null);
}

interface Placing {
  /** Some of the scans have no area any more: none is chosen until a person does. */
  readonly isNeeded: boolean;
  /** Others of them have theirs still, which they leave for the area that is chosen for all. */
  readonly movesOthers: boolean;
}

/** Whether an area has to be chosen for the scans. Each waits for one reason, so that a group with several has scans of other areas. */
function placingOf(groups: readonly ExceptionGroup[]): Placing {
  const reasons = groups.flatMap((group) => group.reasons);
  const isNeeded = reasons.includes("AREA_DELETED");
  return { isNeeded, movesOthers: isNeeded && reasons.some((reason) => reason !== "AREA_DELETED") };
}

function ResolveForm({ groups, storeId, rowOf, deciding, walk, onDecide, onClose }: ResolveDialogProps) {
  const known = areKnown(groups);
  const [sku, setSku] = useState("");
  const [areaId, setAreaId] = useState("");
  const areas = useAreaChoices(storeId);
  const shop = useQuery({ ...shopProductsQuery(storeId), enabled: !known });
  const { isNeeded, movesOthers } = placingOf(groups);
  const isReady = (known || sku !== "") && (!isNeeded || areaId !== "") && !deciding.isPending;
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
        {known ? null : <ProductPicker shop={shop} chosen={sku} onChoose={setSku} />}
        {(known || shop.data === undefined ? [] : packAdvice(groups, shop.data.packOf, { sku, rowOf })).map(
          (sentence) => (
            <Text key={sentence} fz="sm">
              {sentence}
            </Text>
          ),
        )}
        <NativeSelect
          label={decisions.area}
          value={areaId}
          data={[
            isNeeded
              ? { value: "", label: decisions.chooseArea, disabled: true }
              : { value: "", label: decisions.areaWhereScanned },
            ...areas,
          ]}
          onChange={(event) => setAreaId(event.currentTarget.value)}
        />
        {movesOthers ? <Text>{decisions.movesOthers}</Text> : null}
        {groups.some(({ afterEnd }) => afterEnd) ? <Text c="dimmed">{decisions.afterEnd}</Text> : null}
        <DialogActions>
          <WalkActions walk={walk} busy={deciding.isPending} />
          <Button variant="default" disabled={deciding.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady}>
            {busy ?? (known ? decisions.accept : decisions.save)}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

/** Accepts scans as a product of the administrator's choice; the dialog stays while one code after the other is worked through. */
export function ResolveDialog(props: ResolveDialogProps) {
  return (
    <Dialog
      title={areKnown(props.groups) ? decisions.areaTitle(scansIn(props.groups)) : decisions.resolveTitle}
      size="lg"
      onClose={props.deciding.isPending ? () => undefined : props.onClose}
    >
      <Stack gap="sm">
        <WalkHead walk={props.walk} />
        <ResolveForm key={props.groups.map(keyOf).join()} {...props} />
      </Stack>
    </Dialog>
  );
}
