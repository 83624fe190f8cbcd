import { parseArgs } from "node:util";
import { proveKills } from "./kill-proof.ts";

const help = `kill -9 of the server, of PostgreSQL or of both at random moments under load. Every answered scan, undo, finish,
count, deploy, rollback, account and sign-in is there once, no login that was ended opens anything, and the first answer comes within 3 s of each restart.

  npm run proof:kill -- [--rounds N] [--seed S]

--rounds N   how many kills; 50 unless told
--seed S     of what is killed and when; the time of day unless told
`;

const longestAnswerMs = 3_000;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    help: { type: "boolean", default: false },
  },
});

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function main(): Promise<void> {
  const plan = { rounds: Number(values.rounds), seed: Number(values.seed) };
  process.stdout.write(`seed ${plan.seed}\n`);
  let number = 0;
  const { rounds, wrong, ...figures } = await proveKills(plan, ({ victim, afterMs, endedMs, answerMs }) => {
    number += 1;
    const ended = victim === "postgres" ? `, the server ended after ${seconds(endedMs)}` : "";
    process.stdout.write(
      `${number}. ${victim} after ${afterMs} ms${ended}; answered ${seconds(answerMs)} after the restart\n`,
    );
  });
  const answers = rounds.map(({ answerMs }) => answerMs);
  const slow = answers.filter((answerMs) => answerMs > longestAnswerMs);
  process.stdout.write(
    `\nAnswered, and there once: ${figures.scans} scans, ${figures.undos} undos, ${figures.areas} finished areas, ` +
      `${figures.counts} counts set by hand, ${figures.moves} deploys and rollbacks, ${figures.accounts} accounts, ` +
      `${figures.signIns} sign-ins, ${figures.endedLogins} logins ended by a logout, from elsewhere or by a revocation.\n` +
      `First answer after a restart: median ${seconds(median(answers))}, longest ${seconds(Math.max(...answers))}; ` +
      `${slow.length} of ${answers.length} took longer than ${seconds(longestAnswerMs)}.\n`,
  );
  for (const sentence of wrong) process.stdout.write(`WRONG: ${sentence}\n`);
  if (wrong.length + slow.length > 0) process.exitCode = 1;
}

if (values.help) process.stdout.write(help);
else await main();
