import { readdir } from "node:fs/promises";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Metric } from "./exposition.ts";

/** This process as Node sees it, under the names that Prometheus' clients agree on. */
export class ProcessMetrics {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.delay.enable();
  }

  close(): void {
    this.delay.disable();
  }

  async read(): Promise<Metric[]> {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const files = await openFiles();
    return [
      counter("process_cpu_seconds_total", "Processor time of this process.", (user + system) / 1e6),
      gauge("process_resident_memory_bytes", "Memory of this process.", rss),
      gauge("process_start_time_seconds", "When this process began.", Date.now() / 1000 - process.uptime()),
      gauge("nodejs_heap_size_used_bytes", "Memory in use by JavaScript.", heapUsed),
      gauge("nodejs_eventloop_lag_p99_seconds", "How late work began, since the last look.", this.lag()),
      ...(files === null ? [] : [gauge("process_open_fds", "Open files and connections.", files)]),
    ];
  }

  /** The 99th percentile since it was last asked for. */
  private lag(): number {
    const nanoseconds = this.delay.count === 0 ? 0 : this.delay.percentile(99);
    this.delay.reset();
    return nanoseconds / 1e9;
  }
}

/** Null where the system does not tell. */
async function openFiles(): Promise<number | null> {
  try {
    return (await readdir("/proc/self/fd")).length;
  } catch {
    // Not Linux: there is no such folder.
    return null;
  }
}

export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: "gauge", samples: [{ value }] };
}

export function counter(name: string, help: string, value: number): Metric {
  return { name, help, type: "counter", samples: [{ value }] };
}
