import { type Diagnosis, diagnosis } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route } from "../kernel/route.ts";
import { type DiagnosisServices, diagnose } from "./diagnose.ts";

/** A diagnosis signs in at the mail server and asks Shopify: who presses the button again and again gets the last one. */
const cachedMs = 10_000;

export function diagnosisRoutes(app: FastifyInstance, services: DiagnosisServices): void {
  let last: { readonly until: number; readonly diagnosis: Promise<Diagnosis> } | undefined;

  route(app, diagnosis, async () => {
    const now = services.clock.now();
    if (last === undefined || last.until <= now)
      last = { until: now + cachedMs, diagnosis: diagnose(services) };
    return last.diagnosis;
  });
}
