import { Button, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { healthQuery } from "../../http/health.ts";
import { areasQuery, sessionsQuery, storesQuery } from "../../http/shared-queries.ts";
import { useReady } from "../../ui/drawing/use-ready.ts";
import { CheckIcon } from "../../ui/icons.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { activityQuery } from "./activity-query.ts";
import classes from "./first-steps.module.css";
import { type FirstStep, firstSteps, messages } from "./messages.ts";

type Done = Readonly<Record<FirstStep, boolean>>;

/** Which of the first steps have been taken; null where there is nothing to show: the last has been, or it is not known (yet). */
export type FirstStepsTaken = Done | null;

interface StepsAsked {
  readonly done: FirstStepsTaken;
  /** It is known, or it can't be for now. */
  readonly isSettled: boolean;
}

function useStepsAsked(): StepsAsked {
  const health = useQuery(healthQuery);
  const stores = useQuery(storesQuery);
  const areas = useQuery(areasQuery);
  const sessions = useQuery(sessionsQuery);
  const activity = useQuery(activityQuery);
  if (sessions.data?.some(({ status }) => status === "closed")) return { done: null, isSettled: true };
  if (
    health.data === undefined ||
    stores.data === undefined ||
    areas.data === undefined ||
    sessions.data === undefined ||
    activity.data === undefined
  ) {
    const all = [health, stores, areas, sessions, activity];
    return { done: null, isSettled: all.some(({ failureCount }) => failureCount > 0) };
  }
  const hasStore = stores.data.length > 0;
  const done = {
    // A store is made of one of the shop's locations. Without one, a token that Shopify refuses connects nothing.
    shopify: health.data.shopify.status === "ok" || hasStore,
    store: hasStore,
    areas: areas.data.length > 0,
    session: sessions.data.length > 0,
    scan: activity.data.begun,
    report: false,
  };
  return { done, isSettled: true };
}

/** The first steps, and whether what is below them may be drawn: once it is known whether they come, so that they push nothing away. */
export function useFirstSteps(): { readonly done: FirstStepsTaken; readonly isReady: boolean } {
  const steps = useStepsAsked();
  return { done: steps.done, isReady: useReady(steps.isSettled) };
}

interface StepRowProps {
  readonly step: FirstStep;
  readonly isDone: boolean;
  readonly isNext: boolean;
}

function StepRow({ step, isDone, isNext }: StepRowProps) {
  const { label, note, action, to } = firstSteps[step];
  return (
    <li className={classes.step} data-done={isDone} {...(isNext ? { "aria-current": "step" } : {})}>
      <span className={classes.mark}>
        {isDone ? <CheckIcon /> : null}
        <VisuallyHidden>{isDone ? messages.stepDone : messages.stepOpen}</VisuallyHidden>
      </span>
      <div className={classes.text}>
        <div className={classes.label}>{label}</div>
        {isDone ? null : <div className={classes.note}>{note}</div>}
      </div>
      {isNext ? (
        <Button component={Link} to={to} size="sm" className={classes.action}>
          {action}
        </Button>
      ) : null}
    </li>
  );
}

/** What leads from an empty installation to the first report; each step is marked by itself, and the list goes with the last. */
export function FirstSteps({ done }: { readonly done: Done }) {
  const steps = Object.keys(firstSteps).filter((key): key is FirstStep => key in done);
  const next = steps.find((step) => !done[step]);
  return (
    <Section
      title={messages.firstSteps}
      aside={
        <StatusBadge tone="neutral">
          {messages.stepsDone(steps.filter((step) => done[step]).length, steps.length)}
        </StatusBadge>
      }
    >
      <ol className={classes.list}>
        {steps.map((step) => (
          <StepRow key={step} step={step} isDone={done[step]} isNext={step === next} />
        ))}
      </ol>
    </Section>
  );
}
