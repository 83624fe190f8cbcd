import { Group, TextInput } from "@mantine/core";
import { type CallAnswer, limits, type lookUpCode } from "@stocktake/contract";
import { useQueries } from "@tanstack/react-query";
import { partsText } from "../../../../ui/formats.ts";
import { codeQuery } from "../api.ts";
import { type SheetDraft, unitsIn } from "./draft.ts";
import classes from "./keying.module.css";
import { messages } from "./messages.ts";
import { step } from "./step-on.ts";

type Other = SheetDraft["others"][number];

/** What a code came to; `failed` where nobody could say. */
export type FoundCode = CallAnswer<typeof lookUpCode> | "failed";

/** What the codes on blank lines mean, but for the one that is being typed. */
export function useFoundCodes(
  sessionId: string,
  others: readonly Other[],
  typing: number | null,
): ReadonlyMap<string, FoundCode> {
  const settled = others.map(({ code }, at) => (at === typing ? "" : code.trim()));
  const codes = [...new Set(settled)].filter((code) => code !== "" && code.length <= limits.countCell);
  const answers = useQueries({ queries: codes.map((code) => codeQuery(sessionId, code)) });
  return new Map(
    codes.flatMap((code, at): [string, FoundCode][] => {
      const answer = answers[at];
      if (answer?.data !== undefined) return [[code, answer.data]];
      return answer?.isError === true ? [[code, "failed"]] : [];
    }),
  );
}

function Found({ found }: { found: FoundCode | undefined }) {
  if (found === undefined) return null;
  if (found === "failed") return <span className={classes.problem}>{messages.lookUpFailed}</span>;
  const { problem, match, product, units } = found;
  if (problem !== null) return <span className={classes.problem}>{problem}</span>;
  if (product === null) {
    return <span className={classes.warning}>{match === "several" ? messages.several : messages.none}</span>;
  }
  const name = partsText(product.productTitle, product.size);
  return <span>{units === 1 ? name : messages.pack(name, units)}</span>;
}

interface OtherLineProps {
  readonly row: number;
  readonly other: Other;
  readonly found: FoundCode | undefined;
  readonly onChange: (change: Partial<Other>) => void;
  readonly onTyping: (isTyping: boolean) => void;
}

function quantityProblem({ code, quantity }: Other): string | null {
  if (unitsIn(quantity) === undefined) return messages.wrong;
  return code.trim() !== "" && quantity.trim() === "" ? messages.missing : null;
}

function OtherLine({ row, other, found, onChange, onTyping }: OtherLineProps) {
  const isEmpty = other.code.trim() === "" && other.quantity.trim() === "";
  return (
    <li>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          {...step}
          className={classes.codeField ?? ""}
          aria-label={messages.codeOf(row)}
          placeholder={messages.code}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={other.code}
          error={other.code.trim() === "" && !isEmpty ? messages.noCode : null}
          onBlur={() => onTyping(false)}
          onChange={({ currentTarget }) => {
            onTyping(true);
            onChange({ code: currentTarget.value });
          }}
        />
        <TextInput
          {...(isEmpty ? {} : step)}
          className={classes.quantityField ?? ""}
          aria-label={messages.quantityOf(row)}
          placeholder={messages.counted}
          inputMode="numeric"
          autoComplete="off"
          value={other.quantity}
          error={found === undefined && other.quantity === "" ? null : quantityProblem(other)}
          onChange={({ currentTarget }) => onChange({ quantity: currentTarget.value })}
        />
      </Group>
      <div className={classes.found} role="status">
        <Found found={found} />
      </div>
    </li>
  );
}

interface OtherLinesProps {
  readonly others: readonly Other[];
  readonly found: ReadonlyMap<string, FoundCode>;
  readonly onChange: (at: number, change: Partial<Other>) => void;
  readonly onTyping: (at: number | null) => void;
}

/** What is written on a sheet's blank lines; below the last one is always another. */
export function OtherLines({ others, found, onChange, onTyping }: OtherLinesProps) {
  const shown = [...others, { code: "", quantity: "" }]
    .slice(0, limits.sheetEntries)
    .map((other, at) => ({ row: at + 1, other }));
  return (
    <ol className={classes.others} aria-label={messages.others}>
      {shown.map(({ row, other }) => (
        <OtherLine
          // A line is known by its place alone: two may hold the same code.
          key={row}
          {...{ row, other }}
          found={found.get(other.code.trim())}
          onChange={(change) => onChange(row - 1, change)}
          onTyping={(isTyping) => onTyping(isTyping ? row - 1 : null)}
        />
      ))}
    </ol>
  );
}
