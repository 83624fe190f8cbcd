import { type CountSheet, limits, type SheetLine } from "@stocktake/contract";
import { dateText, dateTimeText } from "../../../ui/formats.ts";
import { messages } from "./messages.ts";
import classes from "./sheet-paper.module.css";

const { paper: texts } = messages;
const { sheetLinesPerPage: perPage } = limits;

/** On how many pages a sheet is printed. */
export function pagesOf({ products, blankLines }: Pick<CountSheet, "products" | "blankLines">): number {
  return Math.max(1, Math.ceil((products + blankLines) / perPage));
}

interface SheetPaperProps {
  /** The count that it is of: its store and its name. */
  readonly count: string;
  readonly begunAt: string;
  readonly sheet: CountSheet;
  readonly lines: readonly SheetLine[];
}

interface HeadingProps extends Omit<SheetPaperProps, "lines"> {
  readonly page: number;
}

function Heading({ count, begunAt, sheet, page }: HeadingProps) {
  const { number, area, printedAt } = sheet;
  return (
    <div className={classes.heading}>
      <div className={classes.names}>
        <div className={classes.area}>
          {area.code}
          {area.name === area.code ? null : <span className={classes.areaName}> {area.name}</span>}
        </div>
        <div>{area.locationName}</div>
        <div>
          {count}, {dateText(begunAt)}
        </div>
      </div>
      <div className={classes.numbers}>
        <h2 className={classes.number}>{texts.sheet(number)}</h2>
        <div>{texts.page(page, pagesOf(sheet))}</div>
        <div>{texts.printed(dateTimeText(printedAt))}</div>
      </div>
    </div>
  );
}

function Field({ label, isWide = false }: { label: string; isWide?: boolean }) {
  return (
    <div className={isWide ? `${classes.field} ${classes.wide}` : classes.field}>
      <span>{label}</span>
    </div>
  );
}

function Line({ number, line }: { number: number; line: SheetLine | undefined }) {
  return (
    <tr>
      <td className={classes.lineNumber}>{number}</td>
      <td>
        <div className={classes.title}>{line?.productTitle}</div>
        <div className={classes.size}>{line?.size}</div>
      </td>
      <td className={classes.code}>
        <div>{line?.code}</div>
      </td>
      <td className={classes.box}>
        <div />
      </td>
    </tr>
  );
}

/** A sheet as it is printed, page by page: names and codes, and boxes without any figure in them. */
export function SheetPaper({ count, begunAt, sheet, lines }: SheetPaperProps) {
  const pages = Array.from({ length: pagesOf(sheet) }, (_page, index) => index + 1);
  return pages.map((page) => (
    <section
      key={page}
      className={classes.page}
      aria-label={`${texts.sheet(sheet.number)}, ${texts.page(page, pages.length)}`}
    >
      <Heading {...{ count, begunAt, sheet, page }} />
      <div className={classes.fields}>
        <Field label={texts.name} isWide />
        <Field label={texts.date} />
        <Field label={texts.from} />
        <Field label={texts.until} />
        {page === 1 ? <Field label={texts.total} isWide /> : null}
      </div>
      <table className={classes.lines}>
        <thead>
          <tr>
            <th scope="col" className={classes.lineNumber}>
              {texts.line}
            </th>
            <th scope="col">{texts.product}</th>
            <th scope="col" className={classes.code}>
              {texts.code}
            </th>
            <th scope="col" className={classes.box}>
              {texts.counted}
            </th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: perPage }, (_line, index) => (page - 1) * perPage + index).map((at) => (
            <Line key={at} number={at + 1} line={lines[at]} />
          ))}
        </tbody>
      </table>
    </section>
  ));
}
