import { Button, Text } from "@mantine/core";
import type { CallAnswer, readSheet } from "@stocktake/contract";
import { ErrorBox } from "../../../../ui/error-box.tsx";
import { dateTimeText, noneText, partsText, quantityText } from "../../../../ui/formats.ts";
import { Notice } from "../../../../ui/notice.tsx";
import { Section } from "../../../../ui/section.tsx";
import { QuietTable } from "../../../../ui/tables/quiet-table.tsx";
import { useReturnSheet } from "../api.ts";
import { BadEntries } from "./bad-entries.tsx";
import { entriesOf } from "./draft.ts";
import { KeyedTwice } from "./keyed-twice.tsx";
import { messages } from "./messages.ts";

type Whole = CallAnswer<typeof readSheet>;

interface KeyedRow {
  readonly key: string;
  readonly product: string;
  readonly code: string;
  readonly quantity: number;
}

function rowsOf({ lines, entries }: Whole): KeyedRow[] {
  const ofLines = (entries?.lines ?? []).map(({ line, quantity }, at) => {
    const printed = lines.find((each) => each.line === line);
    const product = printed === undefined ? "" : partsText(printed.productTitle, printed.size);
    return { key: `line ${at}`, product, code: printed?.code ?? "", quantity };
  });
  const others = (entries?.others ?? []).map(({ code, quantity }, at) => {
    return { key: `other ${at}`, product: "", code, quantity };
  });
  return [...ofLines, ...others];
}

/** Of a storing that broke off: the way to end it. */
function StoreRest({ sessionId, whole: { sheet, entries } }: { sessionId: string; whole: Whole }) {
  const back = useReturnSheet(sessionId, sheet.number);
  const again = () => {
    if (entries !== null)
      back.send({ declaredTotal: sheet.keyed?.declaredTotal ?? null, ...entriesOf(entries) });
  };
  return (
    <>
      <ErrorBox error={back.error} fallback={messages.saveFailed} />
      <BadEntries bad={back.data?.bad ?? []} isOut={false} />
      <Notice
        kind="warning"
        title={messages.unstored}
        action={
          <Button size="sm" onClick={again} disabled={back.isPending}>
            {messages.storeRest}
          </Button>
        }
      >
        {messages.unstoredText}
      </Notice>
    </>
  );
}

/** A sheet that was keyed: who keyed it, and what. */
export function ReturnedSheet({ sessionId, whole }: { sessionId: string; whole: Whole }) {
  const { sheet, entries } = whole;
  const { keyed } = sheet;
  return (
    <>
      <Notice
        kind="info"
        title={messages.returned(dateTimeText(sheet.returnedAt), sheet.returnedBy?.username ?? noneText)}
      >
        {messages.returnedText}
      </Notice>
      <KeyedTwice sessionId={sessionId} sheet={sheet} entries={entries} />
      {keyed?.isStored === false ? <StoreRest sessionId={sessionId} whole={whole} /> : null}
      <Section title={messages.heading}>
        {keyed === null ? null : <Text>{messages.was(keyed.units, keyed.declaredTotal)}</Text>}
        <QuietTable
          label={messages.heading}
          rows={rowsOf(whole)}
          keyOf={({ key }) => key}
          columns={[
            { header: messages.product, cell: ({ product }) => product },
            { header: messages.code, cell: ({ code }) => code },
            { header: messages.counted, numeric: true, cell: ({ quantity }) => quantityText(quantity) },
          ]}
        />
      </Section>
    </>
  );
}
