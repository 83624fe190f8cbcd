import { Button, Checkbox, Text, Title } from "@mantine/core";
import type { CountAgainRow, PlaceToLook } from "@stocktake/contract";
import { moneyText } from "../figures/money-text.ts";
import { partsText, signedText } from "../formats.ts";
import type { Ticking } from "../ticking/ticking.ts";
import classes from "./count-again.module.css";
import { reasonText, countAgainMessages as texts } from "./count-again-messages.ts";

interface PlaceProps {
  readonly place: PlaceToLook;
  readonly onAsk: ((place: PlaceToLook) => void) | null;
}

function Place({ place, onAsk }: PlaceProps) {
  const { secondCount, units } = place;
  const state = secondCount === "possible" || secondCount === "none" ? null : texts.states[secondCount];
  return (
    <li className={classes.place}>
      <span>{partsText(texts.place(place), units === 0 ? null : texts.units(units), state)}</span>
      {onAsk === null || secondCount !== "possible" ? null : (
        <Button size="compact-sm" variant="default" onClick={() => onAsk(place)}>
          {texts.ask(place.code)}
        </Button>
      )}
    </li>
  );
}

interface RowProps extends Pick<PlaceProps, "onAsk"> {
  readonly row: CountAgainRow;
  readonly currency: string;
  /** Absent: nothing can be ticked. */
  readonly ticking?: Ticking | undefined;
}

function RowName({ row, ticking }: Pick<RowProps, "row" | "ticking">) {
  const name = (
    <>
      {partsText(row.productTitle, row.size)} <span className={classes.code}>{row.sku}</span>
    </>
  );
  if (ticking === undefined) return <Text fw={560}>{name}</Text>;
  return (
    <Checkbox
      label={name}
      aria-label={texts.tick(partsText(row.productTitle, row.size, row.sku))}
      checked={ticking.ticked.has(row.sku)}
      onChange={(event) => ticking.tick([row.sku], event.currentTarget.checked)}
      styles={{ label: { fontWeight: 560 } }}
    />
  );
}

function Row({ row, currency, onAsk, ticking }: RowProps) {
  const { areasLeftOut = 0 } = row;
  const money = row.atStake === null ? texts.unknownCost : texts.atStake(moneyText(row.atStake, currency));
  return (
    <li className={classes.row}>
      <RowName row={row} ticking={ticking} />
      <Text fz="sm" className="tabular">
        {texts.figures(row)} <strong>{signedText(row.difference)}</strong> ({money})
      </Text>
      <ul className={classes.reasons} aria-label={texts.reasonsOf(row.sku)}>
        {row.reasons.map((reason) => (
          <li key={reason.kind}>{reasonText(reason)}</li>
        ))}
      </ul>
      {row.areas.length === 0 ? (
        <Text fz="sm" c="dimmed" mt="xs">
          {texts.nowhere}
        </Text>
      ) : (
        <ul className={classes.places} aria-label={texts.placesOf(row.sku)}>
          {row.areas.map((place) => (
            <Place key={place._id} place={place} onAsk={onAsk} />
          ))}
          {areasLeftOut === 0 ? null : <li className={classes.place}>{texts.moreAreas(areasLeftOut)}</li>}
        </ul>
      )}
    </li>
  );
}

interface CountAgainRowsProps extends Pick<RowProps, "currency" | "onAsk" | "ticking"> {
  readonly rows: readonly CountAgainRow[];
  /** Of the whole list, of which `rows` may be the beginning. */
  readonly unknownCosts: number;
}

/** SKUs to be counted again, with all that speaks for it; those whose cost nobody knows are listed apart. */
export function CountAgainRows({ rows, unknownCosts, currency, onAsk, ticking }: CountAgainRowsProps) {
  const known = rows.filter(({ atStake }) => atStake !== null);
  const unknown = rows.filter(({ atStake }) => atStake === null);
  const listOf = (label: string, listed: readonly CountAgainRow[]) => (
    <ul className={classes.rows} aria-label={label}>
      {listed.map((row) => (
        <Row key={row.sku} row={row} currency={currency} onAsk={onAsk} ticking={ticking} />
      ))}
    </ul>
  );
  return (
    <>
      {known.length === 0 ? null : listOf(texts.title, known)}
      {unknown.length === 0 ? null : (
        <>
          <Title order={3} fz="1rem" mt="md" mb="xs">
            {texts.unknownHeading(unknownCosts)}
          </Title>
          {listOf(texts.unknownHeading(unknownCosts), unknown)}
        </>
      )}
    </>
  );
}
