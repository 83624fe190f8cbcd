import { cpus, loadavg, totalmem } from "node:os";

/** What measured: "2 cores, 24 GiB, Node 20.20.2". */
export function machineText(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
}

/** How busy it is: "load average 0.5". */
export function loadText(): string {
  return `load average ${loadavg()[0]?.toFixed(1)}`;
}
