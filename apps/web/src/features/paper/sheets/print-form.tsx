import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { groupBy, limits, printSheets, SheetOrder } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { progressQuery } from "../../../http/shared-queries.ts";
import { sheetsPath } from "../../../http/sheets.ts";
import { PlaceAreas } from "../../../ui/areas/area-places.tsx";
import { useContractForm } from "../../../ui/contract-form.ts";
import { ErrorBox, ErrorMessage } from "../../../ui/error-box.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { SearchableList } from "../../../ui/search/searchable-list.tsx";
import { Section } from "../../../ui/section.tsx";
import { usePrintSheets } from "./api.ts";
import { messages } from "./messages.ts";

const { print: texts } = messages;

interface AreaChoiceProps {
  readonly sessionId: string;
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (ids: readonly string[], on: boolean) => void;
}

function AreaChoice({ sessionId, chosen, onToggle }: AreaChoiceProps) {
  const { data, error, refetch } = useQuery(progressQuery(sessionId));
  if (data === undefined) return <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />;
  if (data.areas.length === 0) return <Text>{texts.none}</Text>;
  return (
    <SearchableList
      label={texts.areas}
      rows={data.areas}
      textOf={({ code, name, locationName }) => `${code} ${name} ${locationName}`}
    >
      {(found) =>
        [...groupBy(found, ({ locationId }) => locationId)].map(([_id, areas]) => (
          <PlaceAreas
            key={_id}
            location={{ _id, name: areas[0]?.locationName ?? "" }}
            {...{ areas, chosen, onToggle }}
          />
        ))
      }
    </SearchableList>
  );
}

/** Those of the chosen areas in which something is counted already: what is keyed from their sheets is added to it. */
function BegunAreas({ sessionId, chosen }: Pick<AreaChoiceProps, "sessionId" | "chosen">) {
  const { data } = useQuery(progressQuery(sessionId));
  const begun = (data?.areas ?? []).filter(({ _id, status }) => status === "in_progress" && chosen.has(_id));
  if (begun.length === 0) return null;
  return (
    <Notice kind="warning" title={texts.begun(begun.map(({ code }) => code))}>
      {texts.begunText}
    </Notice>
  );
}

interface PrintEntry {
  readonly order: SheetOrder;
  readonly blankPages: string;
}

/** Typed pages as a number; NaN, which is refused, for anything but a few digits. */
const readPages = (typed: string) => (/^\d{1,3}$/.test(typed.trim()) ? Number(typed) : Number.NaN);

/** Chooses areas and makes their sheets; then they are shown as they will be printed. */
export function PrintForm({ sessionId }: { sessionId: string }) {
  const print = usePrintSheets(sessionId);
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const bodyOf = ({ order, blankPages }: PrintEntry) => ({
    areaIds: [...chosen],
    order,
    blankPages: readPages(blankPages),
  });
  const form = useContractForm<PrintEntry>({
    initialValues: { order: "walk", blankPages: "0" },
    schema: printSheets.body,
    bodyOf,
    refused: { blankPages: () => texts.blankPagesProblem(limits.sheetBlankPages) },
    live: true,
  });
  const isTooMany = chosen.size > limits.sheetAreas;
  const toggle = (ids: readonly string[], on: boolean) =>
    setChosen((before) => new Set([...[...before].filter((id) => !ids.includes(id)), ...(on ? ids : [])]));
  const submit = form.onSubmit((entry) =>
    print.send(bodyOf(entry), ({ sheets }) => {
      const [from, to] = [sheets[0]?.number ?? 0, sheets.at(-1)?.number ?? 0];
      void navigate(`${sheetsPath(sessionId)}/print?from=${from}&to=${to}`);
    }),
  );
  return (
    <Section title={texts.heading}>
      <Text maw="48rem">{texts.intro}</Text>
      <form onSubmit={submit} noValidate>
        <Group gap="sm" align="flex-start">
          <AreaChoice sessionId={sessionId} chosen={chosen} onToggle={toggle} />
        </Group>
        <Group gap="sm" align="flex-end" my="sm">
          <NativeSelect
            label={texts.order}
            data={SheetOrder.options.map((value) => ({ value, label: texts.orders[value] }))}
            {...form.getInputProps("order")}
          />
          <TextInput
            label={texts.blankPages}
            description={texts.blankPagesNote}
            inputMode="numeric"
            {...form.getInputProps("blankPages")}
          />
        </Group>
        <BegunAreas {...{ sessionId, chosen }} />
        {isTooMany ? <ErrorMessage message={texts.tooMany(limits.sheetAreas)} /> : null}
        <Button type="submit" disabled={!form.isValid() || print.isPending}>
          {print.isPending ? texts.busy : texts.submit(chosen.size)}
        </Button>
        <ErrorBox error={print.error} fallback={texts.failed} />
      </form>
    </Section>
  );
}
