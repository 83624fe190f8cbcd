import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type DeployAnswer, type DeployOptions, historyQuery, type Report, useDeploy } from "../api.ts";
import { pendingIn } from "./deploy-state.ts";

/** Confirming and sending a deploy of the report, and the progress of one under way, whoever requested it. */
export function useDeploying(report: Report, onDeployed: (answer: DeployAnswer) => void) {
  const sessionId = report.session._id;
  const [asking, setAsking] = useState(false);
  const deploy = useDeploy(sessionId);
  const { data: history = [] } = useQuery(historyQuery(sessionId, deploy.isPending));
  const pending = pendingIn(history);
  const confirm = (options: DeployOptions) =>
    deploy.send(options, (answer) => {
      setAsking(false);
      onDeployed(answer);
    });
  const ask = () => {
    deploy.reset();
    setAsking(true);
  };
  return {
    deploy,
    underway: deploy.isPending || pending !== undefined,
    progress: pending?.progress ?? null,
    confirm,
    ask,
    asking: asking && !deploy.isLong,
    cancel: () => setAsking(false),
  };
}
