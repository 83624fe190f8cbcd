import { Button, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import {
  type CallAnswer,
  type CountingSession,
  type createSearches,
  lengthProblem,
  limits,
  NeverCountedState,
  type neverCountedGroups,
} from "@stocktake/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useReadAgainOn } from "../../http/live-events.tsx";
import { queryRoots } from "../../http/query-roots.ts";
import { neverCountedGroupsQuery } from "../../http/searches.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { TickedBar } from "../../ui/ticking/ticked-bar.tsx";
import { type Ticking, useTicking } from "../../ui/ticking/ticking.ts";
import { neverCountedQuery, type Shown } from "./api.ts";
import { useAreaOptions } from "./area-options.ts";
import { MakeListsDialog, type Material } from "./make-lists-dialog.tsx";
import { messages } from "./messages.ts";
import { NeverCountedRows } from "./never-counted-rows.tsx";
import classes from "./searches.module.css";

const { neverCounted: texts } = messages;
/** Each scan may count something; the list of a large shop takes some tenths of a second. */
const scansAgainMs = 15_000;

type Groups = CallAnswer<typeof neverCountedGroups>;
type Made = CallAnswer<typeof createSearches>;

const atFirst: Shown = { vendor: "", productType: "", words: "", areaId: "", state: "unlisted" };

interface FiltersProps {
  readonly storeId: string;
  readonly groups: Groups;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}

function optionsOf(all: string, groups: Groups["vendors"]) {
  const named = groups.filter(({ name }) => name !== "");
  return [
    { value: "", label: all },
    ...named.map(({ name, items }) => ({ value: name, label: texts.option(name, items) })),
  ];
}

function Filters({ storeId, groups, shown, onShow }: FiltersProps) {
  const { options: areas, codeOf } = useAreaOptions(storeId);
  const code = codeOf(shown.areaId);
  return (
    <>
      <fieldset
        className={classes.filters}
        style={{ border: 0, margin: 0, padding: 0 }}
        aria-label={texts.filters}
      >
        <NativeSelect
          label={texts.brand}
          data={optionsOf(texts.everyBrand, groups.vendors)}
          value={shown.vendor}
          onChange={(event) => onShow({ ...shown, vendor: event.currentTarget.value })}
        />
        <NativeSelect
          label={texts.type}
          data={optionsOf(texts.everyType, groups.productTypes)}
          value={shown.productType}
          onChange={(event) => onShow({ ...shown, productType: event.currentTarget.value })}
        />
        <NativeSelect
          label={texts.area}
          data={[{ value: "", label: texts.everyArea }, ...areas]}
          value={shown.areaId}
          onChange={(event) => onShow({ ...shown, areaId: event.currentTarget.value })}
        />
        <NativeSelect
          label={texts.state}
          data={NeverCountedState.options
            .toSorted((left, right) => Number(right === "unlisted") - Number(left === "unlisted"))
            .map((value) => ({ value, label: texts.states[value] }))}
          value={shown.state}
          onChange={(event) => {
            const state = NeverCountedState.options.find((each) => each === event.currentTarget.value);
            onShow({ ...shown, state: state ?? shown.state });
          }}
        />
        <TextInput
          label={texts.words}
          type="search"
          error={lengthProblem(texts.words, shown.words, limits.name)}
          value={shown.words}
          onChange={(event) => onShow({ ...shown, words: event.currentTarget.value })}
        />
      </fieldset>
      {code === null ? null : (
        <Text fz="sm" c="dimmed">
          {texts.areaNote(code)}
        </Text>
      )}
    </>
  );
}

interface BarProps {
  readonly shown: Shown;
  readonly total: number;
  /** What fits is still being read: the rows are those of the filter before. */
  readonly isReading: boolean;
  readonly skus: readonly string[];
  readonly choice: Ticking;
  readonly onMake: (material: Material) => void;
}

function Bar({ shown, total, isReading, skus, choice, onMake }: BarProps) {
  const { ticked } = choice;
  return (
    <TickedBar ticking={choice} shown={skus} most={limits.skusPerCall} tooMany={texts.tooMany}>
      {(isTooMany) => (
        <>
          {ticked.size === 0 ? null : (
            <Button
              size="sm"
              disabled={isTooMany}
              onClick={() => onMake({ kind: "skus", skus: [...ticked] })}
            >
              {texts.listSelected(ticked.size)}
            </Button>
          )}
          {shown.state !== "unlisted" || ticked.size > 0 ? null : (
            <Button
              size="sm"
              disabled={isReading}
              onClick={() => onMake({ kind: "every", shown, items: total })}
            >
              {texts.listAll(total)}
            </Button>
          )}
        </>
      )}
    </TickedBar>
  );
}

function Sums({ groups }: { readonly groups: Groups }) {
  return (
    <>
      {groups.items === 0 ? null : <Text>{texts.sums(groups.unlisted, groups.notThere)}</Text>}
      {groups.contradicted === 0 ? null : (
        <Notice kind="warning">{texts.contradicted(groups.contradicted)}</Notice>
      )}
    </>
  );
}

function madeText({ lists, leftOut, remaining }: Made): string {
  const { make } = messages;
  const made = lists.length === 0 ? make.none : make.made(lists.length);
  return `${made}${leftOut === 0 ? "" : make.leftOut(leftOut)}${remaining === 0 ? "" : make.remaining(remaining)}`;
}

interface ListedProps {
  readonly session: CountingSession;
  readonly shown: Shown;
  readonly onMake: (material: Material) => void;
  readonly choice: Ticking;
}

function Listed({ session, shown, choice, onMake }: ListedProps) {
  // The field says what is wrong; the rows of before stay.
  const enabled = lengthProblem(texts.words, shown.words, limits.name) === null;
  const query = useInfiniteQuery({ ...neverCountedQuery(session._id, shown), enabled });
  const { data, error, isPlaceholderData, refetch } = query;
  const first = data?.pages[0];
  if (data === undefined || first === undefined) {
    return error === null ? (
      <LoadingState />
    ) : (
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
    );
  }
  const rows = data.pages.flatMap((page) => page.rows);
  const total = first.total ?? rows.length;
  if (rows.length === 0) return <EmptyState title={texts.none}>{texts.noneText}</EmptyState>;
  return (
    <>
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      <Bar
        {...{ shown, total, choice, onMake }}
        isReading={isPlaceholderData}
        skus={rows.map(({ sku }) => sku)}
      />
      <ShowMore rowMessages={texts.rowMessages} shown={rows.length} total={total} query={query}>
        <NeverCountedRows rows={rows} currency={first.currency} ticking={choice} />
      </ShowMore>
    </>
  );
}

/** What Shopify has and nobody has counted so far, to make search lists of. */
export function NeverCounted({ session }: { readonly session: CountingSession }) {
  const groups = useQuery(neverCountedGroupsQuery(session._id));
  const [shown, setShown] = useState(atFirst);
  const deferred = useDeferredValue(shown);
  const [material, setMaterial] = useState<Material | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const choice = useTicking();
  useReadAgainOn("scan", queryRoots.searches, scansAgainMs);
  if (groups.data === undefined) {
    return groups.error === null ? (
      <LoadingState />
    ) : (
      <ErrorBox error={groups.error} fallback={messages.failed} onRetry={groups.refetch} />
    );
  }
  return (
    <Section title={texts.heading(countText(groups.data.items, "SKU", "SKUs"))}>
      <Stack gap="sm">
        <Sums groups={groups.data} />
        <SuccessMessage message={made === null ? null : madeText(made)} onClose={() => setMade(null)} />
        <Filters storeId={session.storeId._id} groups={groups.data} shown={shown} onShow={setShown} />
        <Listed session={session} shown={deferred} choice={choice} onMake={setMaterial} />
      </Stack>
      {material === null ? null : (
        <MakeListsDialog
          session={session}
          material={material}
          expectedIn={shown.areaId}
          onClose={() => setMaterial(null)}
          onMade={(answer) => {
            setMade(answer);
            setMaterial(null);
            choice.clear();
          }}
        />
      )}
    </Section>
  );
}
