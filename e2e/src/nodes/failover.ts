import { parseArgs } from "node:util";
import { proveFailover } from "./failover-proof.ts";
import { openNodesStage } from "./nodes-stage.ts";
import { killOneOf } from "./one-killed.ts";
import { pauseOneOf } from "./one-paused.ts";

const help = `Three nodes behind a proxy that sends each request to the next of them.

1. Phones count while the primary of a synchronous PostgreSQL pair is killed (-9) and the standby promoted: every answered scan is
   there once, the nodes go on without a restart, the phones got late answers and 503, nothing else. At the kill it has to be at
   least 2,000 scans a second: fewer prove less than docs/OPERATIONS.md says.
2. A node is killed while it deploys one session and starts another, then a second one while it ends that: all are seen to within 20 s.
3. A node is paused for 30 s during a deploy (SIGSTOP, SIGCONT), which another ends: Shopify's stock moves once.

  npm run proof:failover -- [--phones N] [--seconds S] [--batch B]

--phones N   how many count; 20 unless told
--seconds S  how long they count before the kill, and as long after it; 8 unless told
--batch B    scans that a phone sends in one call, as one does that was away; 250 unless told
`;

const { values } = parseArgs({
  options: {
    phones: { type: "string", default: "20" },
    seconds: { type: "string", default: "8" },
    batch: { type: "string", default: "250" },
    help: { type: "boolean", default: false },
  },
});

const takenUpWithinMs = 20_000;
/** Answered before the kill, on average. */
const leastScansASecond = 2_000;
const text = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;

function tell(line: string, wrong: readonly string[]): void {
  process.stdout.write(`${line}\n`);
  for (const sentence of wrong) process.stdout.write(`WRONG: ${sentence}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}

async function failover(): Promise<void> {
  const plan = {
    phones: Number(values.phones),
    seconds: Number(values.seconds),
    batch: Number(values.batch),
  };
  const { scans, scansASecond, promotedMs, answeredMs, statuses, wrong } = await proveFailover(plan);
  const answers = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
  const isSlow = scansASecond < leastScansASecond;
  tell(
    `Failover: ${scans} scans answered and there once, ${Math.round(scansASecond)} a second before the kill; the standby took writes ` +
      `after ${text(promotedMs)}, the next scan was answered after ${text(answeredMs)}. Answers: ${answers.join(", ")}.`,
    [
      ...wrong,
      ...(isSlow ? [`${Math.round(scansASecond)} scans a second are fewer than ${leastScansASecond}`] : []),
    ],
  );
}

async function killed(): Promise<void> {
  const stage = await openNodesStage(3);
  try {
    const { deployMs, startMs, endMs, wrong } = await killOneOf(stage);
    const late = [deployMs, startMs, endMs].filter((milliseconds) => milliseconds > takenUpWithinMs);
    tell(
      `A node killed: its deploy ended elsewhere after ${text(deployMs)}, its start was said to have failed after ${text(startMs)}; another ` +
        `killed: its end was said to have failed after ${text(endMs)}.`,
      [
        ...wrong,
        ...late.map((milliseconds) => `${text(milliseconds)} is more than ${text(takenUpWithinMs)}`),
      ],
    );
  } finally {
    await stage.close();
  }
}

async function paused(): Promise<void> {
  const stage = await openNodesStage(2);
  try {
    const { deployMs, wrong } = await pauseOneOf(stage);
    const once = wrong.length === 0 ? "; Shopify's stock has moved once" : "";
    tell(`A node paused for 30 s: its deploy ended elsewhere after ${text(deployMs)}${once}.`, wrong);
  } finally {
    await stage.close();
  }
}

if (values.help) process.stdout.write(help);
else {
  await failover();
  await killed();
  await paused();
}
