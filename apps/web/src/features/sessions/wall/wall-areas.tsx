import { areaNaming } from "@stocktake/contract";
import { messages } from "../messages.ts";
import { type AreaProgress, isRecountOwed, recountText } from "../progress-summary.ts";
import classes from "./wall.module.css";

const { wall, areaStatus } = messages;
/** Of capitals and digits, by the height of the letters. */
const letterWidth = 0.62;

function stateText(area: AreaProgress): string {
  const state = recountText(area) ?? areaStatus[area.status];
  const isCounted = area.status === "in_progress" && area.usernames.length > 0;
  return isCounted ? `${state}: ${area.usernames.join(", ")}` : state;
}

interface ListProps {
  readonly areas: readonly AreaProgress[];
  readonly nameOf: (area: AreaProgress) => string;
}

function AtWork({ areas, nameOf }: ListProps) {
  if (areas.length === 0) return null;
  return (
    <ul className={classes.atWork} aria-label={messages.live.areas}>
      {areas.map((area) => (
        <li
          key={area._id}
          className={classes.area}
          data-status={isRecountOwed(area) ? "recount" : area.status}
        >
          <span className={classes.code}>{nameOf(area)}</span>
          <span>{stateText(area)}</span>
        </li>
      ))}
    </ul>
  );
}

/** As many columns as the longest name leaves room for, beside its edges and the mark of the closed ones. */
function columnsFor({ status, areas, nameOf }: CodesProps): string {
  const letters = Math.max(...areas.map((area) => nameOf(area).length)) + (status === "closed" ? 1.2 : 0);
  const width = `calc(${letterWidth * letters}em + var(--step))`;
  return `repeat(auto-fill, minmax(min(100%, ${width}), 1fr))`;
}

interface CodesProps extends ListProps {
  readonly status: "not_started" | "closed";
}

/** Areas of which there is nothing to say but their state, which all of them have. */
function Codes(props: CodesProps) {
  const { status, areas, nameOf } = props;
  if (areas.length === 0) return null;
  const heading = areaStatus[status];
  return (
    <section aria-label={heading}>
      <h2 className={classes.heading}>{wall.heading(heading, areas.length)}</h2>
      <ul className={classes.codes} style={{ gridTemplateColumns: columnsFor(props) }}>
        {areas.map((area) => (
          <li key={area._id} className={classes.area} data-status={status}>
            {nameOf(area)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Every area: what is to be done or is being done first, the closed ones last. */
export function WallAreas({ areas }: { readonly areas: readonly AreaProgress[] }) {
  const owed = areas.filter(isRecountOwed);
  const others = areas.filter((area) => !isRecountOwed(area));
  const withStatus = (status: AreaProgress["status"]) => others.filter((area) => area.status === status);
  const nameOf = areaNaming(areas);
  return (
    <>
      <AtWork areas={[...owed, ...withStatus("in_progress")]} nameOf={nameOf} />
      <Codes status="not_started" areas={withStatus("not_started")} nameOf={nameOf} />
      <Codes status="closed" areas={withStatus("closed")} nameOf={nameOf} />
    </>
  );
}
