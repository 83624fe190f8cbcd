import { Button, Card, SimpleGrid, Stack, Text } from "@mantine/core";
import {
  type CountingSession,
  deletePlan,
  type SessionPlan,
  type Store,
  startPlan,
} from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../../http/call.ts";
import { useSendsMail } from "../../../http/health.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { plansQuery } from "../../../http/shared-queries.ts";
import { useChange } from "../../../http/use-change.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Loaded } from "../../../ui/drawing/loaded.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { OperationProgress } from "../../../ui/operation-progress.tsx";
import { SearchableList } from "../../../ui/search/searchable-list.tsx";
import { countName } from "../../../ui/search/session-text.ts";
import { Section } from "../../../ui/section.tsx";
import { messages } from "../messages.ts";
import { Note } from "../session-description.tsx";
import classes from "../sessions.module.css";
import { StartDialog } from "../start-dialog.tsx";
import { useStarting } from "../use-starting.ts";
import { plannedMessages } from "./messages.ts";
import { PlanDialog } from "./plan-dialog.tsx";

const texts = plannedMessages;

interface PlannedProps {
  readonly stores: readonly Store[];
  readonly sessions: readonly CountingSession[];
  readonly onDone: (message: string) => void;
}

interface PlanCardProps extends PlannedProps {
  readonly plan: SessionPlan;
  readonly onEdit: () => void;
}

/** How many areas are somebody's, and how many people's they are. */
function assignedBy({ people }: SessionPlan) {
  return {
    areas: new Set(people.flatMap(({ areaIds }) => areaIds)).size,
    people: people.filter(({ areaIds }) => areaIds.length > 0).length,
  };
}

function PlanFacts({ plan }: { readonly plan: SessionPlan }) {
  const { scope, areaIds, people, assignmentsEnforced } = plan;
  const assigned = assignedBy(plan);
  return (
    <dl className={classes.facts}>
      <dt>{texts.scope}</dt>
      <dd>{messages.scopes[scope].label}</dd>
      <dt>{texts.areas}</dt>
      <dd>{areaIds === null ? texts.allAreas : texts.someAreas(areaIds.length)}</dd>
      <dt>{texts.people}</dt>
      <dd>{people.length === 0 ? texts.nobody : texts.somebody(people.length)}</dd>
      {assigned.areas === 0 ? null : (
        <>
          <dt>{texts.assigned}</dt>
          <dd>{texts.assignedTo(assigned.areas, assigned.people, assignmentsEnforced)}</dd>
        </>
      )}
    </dl>
  );
}

const startOf = (id: string) => callApi(startPlan, { params: { id } });

/** Why the plan can't be started now; null where it can. */
function hindrance({ plan, stores, sessions }: PlanCardProps): string | null {
  const isOfStore = ({ storeId }: CountingSession) => storeId._id === plan.storeId._id;
  if (sessions.some((session) => session.status === "active" && isOfStore(session))) return texts.running;
  const store = stores.find(({ _id }) => _id === plan.storeId._id);
  return store?.isActive === false ? texts.inactive : null;
}

function DeleteButton({ plan, onDone }: Pick<PlanCardProps, "plan" | "onDone">) {
  const [asking, setAsking] = useState(false);
  const removing = useChange((id: string) => callApi(deletePlan, { params: { id } }), staleAfter.plan);
  const { name: store } = plan.storeId;
  return (
    <>
      <Button
        variant="default"
        aria-label={texts.removeOf(countName(store, plan.name))}
        onClick={() => setAsking(true)}
      >
        {texts.remove}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={texts.removeTitle}
          message={texts.removeQuestion(store)}
          consequences={texts.removeConsequences}
          confirmLabel={texts.remove}
          change={removing}
          errorFallback={texts.removeFailed}
          onConfirm={() => removing.send(plan._id, () => onDone(texts.removed(store)))}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

/** What starting the plan does besides what every start does. */
function consequencesOf(plan: SessionPlan, sendsMail: boolean): readonly string[] {
  const { areaIds, people, assignmentsEnforced, deletedAreas } = plan;
  const assigned = assignedBy(plan);
  return [
    ...(deletedAreas.length === 0 ? [] : [texts.deleted(deletedAreas)]),
    ...(areaIds === null ? [] : [texts.leavesOut(areaIds.length)]),
    ...texts.consequences(people.length, sendsMail),
    ...(assigned.areas === 0 ? [] : [texts.assigns(assigned.areas, assignmentsEnforced)]),
  ];
}

function PlanCard(props: PlanCardProps) {
  const { plan, onEdit, onDone } = props;
  const sendsMail = useSendsMail();
  const invited = plan.people.length;
  const start = useStarting({
    ...{ store: plan.storeId, start: startOf, onDone },
    note: sendsMail || invited === 0 ? null : texts.notSent(invited),
  });
  const hindered = hindrance(props);
  const name = countName(plan.storeId.name, plan.name);
  return (
    <Card component="article" aria-label={texts.planned(name)} p={{ base: "sm", sm: "md" }}>
      <Stack gap="sm" h="100%">
        <Text component="h3" fw={620} fz="lg">
          {name}
        </Text>
        <PlanFacts plan={plan} />
        <Note session={plan} />
        {plan.deletedAreas.length === 0 ? null : <Text fz="sm">{texts.deleted(plan.deletedAreas)}</Text>}
        {hindered === null ? null : (
          <Text c="dimmed" fz="sm">
            {hindered}
          </Text>
        )}
        <div className={classes.actions}>
          <Button
            aria-label={texts.startOf(name)}
            disabled={start.isBusy || hindered !== null}
            onClick={start.ask}
          >
            {start.isBusy ? messages.starting : texts.start}
          </Button>
          <Button variant="default" aria-label={texts.editOf(name)} disabled={start.isBusy} onClick={onEdit}>
            {texts.edit}
          </Button>
          <DeleteButton plan={plan} onDone={onDone} />
        </div>
        {start.isLong ? <OperationProgress label={messages.starting} operation={start.operation} /> : null}
        {start.asking ? null : <ErrorBox error={start.error} fallback={messages.startFailed} />}
      </Stack>
      {start.asking ? (
        <StartDialog
          store={plan.storeId}
          scope={plan.scope}
          change={start.starting}
          consequences={consequencesOf(plan, sendsMail)}
          onConfirm={() => start.confirm(plan._id)}
          onCancel={start.cancel}
        />
      ) : null}
    </Card>
  );
}

/** What a plan is found by: its store, its name and note. */
const planText = ({ storeId, name, note }: SessionPlan) => `${countName(storeId.name, name)} ${note ?? ""}`;

interface PlanCardsProps extends PlannedProps {
  readonly plans: readonly SessionPlan[];
  readonly onEdit: (plan: SessionPlan) => void;
}

function PlanCards({ plans, onEdit, ...props }: PlanCardsProps) {
  if (plans.length === 0) return <EmptyState title={texts.none}>{texts.noneText}</EmptyState>;
  return (
    <SearchableList label={texts.heading} rows={plans} textOf={planText}>
      {(found) => (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
          {found.map((plan) => (
            <PlanCard key={plan._id} plan={plan} onEdit={() => onEdit(plan)} {...props} />
          ))}
        </SimpleGrid>
      )}
    </SearchableList>
  );
}

/** Sessions that are prepared beforehand, and started by a person. */
export function PlannedSessions(props: PlannedProps) {
  const { stores, onDone } = props;
  const query = useQuery(plansQuery);
  /** The plan that is being written; `new` for one that is not yet. */
  const [writing, setWriting] = useState<SessionPlan | "new" | null>(null);
  if (stores.length === 0) return null;
  return (
    <Section
      title={texts.heading}
      aside={
        <Button variant="default" onClick={() => setWriting("new")}>
          {texts.plan}
        </Button>
      }
    >
      <Loaded query={query} fallback={texts.fetchFailed}>
        {(plans) => <PlanCards {...props} plans={plans} onEdit={setWriting} />}
      </Loaded>
      {writing === null ? null : (
        <PlanDialog
          plan={writing === "new" ? null : writing}
          stores={stores}
          onDone={onDone}
          onClose={() => setWriting(null)}
        />
      )}
    </Section>
  );
}
