import type { CDPSession } from "playwright-core";

// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU: durations in microseconds.
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time, without what others had of the processor meanwhile. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

function isTraceEvent(value: unknown): value is TraceEvent {
  return typeof value === "object" && value !== null && "name" in value && "pid" in value && "tid" in value;
}

/** The processor time of each task of the page's main thread while `work` goes on, in milliseconds. */
export async function taskTimes(processor: CDPSession, work: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = [];
  const take = ({ value }: { value: readonly unknown[] }) => events.push(...value.filter(isTraceEvent));
  processor.on("Tracing.dataCollected", take);
  await processor.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel"] },
  });
  await work();
  const complete = new Promise((resolve) => processor.once("Tracing.tracingComplete", resolve));
  await processor.send("Tracing.end");
  await complete;
  processor.off("Tracing.dataCollected", take);
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const mainThreads = new Set(
    events.filter(({ args }) => args?.name === "CrRendererMain").map((event) => threadOf(event)),
  );
  return events
    .filter((event) => event.name === "ThreadControllerImpl::RunTask" && mainThreads.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
}
