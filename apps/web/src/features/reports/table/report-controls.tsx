import { NativeSelect, TextInput } from "@mantine/core";
import { messages } from "../messages.ts";
import type { ReportChoice } from "../report-choice.ts";
import classes from "../reports.module.css";
import { type ReportFilter, reportFilters, reportSorts } from "./report-filter.ts";

interface ReportControlsProps {
  readonly choice: ReportChoice;
  /** The one that is used: the chosen one, or what the report shows by itself. */
  readonly filter: ReportFilter;
  readonly onChange: (choice: ReportChoice) => void;
}

export function ReportControls({ choice, filter: used, onChange }: ReportControlsProps) {
  return (
    <div className={`${classes.controls} screen-only`}>
      <TextInput
        type="search"
        label={messages.controls.search}
        placeholder={messages.controls.searchHint}
        value={choice.search}
        onChange={(event) => onChange({ ...choice, search: event.currentTarget.value })}
      />
      <NativeSelect
        label={messages.controls.filter}
        value={used}
        data={reportFilters.map((filter) => ({ value: filter, label: messages.controls.filters[filter] }))}
        onChange={(event) => {
          const chosen = reportFilters.find((filter) => filter === event.currentTarget.value);
          onChange({ ...choice, filter: chosen ?? null });
        }}
      />
      <NativeSelect
        label={messages.controls.sort}
        value={choice.sort}
        data={reportSorts.map((sort) => ({ value: sort, label: messages.controls.sorts[sort] }))}
        onChange={(event) => {
          const chosen = reportSorts.find((sort) => sort === event.currentTarget.value);
          onChange({ ...choice, sort: chosen ?? "product" });
        }}
      />
    </div>
  );
}
