import { Checkbox, Stack } from "@mantine/core";
import type { SearchedStock, ZeroedStock } from "@stocktake/contract";
import { moneyText } from "../../../ui/figures/money-text.ts";
import { countText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import type { Report } from "../api.ts";
import { searched as texts } from "../table/messages.ts";
import { isNotCounted } from "../table/report-filter.ts";
import { type Choices, keyOfWord, onOneWord, type Previewed, searchedOf } from "./consequences.ts";

function stockText({ items, units, cost, withoutCost }: ZeroedStock, currency: string): string {
  const what = `${countText(items, "SKU", "SKUs")} with ${countText(units, "unit", "units")} on hand`;
  if (withoutCost === items) return `${what}, ${texts.unknownWorth}`;
  const unknown = withoutCost === 0 ? "" : texts.withoutCost(withoutCost);
  return `${what}, worth ${moneyText(cost, currency)}${unknown}`;
}

/** "Ada: 12 SKUs, Ben: 3 SKUs". */
function peopleText({ people }: SearchedStock): string {
  return texts.lookedBy(people.map(({ username, items }) => texts.looked(username, items)).join(", "));
}

function contradictedIn({ items }: Report): number {
  return items.filter((item) => item.search === "contradicted" && isNotCounted(item)).length;
}

/** What becomes of what was searched for, and that contradictions count as not searched for. */
export function SearchedNotices({ report, preview }: Previewed) {
  const searched = searchedOf(preview);
  const contradicted = contradictedIn(report);
  const mayBeThere = preview.skipped.filter(({ reason }) => reason === "NOT_COUNTED").length;
  return (
    <>
      {searched.items === 0 || preview.zeroed === "by_choice" ? null : (
        <Notice kind="info" title={texts.title}>
          {texts.zeroed(stockText(searched, report.summary.currency))} {peopleText(searched)}
        </Notice>
      )}
      {mayBeThere === 0 ? null : <Notice kind="warning">{texts.mayBeThere(mayBeThere)}</Notice>}
      {contradicted === 0 ? null : <Notice kind="warning">{texts.contradicted(contradicted)}</Notice>}
    </>
  );
}

interface SearchedChoiceProps extends Previewed {
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
}

/** Zeroes what was searched for alone: without a number, as somebody has looked. */
export function SearchedChoice({ report, preview, choices, onChoose }: SearchedChoiceProps) {
  const searched = searchedOf(preview);
  if (searched.items === 0 || preview.zeroed === "always") return null;
  return (
    <Checkbox
      label={texts.label}
      description={`${texts.note(stockText(searched, report.summary.currency))} ${peopleText(searched)}`}
      checked={choices.searched || choices.zero}
      disabled={choices.zero}
      onChange={(event) => onChoose({ ...choices, searched: event.currentTarget.checked })}
    />
  );
}

/** What goes to zero on the word of one temporary counter alone, and is much: each to be agreed to before anything is deployed. */
export function OnOneWord({ preview, choices, onChoose }: Omit<SearchedChoiceProps, "report">) {
  const words = onOneWord(preview, choices);
  if (words.length === 0) return null;
  const agree = (key: string, isAgreed: boolean) => {
    const others = choices.agreed.filter((each) => each !== key);
    onChoose({ ...choices, agreed: isAgreed ? [...others, key] : others });
  };
  return (
    <Notice kind="warning" title={texts.wordTitle}>
      <Stack gap="xs">
        <div>{texts.wordNote}</div>
        {words.map((word) => (
          <Checkbox
            key={keyOfWord(word)}
            label={texts.word(word.username, word.items, word.units)}
            checked={choices.agreed.includes(keyOfWord(word))}
            onChange={(event) => agree(keyOfWord(word), event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </Notice>
  );
}
