import { Button, Text, VisuallyHidden } from "@mantine/core";
import { SearchAnswer, type SearchTaskItem } from "@stocktake/contract";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { CheckIcon } from "../../../ui/icons.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ProductPhoto } from "../photos/product-photo.tsx";
import { sizeText } from "../station/product-text.ts";
import { messages } from "./messages.ts";
import classes from "./searching.module.css";
import type { UnsentAnswer } from "./use-answers.ts";

interface SearchItemProps {
  readonly item: SearchTaskItem;
  readonly image: string | null;
  /** Where to scan it once it is found; null while that is being read. */
  readonly scanNow: string | null;
  readonly unsent: UnsentAnswer | undefined;
  /** What was said last and does not hold. */
  readonly overtaken: SearchAnswer | undefined;
  readonly onSay: (answer: SearchAnswer) => void;
  readonly onSendAgain: (answer: UnsentAnswer) => void;
}

function Answers({ item, unsent, onSay }: Pick<SearchItemProps, "item" | "unsent" | "onSay">) {
  const isSending = unsent !== undefined && unsent.error === null;
  const chosen = unsent?.answer ?? item.answer;
  return (
    <div className={classes.answers}>
      {SearchAnswer.options.map((answer) => (
        <Button
          key={answer}
          size="lg"
          variant={chosen === answer ? "filled" : "default"}
          aria-pressed={chosen === answer}
          loading={isSending && chosen === answer}
          disabled={isSending && chosen !== answer}
          onClick={() => onSay(answer)}
        >
          {messages.answers[answer]}
          <VisuallyHidden> {[item.productTitle, item.size].filter(Boolean).join(" ")}</VisuallyHidden>
        </Button>
      ))}
    </div>
  );
}

function Unsent({
  unsent,
  onSendAgain,
}: Pick<SearchItemProps, "onSendAgain"> & { readonly unsent: UnsentAnswer }) {
  const { answer, error, isLost } = unsent;
  if (error === null) return null;
  if (!isLost) {
    return (
      <>
        <ErrorBox error={error} fallback={messages.failedAnswer} />
        <Text fw={560}>{messages.notKept(answer)}</Text>
      </>
    );
  }
  return (
    <Notice kind="error" role="alert">
      <div>{messages.notSent(answer)}</div>
      <Button size="lg" mt="xs" variant="default" onClick={() => onSendAgain(unsent)}>
        {messages.sendAgain}
      </Button>
    </Notice>
  );
}

function stateText({ answer }: SearchTaskItem, scanNow: string | null): string | null {
  if (answer === null) return null;
  return answer === "found" ? scanNow : messages.notThere;
}

/** A product to look for, with the two answers; ticked off once it is scanned. */
export function SearchItem({ item, image, scanNow, unsent, overtaken, onSay, onSendAgain }: SearchItemProps) {
  const { productTitle, size, sku, counted, others } = item;
  const state = unsent === undefined ? stateText(item, scanNow) : null;
  return (
    <li className={classes.item} data-done={counted}>
      <div className={classes.product}>
        <ProductPhoto image={image} />
        <div className={classes.words}>
          <strong>{productTitle}</strong>
          {size === null ? null : <span className={classes.size}>{sizeText(size)}</span>}
          <span className={classes.sku}>{messages.sku(sku)}</span>
        </div>
      </div>
      {counted ? (
        <Text className={classes.scanned} fw={560} role="status">
          <CheckIcon /> {messages.scanned}
        </Text>
      ) : (
        <>
          <Answers item={item} unsent={unsent} onSay={onSay} />
          {unsent === undefined ? null : <Unsent unsent={unsent} onSendAgain={onSendAgain} />}
          {overtaken === undefined || item.answer === null ? null : (
            <Text fw={560} role="status">
              {messages.overtaken(overtaken, item.answer)}
            </Text>
          )}
          {state === null ? null : <Text role="status">{state}</Text>}
          {others.length === 0 ? null : <Text c="dimmed">{messages.others(others)}</Text>}
        </>
      )}
    </li>
  );
}
