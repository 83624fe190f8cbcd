import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import { openAreasText, useOpenAreas } from "../open-areas.ts";
import { neverCountedShare } from "../summary/report-shares.ts";
import { type Choices, needsTyping, type Previewed, searchedOf } from "./consequences.ts";
import { MovedAfterCount } from "./moved-after-count.tsx";
import { SearchedNotices } from "./searched.tsx";
import { SkippedRows } from "./skipped-rows.tsx";
import { uncountedText } from "./zeroing.tsx";

/** What becomes of what was never counted, by what is chosen now. */
function outcomeOf({ zeroed }: Previewed["preview"], { zero }: Choices): string {
  if (zeroed !== "by_choice") return "Every area was closed, so they will be set to zero.";
  return zero
    ? "They will be set to zero, as you chose below."
    : "They will stay as they are unless you choose otherwise below.";
}

function Uncounted({ report, preview, choices }: Previewed & { readonly choices: Choices }) {
  const { uncounted } = preview;
  if (uncounted.items === 0 || needsTyping(preview)) return null;
  const what = uncountedText(uncounted, report.summary.currency);
  // The report's figure has those too that no deploy can move, such as a bundle.
  const others = neverCountedShare(report).items - uncounted.items - searchedOf(preview).items;
  return (
    <Notice kind="warning" title={messages.deployDialog.neverCounted}>
      {`${what}. ${outcomeOf(preview, choices)}`}
      {others > 0 ? ` ${messages.deployDialog.uncountedLeftOut(others)}` : null}
    </Notice>
  );
}

function OpenAreas({ report }: Pick<Previewed, "report">) {
  const open = useOpenAreas(report.session);
  const text = openAreasText(open);
  if (text === null) return null;
  return (
    <Notice
      kind="warning"
      title={open.neverClosed.count > 0 ? messages.deployDialog.openAreas : messages.deployDialog.onPurpose}
    >
      {text}.
    </Notice>
  );
}

/** What to heed before a deploy is confirmed. */
export function PreviewNotices({ choices, ...given }: Previewed & { readonly choices: Choices }) {
  const { found, shopifyAsked } = given.preview;
  const stocked = new Set(choices.stock ? found.skus : []);
  const skipped = given.preview.skipped.filter(({ sku }) => !stocked.has(sku));
  return (
    <>
      <MovedAfterCount report={given.report} />
      <Uncounted {...given} choices={choices} />
      <SearchedNotices {...given} />
      <OpenAreas report={given.report} />
      <SkippedRows title={messages.deployDialog.skipped(skipped.length)} skipped={skipped} />
      {shopifyAsked ? null : <Notice kind="info">{messages.deployDialog.notAsked}</Notice>}
    </>
  );
}
