import type { Adjustment } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { coverageQuery } from "../../../http/coverage.ts";
import { shopifyLocationsQuery } from "../../../http/shared-queries.ts";
import { useSignedIn } from "../../../identity/identity.ts";
import { certificateText } from "../../../ui/certificates/coverage-text.ts";
import { signedMoneyText } from "../../../ui/figures/money-text.ts";
import { countText, dateTimeText, noneText, signedText, zoneText } from "../../../ui/formats.ts";
import { historyQuery, type Report } from "../api.ts";
import { activeIn, deployStateOf, pendingIn } from "../deploy/deploy-state.ts";
import { messages } from "../messages.ts";
import { type OpenAreas, useOpenAreas } from "../open-areas.ts";
import { figuresText, movingShare, neverCountedShare } from "../summary/report-shares.ts";
import { ReportSummary } from "../summary/report-summary.tsx";
import { costOfAll } from "../table/report-groups.ts";
import { coverMessages as texts } from "./messages.ts";
import classes from "./print-cover.module.css";
import { usePrinting } from "./use-printing.ts";

type Item = Report["items"][number];

/** Those with most units; with all of them, the signatures could end up on the second page. */
const namedCounters = 8;

/** "+12 units, +$30.00, plus 1 SKU without a cost": what these rows come to. */
function sumText(items: readonly Item[], currency: string): string {
  const units = items.reduce((sum, { variance }) => sum + variance, 0);
  const costs = items.flatMap(({ variance, unitCost }) =>
    unitCost === null ? [] : [{ units: variance, unitCost }],
  );
  const withoutCost = items.length - costs.length;
  const isUnknown = costs.length === 0 && withoutCost > 0;
  const money = signedMoneyText(isUnknown ? null : costOfAll(costs), currency);
  const rest = isUnknown || withoutCost === 0 ? "" : messages.totals.withoutCost(withoutCost);
  return `${texts.sum(signedText(units), money)}${rest}`;
}

/** "15 SKUs, +4, -81 units, -$29.80": over and short, as the screen has it. */
function neverCountedText(report: Report): string {
  const share = neverCountedShare(report);
  if (share.items === 0) return texts.none;
  const figures = figuresText(share, (value) => signedMoneyText(value, report.summary.currency));
  return `${countText(share.items, "SKU", "SKUs")}, ${figures}`;
}

function areasText({ cover, session }: Report, open: OpenAreas): string {
  const { openAreas } = session;
  const areas = cover?.areas ?? openAreas.length;
  if (areas === 0) return texts.noAreas;
  if (openAreas.length === 0) return texts.allClosed(areas);
  return texts.open(areas, open);
}

function countersText({ cover, items }: Report): string {
  const counters = cover?.counters ?? [];
  if (counters.length === 0) return texts.nobody;
  const named = counters.slice(0, namedCounters);
  const others = counters.slice(namedCounters);
  const units = others.reduce((sum, counter) => sum + counter.units, 0);
  const each = [
    ...named.map((counter) => texts.counter(counter.username, counter.units)),
    ...(others.length === 0 ? [] : [texts.moreCounters(others.length, units)]),
  ].join(", ");
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

/** What people call the Shopify location, as long as Shopify tells. */
function ShopifyLocation({ id, name }: { readonly id: string | undefined; readonly name: string | null }) {
  if (id === undefined || name === null) return id ?? noneText;
  return (
    <>
      {name} <span className={classes.note}>{id}</span>
    </>
  );
}

function comparisonText({ basis, session }: Report): string {
  const compared = texts.comparisons[basis];
  if (session.withoutEndStock !== true) return compared;
  return texts.withoutEndStock(basis === "end" ? null : compared);
}

interface WhereAndWhenProps extends PrintCoverProps {
  readonly open: OpenAreas;
  readonly locationName: string | null;
}

function WhereAndWhen({ report, open, locationName }: WhereAndWhenProps) {
  const { session, cover } = report;
  const { user } = useSignedIn();
  const now = new Date().toISOString();
  return (
    <>
      <Fact label={texts.printed}>{texts.printedBy(dateTimeText(now), user.username)}</Fact>
      <Fact label={texts.zone}>{zoneText(session.startedAt, session.endedAt ?? now, now)}</Fact>
      <Fact label={texts.store}>{session.storeId.name.trim() || messages.unknownStore}</Fact>
      <Fact label={texts.shopifyLocation}>
        <ShopifyLocation id={cover?.shopifyLocationId} name={locationName} />
      </Fact>
      <Fact label={texts.session}>{texts.sessionOf(session._id, session.scope === "partial")}</Fact>
      {session.name === undefined || session.name === null ? null : (
        <Fact label={texts.name}>{session.name}</Fact>
      )}
      {session.note === undefined || session.note === null ? null : (
        <Fact label={texts.note}>{session.note}</Fact>
      )}
      <Fact label={texts.started}>{dateTimeText(session.startedAt)}</Fact>
      <Fact label={texts.ended}>{dateTimeText(session.endedAt)}</Fact>
      <Fact label={texts.comparison}>{comparisonText(report)}</Fact>
      <Fact label={texts.counters}>{countersText(report)}</Fact>
      <Fact label={texts.areas}>{areasText(report, open)}</Fact>
    </>
  );
}

/** Whether nothing was left out, with the hash of the certificate that says so. */
function CertificateFact({ sessionId }: { readonly sessionId: string }) {
  const { data } = useQuery(coverageQuery(sessionId));
  if (data === undefined) return <Fact label={texts.coverage}>{noneText}</Fact>;
  return (
    <Fact label={texts.coverage}>
      {certificateText(data)}{" "}
      {data.certificate?.valid === true ? (
        <span className={classes.hash}>{data.certificate.hash}</span>
      ) : null}
    </Fact>
  );
}

/** "Nov 26, 2026, 2:03 AM by admin: 14 SKUs, +5, -21 units, -$87.40": what has moved; of before a rollback, when it was. */
function deployedText(report: Report, entries: readonly Adjustment[]): string | null {
  const active = activeIn(entries);
  if (!report.deployed) {
    const rolledBackAt = entries.find((entry) => entry.rolledBackAt !== null)?.rolledBackAt;
    return rolledBackAt ? dateTimeText(rolledBackAt) : null;
  }
  if (active === undefined) return null;
  const share = movingShare(report);
  const figures = figuresText(share, (value) => signedMoneyText(value, report.summary.currency));
  const moved = share.items === 0 ? texts.nothingMoved : texts.moved(share.items, figures);
  return texts.deployed(dateTimeText(active.appliedAt), active.appliedBy?.username ?? null, moved);
}

/** What has become of the count in Shopify, in the words of the report's own line, when, by whom and what it moved. */
function DeployFact({ report }: PrintCoverProps) {
  const { data: entries = [] } = useQuery(historyQuery(report.session._id));
  const isUnderway = pendingIn(entries) !== undefined;
  const state = deployStateOf(report, entries, isUnderway);
  const isSettled = !isUnderway && !entries.some((entry) => entry.rollingBack);
  const about = isSettled ? deployedText(report, entries) : null;
  return <Fact label={texts.state}>{about === null ? state : texts.stateOf(state, about)}</Fact>;
}

interface PrintCoverProps {
  readonly report: Report;
}

/** The first page of the printed report: what was counted where, when and by whom, what it came to, and who signs it. */
export function PrintCover({ report }: PrintCoverProps) {
  const printing = usePrinting();
  const open = useOpenAreas(report.session);
  // Asked for before anything is printed, as paper does not wait; but once, and not of Shopify with each report: names hardly change.
  const { data: locations = [] } = useQuery({
    ...shopifyLocationsQuery,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!printing) return null;
  const { items, summary, exceptions, auditHash } = report;
  const waiting = exceptions.unresolved + exceptions.late;
  const { currency } = summary;
  return (
    <div className={`${classes.cover} print-only`}>
      <p className={classes.title}>{texts.title}</p>
      <dl className={classes.facts}>
        <WhereAndWhen
          {...{ report, open }}
          locationName={locations.find(({ id }) => id === report.cover?.shopifyLocationId)?.name ?? null}
        />
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
        <Fact label={texts.neverCounted}>{neverCountedText(report)}</Fact>
        <Fact label={texts.exceptions}>
          {waiting === 0 ? texts.none : messages.notices.decisions(waiting)}
        </Fact>
        <DeployFact report={report} />
        <CertificateFact sessionId={report.session._id} />
        <Fact label={texts.auditHash}>
          <span className={classes.hash}>{auditHash ?? noneText}</span>
        </Fact>
      </dl>
      <p className={classes.subtitle}>{texts.totals}</p>
      <ReportSummary report={report} />
      <Signatures />
    </div>
  );
}
