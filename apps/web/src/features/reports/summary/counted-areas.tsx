import { Button, Stack, Text } from "@mantine/core";
import type { CountedArea } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Loaded } from "../../../ui/drawing/loaded.tsx";
import { moneyText } from "../../../ui/figures/money-text.ts";
import { partsText, quantityText } from "../../../ui/formats.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";
import { type AreaFigures, areaFigures } from "./area-figures.ts";
import { countedAreasQuery } from "./counted-areas-query.ts";
import { foundIn } from "./places.ts";

const { countedAreas: texts } = messages;
const shownAtFirst = 10;

interface CountedAreasProps {
  readonly report: Report;
  /** Shows the rows of a place. */
  readonly onPlace: (place: string) => void;
}

interface AreaNameProps extends Pick<CountedAreasProps, "onPlace"> {
  readonly area: AreaFigures;
}

function AreaName({ area: { name, codes, locations, varying }, onPlace }: AreaNameProps) {
  return (
    <div>
      {varying === 0 ? (
        name
      ) : (
        <button type="button" className={classes.rowsOf} onClick={() => onPlace(foundIn(name))}>
          {name}
        </button>
      )}
      <div className={classes.note}>{partsText(codes.join(", "), locations.join(", "))}</div>
    </div>
  );
}

function shareText({ varying, skus, codes }: AreaFigures): string {
  // Of areas that share a name the rows are told once, and what was counted in each is not.
  if (codes.length > 1) return quantityText(varying);
  return texts.share(quantityText(varying), quantityText(skus), skus === 0 ? 0 : varying / skus);
}

function stakeText({ atStake, unknown, varying }: AreaFigures, currency: string): string {
  if (varying > 0 && unknown === varying) return texts.unknown(unknown);
  const money = moneyText(atStake, currency);
  return unknown === 0 ? money : `${money}, ${texts.unknown(unknown)}`;
}

const paceColumn = {
  header: texts.pace,
  cell: ({ fast }: AreaFigures) =>
    fast === null ? null : (
      <div>
        <StatusBadge tone="warning">{texts.fastArea}</StatusBadge>
        <div className={classes.note}>{texts.fast(fast)}</div>
      </div>
    ),
};

interface AreaTableProps extends CountedAreasProps {
  readonly counted: readonly CountedArea[];
}

function AreaTable({ report, counted, onPlace }: AreaTableProps) {
  const areas = useMemo(() => areaFigures(report.items, counted), [report.items, counted]);
  const [isAll, setAll] = useState(false);
  if (areas.length === 0) return null;
  const shown = isAll ? areas : areas.slice(0, shownAtFirst);
  const more = areas.length - shown.length;
  const { currency } = report.summary;
  return (
    <Stack gap="xs">
      <h3 className={classes.partHeading}>{texts.heading}</h3>
      <Text fz="sm" c="dimmed">
        {texts.intro}
      </Text>
      <QuietTable
        label={texts.heading}
        rows={shown}
        keyOf={({ name }) => name}
        columns={[
          { header: texts.area, cell: (area) => <AreaName area={area} onPlace={onPlace} /> },
          { header: texts.varying, numeric: true, cell: shareText },
          { header: texts.atStake, numeric: true, cell: (area) => stakeText(area, currency) },
          // Of the others it may be unknown too, so that nothing is said of them.
          ...(areas.some(({ fast }) => fast !== null) ? [paceColumn] : []),
        ]}
      />
      {more === 0 ? null : (
        <div>
          <Button variant="default" size="sm" onClick={() => setAll(true)}>
            {texts.more(quantityText(more))}
          </Button>
        </div>
      )}
    </Stack>
  );
}

/** How well each area was counted, the most money at stake first; each leads to its rows. */
export function CountedAreas({ report, onPlace }: CountedAreasProps) {
  const query = useQuery(countedAreasQuery(report.session._id));
  return (
    <Loaded query={query} fallback={texts.failed} quiet>
      {(counted) => <AreaTable report={report} counted={counted} onPlace={onPlace} />}
    </Loaded>
  );
}
