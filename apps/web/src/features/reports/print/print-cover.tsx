import type { ReactNode } from "react";
import { dateTimeText, signedMoneyText, signedText } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { ReportSummary } from "../summary/report-summary.tsx";
import { isNotCounted } from "../table/report-filter.ts";
import { costOfAll } from "../table/report-groups.ts";
import { coverMessages as texts } from "./messages.ts";
import classes from "./print-cover.module.css";
import { usePrinting } from "./use-printing.ts";

type Item = Report["items"][number];

/** "+12 units, +$30.00": what these rows come to; their unknown costs are left out. */
function sumText(items: readonly Item[], currency: string): string {
  const units = items.reduce((sum, { variance }) => sum + variance, 0);
  const costs = items.flatMap(({ variance, unitCost }) =>
    unitCost === null ? [] : [{ units: variance, unitCost }],
  );
  return texts.sum(signedText(units), signedMoneyText(costOfAll(costs), currency));
}

function areasText({ cover, session: { openAreas } }: Report): string {
  const areas = cover?.areas ?? openAreas.length;
  if (areas === 0) return texts.noAreas;
  if (openAreas.length === 0) return texts.allClosed(areas);
  const names = openAreas.map(({ code, name }) => (code === name ? code : `${code} – ${name}`)).join(", ");
  return texts.open(areas, openAreas.length, names);
}

function countersText({ cover, items }: Report): string {
  const counters = cover?.counters ?? [];
  if (counters.length === 0) return texts.nobody;
  const each = counters.map(({ username, units }) => texts.counter(username, units)).join(", ");
  return items.some(({ manual }) => manual) ? `${each} – ${texts.countersOf}` : each;
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Signatures() {
  return (
    <ul className={classes.signatures}>
      {texts.signatures.map((label) => (
        <li key={label}>
          {label}
          <span className={classes.line} />
          <span className={classes.note}>{texts.signed}</span>
        </li>
      ))}
    </ul>
  );
}

function WhereAndWhen({ report }: { readonly report: Report }) {
  const { session, cover, basis } = report;
  return (
    <>
      <Fact label={texts.store}>{session.storeId.name.trim() || messages.unknownStore}</Fact>
      <Fact label={texts.shopifyLocation}>{cover?.shopifyLocationId ?? "–"}</Fact>
      <Fact label={texts.session}>{texts.sessionOf(session._id, session.scope === "partial")}</Fact>
      {session.name === undefined || session.name === null ? null : (
        <Fact label={texts.name}>{session.name}</Fact>
      )}
      {session.note === undefined || session.note === null ? null : (
        <Fact label={texts.note}>{session.note}</Fact>
      )}
      <Fact label={texts.started}>{dateTimeText(session.startedAt)}</Fact>
      <Fact label={texts.ended}>{dateTimeText(session.endedAt)}</Fact>
      <Fact label={texts.comparison}>{texts.comparisons[basis]}</Fact>
      <Fact label={texts.counters}>{countersText(report)}</Fact>
      <Fact label={texts.areas}>{areasText(report)}</Fact>
    </>
  );
}

/** The first page of the printed report: what was counted where, when and by whom, what it came to, and who signs it. */
export function PrintCover({ report }: { readonly report: Report }) {
  const printing = usePrinting();
  if (!printing) return null;
  const { items, summary, exceptions, deployed, auditHash } = report;
  const waiting = exceptions.unresolved + exceptions.late;
  const { currency } = summary;
  return (
    <div className={`${classes.cover} print-only`}>
      <p className={classes.title}>{texts.title}</p>
      <dl className={classes.facts}>
        <WhereAndWhen report={report} />
        <Fact label={texts.overages}>
          {sumText(
            items.filter(({ variance }) => variance > 0),
            currency,
          )}
        </Fact>
        <Fact label={texts.shortages}>
          {sumText(
            items.filter(({ variance }) => variance < 0),
            currency,
          )}
        </Fact>
        <Fact label={texts.neverCounted}>{sumText(items.filter(isNotCounted), currency)}</Fact>
        <Fact label={texts.exceptions}>
          {waiting === 0 ? texts.none : messages.notices.decisions(waiting)}
        </Fact>
        <Fact label={texts.state}>{deployed ? texts.deployed : texts.notDeployed}</Fact>
        <Fact label={texts.auditHash}>
          <span className={classes.hash}>{auditHash ?? "–"}</span>
        </Fact>
      </dl>
      <p className={classes.subtitle}>{texts.totals}</p>
      <ReportSummary summary={summary} />
      <Signatures />
    </div>
  );
}
