import { Button, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { healthQuery } from "../../http/health.ts";
import { areasQuery, sessionsQuery, storesQuery } from "../../http/shared-queries.ts";
import { CheckIcon } from "../../ui/icons.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { activityQuery } from "./activity-query.ts";
import classes from "./first-steps.module.css";
import { type FirstStep, firstSteps, messages } from "./messages.ts";

type Done = Readonly<Record<FirstStep, boolean>>;

/** Which steps have been taken; null until everything that tells is known. */
function useDone(): Done | null {
  const { data: health } = useQuery(healthQuery);
  const { data: stores } = useQuery(storesQuery);
  const { data: areas } = useQuery(areasQuery);
  const { data: sessions } = useQuery(sessionsQuery);
  const { data: activity } = useQuery(activityQuery);
  if (
    health === undefined ||
    stores === undefined ||
    areas === undefined ||
    sessions === undefined ||
    activity === undefined
  )
    return null;
  return {
    // A store is made of one of the shop's locations. Without one, a token that Shopify refuses connects nothing.
    shopify: health.shopify.status === "ok" || stores.length > 0,
    store: stores.length > 0,
    areas: areas.length > 0,
    session: sessions.length > 0,
    scan: activity.begun,
    report: sessions.some(({ status }) => status === "closed"),
  };
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
        <Button component={Link} to={to} size="sm">
          {action}
        </Button>
      ) : null}
    </li>
  );
}

/** What leads from an empty installation to the first report; each step is marked by itself, and the list goes with the last. */
export function FirstSteps() {
  const done = useDone();
  if (done === null || done.report) return null;
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
