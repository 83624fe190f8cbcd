import { Box, Text } from "@mantine/core";
import { areaText } from "../../../ui/formats.ts";
import { SearchableList } from "../../../ui/search/searchable-list.tsx";
import { type EarlierCount, useLastCounts } from "../earlier/earlier-counts.ts";
import { messages } from "../messages.ts";
import { type AreaProgress, areaName, recountText } from "../progress-summary.ts";
import { AreaActions } from "./area-actions.tsx";
import { AreaState } from "./area-state.tsx";
import classes from "./live.module.css";

const { live } = messages;

interface AreaRowProps {
  readonly area: AreaProgress;
  readonly name: string;
  readonly last: EarlierCount | undefined;
  readonly onDone: (message: string) => void;
}

function AreaRow({ area, name, last, onDone }: AreaRowProps) {
  return (
    <li className={classes.area}>
      <span className={classes.name}>{name}</span>
      <AreaState area={area} />
      <span className={classes.again}>
        <AreaActions area={area} last={last} variant="subtle" onDone={onDone} />
      </span>
    </li>
  );
}

/** What the words beside areas that are to be counted again mean, where they are in sight. */
function RecountWords({ areas }: { readonly areas: readonly AreaProgress[] }) {
  const shown = new Set(areas.map(recountText));
  const { needed, requested } = messages.recountMessages;
  const words = [
    ...(shown.has(messages.recount) ? [needed] : []),
    ...(shown.has(messages.recountRequested) ? [requested] : []),
  ];
  if (words.length === 0) return null;
  return (
    <Text c="dimmed" fz="xs" mt={4}>
      {words.join(" ")}
    </Text>
  );
}

/** A list that is only a little longer than the frame would scroll by a line, and hide that there is one. */
const unscrolledRows = 8;

/** Whoever has no mouse scrolls by the keys, so what scrolls takes the focus. */
function frameOf(rows: number) {
  return rows > unscrolledRows
    ? { className: classes.scroll ?? "", tabIndex: 0 }
    : { className: classes.whole ?? "" };
}

interface AreaListProps {
  readonly sessionId: string;
  readonly areas: readonly AreaProgress[];
  readonly onDone: (message: string) => void;
}

/** Every area of a running count, from which each is counted again, or given back its last count, by two clicks. */
export function AreaList({ sessionId, areas, onDone }: AreaListProps) {
  const last = useLastCounts(sessionId);
  const isOneLocation = new Set(areas.map(({ locationId }) => locationId)).size === 1;
  const nameOf = (area: AreaProgress) => (isOneLocation ? areaText(area.code, area.name) : areaName(area));
  if (areas.length === 0) return null;
  return (
    <Box role="group" aria-label={live.everyArea}>
      <SearchableList label={live.everyArea} rows={areas} textOf={areaName}>
        {(found) => (
          <Box {...frameOf(found.length)}>
            <ul className={classes.list} data-restores={last.size > 0}>
              {found.map((area) => (
                <AreaRow
                  key={area._id}
                  area={area}
                  name={nameOf(area)}
                  last={last.get(area._id)}
                  onDone={onDone}
                />
              ))}
            </ul>
          </Box>
        )}
      </SearchableList>
      <RecountWords areas={areas} />
    </Box>
  );
}
