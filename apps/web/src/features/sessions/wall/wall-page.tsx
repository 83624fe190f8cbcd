import { areaNaming, type CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { invitationsQuery, progressQuery, sessionsQuery } from "../../../http/shared-queries.ts";
import { keepScreenAwake } from "../../../scanner/wake-lock.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { noneText, partsText, quantityText, timeText } from "../../../ui/formats.ts";
import { PageHelp } from "../../../ui/help/page-help.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { countName } from "../../../ui/search/session-text.ts";
import { useNow } from "../../../ui/timers.ts";
import type { SessionProgress } from "../api.ts";
import { wallHelp } from "../help.ts";
import { messages } from "../messages.ts";
import { countingPeople, summarizeProgress, whereText } from "../progress-summary.ts";
import { asOnPhones } from "./as-on-phones.ts";
import { expectedEnd, hourlyPace, type Sample, withSample } from "./pace.ts";
import { Pages, useTurns } from "./pages.tsx";
import classes from "./wall.module.css";
import { WallAreas } from "./wall-areas.tsx";

const { live, wall } = messages;
/** Events tell what is counted; this is for the clock on the wall, and for a stream that was cut. */
const againEveryMs = 15_000;

/** Units an hour, as this page has seen them come. */
function usePace(scans: number, readAt: number): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => setSamples((before) => withSample(before, { at: readAt, scans })), [scans, readAt]);
  return hourlyPace(samples);
}

function Figure({ label, value, isWarning = false }: { label: string; value: string; isWarning?: boolean }) {
  return (
    <div className={classes.figure} data-warning={isWarning}>
      <div className={classes.value}>{value}</div>
      <div className={classes.label}>{label}</div>
    </div>
  );
}

function Figures({ session, progress, readAt }: WallProps) {
  const summary = summarizeProgress(progress);
  const seenPace = usePace(summary.scans, readAt);
  const isActive = session.status === "active";
  const pace = isActive ? seenPace : null;
  const end = isActive ? expectedEnd(session.startedAt, readAt, summary.areas, summary.closed) : null;
  return (
    <div className={classes.figures}>
      <Figure label={wall.closed} value={wall.of(summary.closed, summary.areas)} />
      <Figure label={wall.scans} value={quantityText(summary.scans)} />
      <Figure label={wall.pace} value={pace === null ? noneText : quantityText(pace)} />
      <Figure label={wall.end} value={end === null ? noneText : timeText(new Date(end).toISOString())} />
      <Figure label={wall.recounts} value={quantityText(summary.recounts)} isWarning={summary.recounts > 0} />
    </div>
  );
}

function People({ session, progress: { devices, areas } }: Pick<WallProps, "session" | "progress">) {
  const { data: invited = [] } = useQuery(invitationsQuery(session._id));
  const people = countingPeople(devices, invited);
  if (people.length === 0) return <p className={classes.note}>{live.nobody}</p>;
  return (
    <ul className={classes.people} aria-label={live.counters}>
      {people.map((person) => (
        <li key={person.username}>
          <span className={classes.name}>{person.username}</span>
          <span className={classes.where}>
            {whereText(person, areas, areaNaming(areas))}
            {person.pending === 0 ? "" : ` · ${live.notSent(person.pending)}`}
          </span>
          <span className={classes.count}>{quantityText(person.scans)}</span>
        </li>
      ))}
    </ul>
  );
}

interface WallProps {
  readonly session: CountingSession;
  readonly progress: SessionProgress;
  /** When the progress was read, in milliseconds since the epoch. */
  readonly readAt: number;
}

interface FooterProps {
  readonly turns: number;
  readonly areaPages: number;
  readonly peoplePages: number;
  readonly isPaused: boolean;
  readonly onPause: (isPaused: boolean) => void;
}

/** What the figures mean, and which pages are shown, with a way to keep them. */
function Footer({ turns, areaPages, peoplePages, isPaused, onPause }: FooterProps) {
  const pageOf = (label: string, pages: number) =>
    pages === 1 ? null : wall.page(label, (turns % pages) + 1, pages);
  const shown = partsText(pageOf(live.areas, areaPages), pageOf(wall.people, peoplePages));
  return (
    <footer className={classes.footer}>
      <span>{wall.scansMean}</span>
      {shown === "" ? null : (
        <span>
          {shown}{" "}
          <button type="button" className={classes.pause} onClick={() => onPause(!isPaused)}>
            {isPaused ? wall.goOn : wall.pause}
          </button>
        </span>
      )}
      <PageHelp title={wall.title} help={wallHelp} />
    </footer>
  );
}

function Wall(props: WallProps) {
  const { session, progress } = props;
  const [isPaused, setPaused] = useState(false);
  const turns = useTurns(isPaused);
  const [areaPages, setAreaPages] = useState(1);
  const [peoplePages, setPeoplePages] = useState(1);
  return (
    <>
      <Figures {...props} />
      {session.status === "active" ? null : <p className={classes.note}>{wall.ended}</p>}
      <div className={classes.sides}>
        <Pages turns={turns} onPages={setAreaPages} className={classes.twoColumns}>
          <WallAreas areas={progress.areas} />
        </Pages>
        <Pages turns={turns} onPages={setPeoplePages} className={classes.oneColumn}>
          <People session={session} progress={progress} />
        </Pages>
      </div>
      <Footer {...{ turns, areaPages, peoplePages, isPaused }} onPause={setPaused} />
    </>
  );
}

function SessionOnWall({ session }: { session: CountingSession }) {
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...progressQuery(session._id),
    refetchInterval: againEveryMs,
  });
  const now = useNow(againEveryMs);
  useEffect(() => keepScreenAwake(), []);
  return (
    <>
      <header className={classes.header}>
        <h1 className={classes.store}>{countName(session.storeId.name, session.name)}</h1>
        <div className={classes.clock}>{timeText(new Date(now).toISOString())}</div>
      </header>
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : (
        <Wall session={session} progress={asOnPhones(data)} readAt={dataUpdatedAt} />
      )}
    </>
  );
}

/** Which of several running sessions is shown. */
function WallChoice({ sessions }: { sessions: readonly CountingSession[] }) {
  return (
    <>
      <h1 className={classes.store}>{sessions.length === 0 ? messages.noActive : wall.choose}</h1>
      <ul className={classes.choices}>
        {sessions.map(({ _id, storeId, name }) => (
          <li key={_id}>
            <Link to={`/admin/wall?session=${encodeURIComponent(_id)}`}>{countName(storeId.name, name)}</Link>
          </li>
        ))}
      </ul>
      <footer className={classes.footer}>
        <Link to="/admin/sessions">{wall.back}</Link>
        <PageHelp title={wall.title} help={wallHelp} />
      </footer>
    </>
  );
}

/** For a screen in the stockroom: how far a count has come, to be read from five metres, without a figure of stock. */
export function WallPage() {
  const { data: sessions, error, refetch } = useQuery({ ...sessionsQuery, refetchInterval: againEveryMs });
  const [search] = useSearchParams();
  const active = sessions?.filter(({ status }) => status === "active") ?? [];
  const [only] = active.length === 1 ? active : [];
  const shown = sessions?.find(({ _id }) => _id === search.get("session")) ?? only;
  return (
    <main id="content" className={classes.wall} tabIndex={-1}>
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      {sessions === undefined && error === null ? <LoadingState /> : null}
      {shown === undefined ? null : <SessionOnWall key={shown._id} session={shown} />}
      {sessions !== undefined && shown === undefined ? <WallChoice sessions={active} /> : null}
    </main>
  );
}
