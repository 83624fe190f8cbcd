import { spawn } from "node:child_process";

/** What runs beside each other: each row one after the other. Together they keep two processors busy. */
const lanes: readonly (readonly (readonly string[])[])[] = [
  [["types"]],
  [["lint"], ["unused"], ["specification", "--", "--check"], ["structure", "--", "--check"], ["build"]],
];

/** Resolves to whether it passed; what it says is printed as a whole, so that two lanes are not mixed. */
function runScript(script: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ["run", ...script], {
      shell: process.platform === "win32",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => said.push(part));
    child.once("error", reject);
    child.once("close", (status) => {
      process.stdout.write(Buffer.concat(said));
      resolve(status === 0);
    });
  });
}

async function runLane(lane: (typeof lanes)[number]): Promise<boolean> {
  for (const script of lane) if (!(await runScript(script))) return false;
  return true;
}

const passed = await Promise.all(lanes.map(runLane));
if (!passed.every(Boolean)) process.exitCode = 1;
