import { Button, Group, NativeSelect, Switch, TextInput } from "@mantine/core";
import { messages } from "../messages.ts";
import type { Choose, ReportChoice } from "../report-choice.ts";
import classes from "../reports.module.css";
import { placeText } from "../summary/places.ts";
import { type ReportFilter, reportFilters, reportSorts } from "./report-filter.ts";
import { byMoneyAtStake, orderBy, rowColumns } from "./row-order.ts";

interface ChoiceProps {
  readonly choice: ReportChoice;
  readonly onChange: Choose;
}

interface ReportControlsProps extends ChoiceProps {
  /** The one that is used: the chosen one, or what the report shows by itself. */
  readonly filter: ReportFilter;
  /** How many products have variances that cancel each other out. */
  readonly nets: number;
}

function LayoutChoice({ choice, onChange }: ChoiceProps) {
  const { layout, layouts } = messages.controls;
  return (
    <NativeSelect
      label={layout}
      value={choice.rows === null ? "grouped" : "flat"}
      data={[
        { value: "grouped", label: layouts.grouped },
        { value: "flat", label: layouts.flat },
      ]}
      onChange={(event) => {
        const isFlat = event.currentTarget.value === "flat";
        onChange({ rows: isFlat ? byMoneyAtStake : null });
      }}
    />
  );
}

function SortChoice({ choice, onChange }: ChoiceProps) {
  const { sort, sorts, columns } = messages.controls;
  const { rows } = choice;
  if (rows === null) {
    return (
      <NativeSelect
        label={sort}
        value={choice.sort}
        data={reportSorts.map((value) => ({ value, label: sorts[value] }))}
        onChange={(event) => {
          const chosen = reportSorts.find((each) => each === event.currentTarget.value);
          onChange({ sort: chosen ?? "product" });
        }}
      />
    );
  }
  return (
    <NativeSelect
      label={sort}
      value={rows.column}
      data={rowColumns.map((value) => ({ value, label: columns[value] }))}
      onChange={(event) => {
        const chosen = rowColumns.find((each) => each === event.currentTarget.value);
        onChange({ rows: chosen === undefined ? byMoneyAtStake : orderBy(chosen) });
      }}
    />
  );
}

/** Which way round one list is; where there is room for a table its headings turn it too. */
function Direction({ choice, onChange }: ChoiceProps) {
  const { rows } = choice;
  if (rows === null) return null;
  const turned = { ...rows, descending: !rows.descending };
  return (
    <Button variant="default" size="sm" onClick={() => onChange({ rows: turned })}>
      {rows.descending ? messages.controls.descending : messages.controls.ascending}
    </Button>
  );
}

interface NarrowedProps {
  readonly text: string;
  readonly label: string;
  readonly onWiden: () => void;
}

function Narrowed({ text, label, onWiden }: NarrowedProps) {
  return (
    <Group gap="xs">
      <span className={classes.narrowed}>{text}</span>
      <Button variant="default" size="sm" onClick={onWiden}>
        {label}
      </Button>
    </Group>
  );
}

/** What a bar of a chart has narrowed the rows to. */
function ByBar({ choice: { place, sku }, onChange }: ChoiceProps) {
  const { atPlace, everywhere, onlySku, everySku } = messages.controls;
  return (
    <>
      {place === null ? null : (
        <Narrowed
          text={atPlace(placeText(place))}
          label={everywhere}
          onWiden={() => onChange({ place: null })}
        />
      )}
      {sku === null ? null : (
        <Narrowed text={onlySku(sku)} label={everySku} onWiden={() => onChange({ sku: null })} />
      )}
    </>
  );
}

function NetsSwitch({ choice, nets, onChange }: ChoiceProps & { readonly nets: number }) {
  if (nets === 0 && !choice.hideNets) return null;
  return (
    <Switch
      label={messages.controls.hideNets(nets)}
      checked={choice.hideNets}
      onChange={(event) => onChange({ hideNets: event.currentTarget.checked })}
    />
  );
}

export function ReportControls({ choice, filter: used, nets, onChange }: ReportControlsProps) {
  return (
    <>
      <div className={`${classes.controls} screen-only`}>
        <TextInput
          type="search"
          label={messages.controls.search}
          placeholder={messages.controls.searchHint}
          value={choice.search}
          onChange={(event) => onChange({ search: event.currentTarget.value })}
        />
        <NativeSelect
          label={messages.controls.filter}
          value={used}
          data={reportFilters.map((filter) => ({ value: filter, label: messages.controls.filters[filter] }))}
          onChange={(event) => {
            const chosen = reportFilters.find((filter) => filter === event.currentTarget.value);
            onChange({ filter: chosen ?? null });
          }}
        />
        <LayoutChoice choice={choice} onChange={onChange} />
        <SortChoice choice={choice} onChange={onChange} />
      </div>
      <Group gap="md" className="screen-only">
        <Direction choice={choice} onChange={onChange} />
        <NetsSwitch choice={choice} nets={nets} onChange={onChange} />
        <ByBar choice={choice} onChange={onChange} />
      </Group>
    </>
  );
}
