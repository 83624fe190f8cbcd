import { Box, Button } from "@mantine/core";
import { useState } from "react";
import { areaText } from "../../../ui/formats.ts";
import { SearchableList } from "../../../ui/search/searchable-list.tsx";
import { CountAgainDialog } from "../count-again-dialog.tsx";
import { messages } from "../messages.ts";
import { type AreaProgress, areaName } from "../progress-summary.ts";
import classes from "./area-list.module.css";
import { AreaState, canCountAgain } from "./area-state.tsx";

const { live, again } = messages;

interface AreaRowProps {
  readonly area: AreaProgress;
  readonly name: string;
  readonly onCountAgain: () => void;
}

function AreaRow({ area, name, onCountAgain }: AreaRowProps) {
  return (
    <li className={classes.area}>
      <span className={classes.name}>{name}</span>
      <AreaState area={area} />
      <span className={classes.again}>
        {canCountAgain(area) ? (
          <Button variant="subtle" size="sm" onClick={onCountAgain} aria-label={again.title(area.code)}>
            {again.confirm}
          </Button>
        ) : null}
      </span>
    </li>
  );
}

interface AreaListProps {
  readonly areas: readonly AreaProgress[];
  readonly onDone: (message: string) => void;
}

/** Every area of a running count, from which each is counted again by a click and a confirmation. */
export function AreaList({ areas, onDone }: AreaListProps) {
  const [asked, setAsked] = useState<AreaProgress | null>(null);
  const isOneLocation = new Set(areas.map(({ locationId }) => locationId)).size === 1;
  const nameOf = (area: AreaProgress) => (isOneLocation ? areaText(area.code, area.name) : areaName(area));
  if (areas.length === 0) return null;
  return (
    <Box role="group" aria-label={live.everyArea}>
      <SearchableList label={live.everyArea} rows={areas} textOf={areaName}>
        {(found) => (
          <Box className={classes.scroll ?? ""} tabIndex={0}>
            <ul className={classes.list}>
              {found.map((area) => (
                <AreaRow key={area._id} area={area} name={nameOf(area)} onCountAgain={() => setAsked(area)} />
              ))}
            </ul>
          </Box>
        )}
      </SearchableList>
      {asked === null ? null : (
        <CountAgainDialog
          area={asked}
          onDone={() => onDone(again.done(asked.code, asked.name))}
          onClose={() => setAsked(null)}
        />
      )}
    </Box>
  );
}
