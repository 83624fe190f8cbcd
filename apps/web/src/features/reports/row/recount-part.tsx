import { Anchor, Button, Group } from "@mantine/core";
import { type CountingSession, createPlan, deletePlan, updatePlan } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { callApi } from "../../../http/call.ts";
import { plansQuery, staleAfter } from "../../../http/shared-queries.ts";
import { useChange } from "../../../http/use-change.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import { isMarked, recountListName, recountListOf, withMark, withoutMark } from "./recount-list.ts";
import classes from "./row.module.css";

const { recount: texts } = rowMessages;

interface RecountProps {
  readonly session: CountingSession;
  readonly explanation: Explanation;
}

/** Puts the row on the report's list, or takes it off; the list is made with its first row and goes with its last. */
function useMarking({ session, explanation }: RecountProps) {
  const { data: plans, error } = useQuery(plansQuery);
  const list = recountListOf(plans ?? [], session);
  const name = recountListName(session);
  const mark = useChange(() => {
    const body = withMark(list, name, explanation);
    return list === undefined
      ? callApi(createPlan, { body: { storeId: session.storeId._id, ...body } })
      : callApi(updatePlan, { params: { id: list._id }, body });
  }, staleAfter.plan);
  const takeBack = useChange(async () => {
    if (list === undefined) return;
    const body = withoutMark(list, name, explanation);
    const params = { id: list._id };
    await (body === null ? callApi(deletePlan, { params }) : callApi(updatePlan, { params, body }));
  }, staleAfter.plan);
  return {
    name,
    error,
    isKnown: plans !== undefined,
    isMarked: isMarked(list, explanation.item.sku),
    mark,
    takeBack,
  };
}

/** Marks a row to be counted again: its SKU goes on a planned session of the store, which somebody starts when people are there. */
export function RecountPart(props: RecountProps) {
  const { name, error, isKnown, isMarked: marked, mark, takeBack } = useMarking(props);
  const change = marked ? takeBack : mark;
  return (
    <ExplanationPart heading={texts.heading}>
      <p className={classes.note} role="status">
        {marked ? texts.marked(name) : texts.means}{" "}
        {marked ? (
          <Anchor component={Link} to="/admin/sessions" inherit underline="always">
            {texts.link}
          </Anchor>
        ) : null}
      </p>
      <ErrorBox error={error ?? mark.error ?? takeBack.error} fallback={texts.failed} />
      <Group mt="xs">
        <Button
          variant="default"
          disabled={!isKnown}
          loading={change.isPending}
          onClick={() => change.send(undefined)}
        >
          {marked ? texts.takeBack : texts.mark}
        </Button>
      </Group>
    </ExplanationPart>
  );
}
