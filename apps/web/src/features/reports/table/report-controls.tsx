import { NativeSelect, TextInput } from "@mantine/core";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";
import { type ReportFilter, type ReportSort, reportFilters, reportSorts } from "./report-filter.ts";

/** What of the report is shown, and in which order. */
export interface ReportChoice {
  readonly filter: ReportFilter;
  readonly search: string;
  readonly sort: ReportSort;
}

export const firstChoice: ReportChoice = { filter: "variances", search: "", sort: "product" };

interface ReportControlsProps {
  readonly choice: ReportChoice;
  readonly onChange: (choice: ReportChoice) => void;
}

export function ReportControls({ choice, onChange }: ReportControlsProps) {
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
        value={choice.filter}
        data={reportFilters.map((filter) => ({ value: filter, label: messages.controls.filters[filter] }))}
        onChange={(event) => {
          const chosen = reportFilters.find((filter) => filter === event.currentTarget.value);
          onChange({ ...choice, filter: chosen ?? firstChoice.filter });
        }}
      />
      <NativeSelect
        label={messages.controls.sort}
        value={choice.sort}
        data={reportSorts.map((sort) => ({ value: sort, label: messages.controls.sorts[sort] }))}
        onChange={(event) => {
          const chosen = reportSorts.find((sort) => sort === event.currentTarget.value);
          onChange({ ...choice, sort: chosen ?? firstChoice.sort });
        }}
      />
    </div>
  );
}
