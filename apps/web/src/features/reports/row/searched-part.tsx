import { SearchAnswers } from "../../../ui/searches/search-answers.tsx";
import type { Report } from "../api.ts";
import { searched as texts } from "../table/messages.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";

interface SearchedPartProps {
  readonly report: Report;
  readonly explanation: Explanation;
}

/** Who looked for it and said what of it; where people differ, it is decided here until the report is deployed. */
export function SearchedPart({ report, explanation: { item, searched } }: SearchedPartProps) {
  if (searched === undefined || searched.answers.length === 0) return null;
  return (
    <ExplanationPart heading={texts.heading}>
      <SearchAnswers
        sessionId={report.session._id}
        sku={item.sku}
        history={searched}
        locked={report.deployed}
      />
    </ExplanationPart>
  );
}
