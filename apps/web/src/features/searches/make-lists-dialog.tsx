import { NativeSelect, Text, TextInput } from "@mantine/core";
import { type CallAnswer, type CountingSession, createSearches, limits } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { assignmentsQuery } from "../../http/assignments.ts";
import { useContractForm } from "../../ui/contract-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { countText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { filterOf, type Shown, useMakeLists } from "./api.ts";
import { useAreaOptions } from "./area-options.ts";
import { messages } from "./messages.ts";

const { make: texts } = messages;
const usualItems = 50;

/** What the lists are made of: ticked SKUs, or all that fit and nobody was asked to look for. */
export type Material =
  | { readonly kind: "skus"; readonly skus: readonly string[] }
  | { readonly kind: "every"; readonly shown: Shown; readonly items: number };

interface MakeListsDialogProps {
  readonly session: CountingSession;
  readonly material: Material;
  /** Where it is expected, which is where to look unless something else is chosen; empty for nowhere. */
  readonly expectedIn: string;
  readonly onMade: (made: CallAnswer<typeof createSearches>) => void;
  readonly onClose: () => void;
}

function usePersonOptions(sessionId: string) {
  const { data } = useQuery(assignmentsQuery(sessionId));
  return (data?.people ?? []).map(({ _id, name, email }) => ({
    value: _id,
    label: email === "" ? name : `${name}, ${email}`,
  }));
}

/** What will be made: of all that fit there are only so many lists in one go, of ticked SKUs as many as they take. */
function whatIsMade({ kind }: Material, count: number, itemsPerList: number): string {
  const lists = Math.ceil(count / itemsPerList);
  if (kind === "skus" || lists <= limits.searchLists) return texts.itemsPerListNote(lists);
  return texts.boundNote(limits.searchLists, count - limits.searchLists * itemsPerList);
}

interface ListsEntry {
  readonly itemsPerList: string;
  /** "" for anywhere. */
  readonly areaId: string;
  /** "" for anybody. */
  readonly personId: string;
}

function bodyOf(material: Material, { itemsPerList, areaId, personId }: ListsEntry) {
  return {
    ...(material.kind === "skus" ? { skus: [...material.skus] } : { every: filterOf(material.shown) }),
    itemsPerList: Number(itemsPerList),
    areaId: areaId || null,
    personId: personId || null,
  };
}

/** Makes search lists: how many products each, where to look, and who. */
export function MakeListsDialog({ session, material, expectedIn, onMade, onClose }: MakeListsDialogProps) {
  const form = useContractForm<ListsEntry>({
    initialValues: { itemsPerList: String(usualItems), areaId: expectedIn, personId: "" },
    schema: createSearches.body,
    bodyOf: (entry) => bodyOf(material, entry),
    refused: { itemsPerList: () => texts.itemsPerListProblem(limits.searchItems) },
    live: true,
  });
  const change = useMakeLists(session._id);
  const { options: areas, closedCodeOf, isNoneOpen } = useAreaOptions(session.storeId._id);
  const closedCode = closedCodeOf(form.values.areaId);
  const people = usePersonOptions(session._id);
  const count = material.kind === "skus" ? material.skus.length : material.items;
  const itemsPerList = Number(form.values.itemsPerList);
  return (
    <FormDialog
      title={texts.title(countText(count, "SKU", "SKUs"))}
      onClose={onClose}
      onSubmit={form.onSubmit((entry) => change.send(bodyOf(material, entry), onMade))}
      change={change}
      errorFallback={texts.failed}
      submitLabel={texts.submit}
      busyLabel={texts.busy}
      disabled={!form.isValid()}
    >
      <TextInput
        label={texts.itemsPerList}
        description={form.isValid("itemsPerList") ? whatIsMade(material, count, itemsPerList) : undefined}
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps("itemsPerList")}
      />
      <NativeSelect
        label={texts.person}
        data={[{ value: "", label: texts.anybody }, ...people]}
        {...form.getInputProps("personId")}
      />
      <NativeSelect
        label={texts.area}
        data={[{ value: "", label: texts.anywhere }, ...areas]}
        description={closedCode === null || isNoneOpen ? undefined : texts.closedArea(closedCode)}
        {...form.getInputProps("areaId")}
      />
      {isNoneOpen ? (
        <Notice kind="warning" role="status" title={texts.noneOpen}>
          {texts.noneOpenText} <Link to="/admin/locations">{texts.toLocations}</Link>
        </Notice>
      ) : null}
      <Text fz="sm" c="dimmed">
        {texts.note}
      </Text>
    </FormDialog>
  );
}
