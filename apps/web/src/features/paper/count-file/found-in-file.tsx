import { Button, List, Text } from "@mantine/core";
import { type BadRow, byteOrderMark, textCell } from "@stocktake/contract";
import { quantityText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { saveFile } from "../../../ui/saving/save-file.ts";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import type { Loaded, Preview } from "./file-loading.ts";
import { messages } from "./messages.ts";

const { figures } = messages;

interface Figure {
  readonly label: string;
  readonly rows: number;
}

function Figures({ label, figures: rows }: { label: string; figures: readonly Figure[] }) {
  return (
    <QuietTable
      label={label}
      rows={rows}
      keyOf={(figure) => figure.label}
      columns={[
        { header: label, cell: (figure) => figure.label },
        { header: messages.row, numeric: true, cell: (figure) => quantityText(figure.rows) },
      ]}
    />
  );
}

const namedAtMost = 100;

function csvOf(bad: readonly BadRow[]): string {
  const lines = bad.map(({ row, problem }) => `${row},"${textCell(problem).replaceAll('"', '""')}"`);
  return [`${byteOrderMark}row,problem`, ...lines].join("\r\n");
}

function BadRows({ bad }: { bad: readonly BadRow[] }) {
  if (bad.length === 0) return null;
  const save = () => saveFile(new Blob([csvOf(bad)], { type: "text/csv" }), messages.badFile);
  return (
    <Notice
      kind="error"
      title={messages.badTitle(bad.length)}
      action={
        bad.length > namedAtMost ? (
          <Button variant="default" size="sm" onClick={save}>
            {messages.saveBad}
          </Button>
        ) : undefined
      }
    >
      <List listStyleType="none">
        {bad.slice(0, namedAtMost).map(({ row, problem }) => (
          <List.Item key={row}>{messages.badLine(row, problem)}</List.Item>
        ))}
      </List>
      {bad.length > namedAtMost ? <div>{messages.badMore(bad.length - namedAtMost)}</div> : null}
    </Notice>
  );
}

const sometimes = (all: readonly Figure[]) => all.filter(({ rows }) => rows > 0);

/** What a file would come to, before anything is stored. */
export function FoundInFile({ preview }: { preview: Preview }) {
  const { bad, known, voided, counted, units, unresolved, codes, alike, alikeRows } = preview;
  const isNothingNew = counted + unresolved + alike === 0;
  return (
    <>
      <Figures
        label={messages.found}
        figures={[
          { label: figures.toCount(units), rows: counted },
          ...sometimes([
            { label: figures.unresolved, rows: unresolved },
            { label: figures.known, rows: known },
            { label: figures.voided, rows: voided },
            { label: figures.alike, rows: alike },
            { label: figures.bad, rows: bad.length },
          ]),
        ]}
      />
      {isNothingNew ? null : <Text fz="sm">{messages.unmeasuredTimes}</Text>}
      {codes.length === 0 ? null : <Text fz="sm">{messages.codes(codes, unresolved)}</Text>}
      {voided > 0 ? <Notice kind="warning">{messages.voidedAdvice}</Notice> : null}
      {known > 0 && counted + unresolved > 0 ? <Notice kind="info">{messages.knownAdvice}</Notice> : null}
      {alike > 0 ? (
        <Notice kind="warning" title={messages.alikeTitle(alike)}>
          {messages.alikeAdvice(alikeRows, alike)}
        </Notice>
      ) : null}
      {isNothingNew ? <Notice kind="info" role="status" title={messages.nothingNew} /> : null}
      <BadRows bad={bad} />
    </>
  );
}

/** What became of a file that was stored. */
export function LoadedFromFile({ loaded }: { loaded: Loaded }) {
  const { bad, known, counted, units, unresolved, late, alike } = loaded;
  return (
    <>
      <Notice kind="success" title={messages.done(units)} role="status" />
      <Figures
        label={messages.result}
        figures={[
          { label: figures.counted(units), rows: counted },
          ...sometimes([
            { label: figures.unresolved, rows: unresolved },
            { label: figures.late, rows: late },
            { label: figures.known, rows: known },
            { label: figures.alike, rows: alike },
            { label: figures.bad, rows: bad.length },
          ]),
        ]}
      />
      <BadRows bad={bad} />
    </>
  );
}
