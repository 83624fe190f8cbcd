// What an installed release is started by: `node stocktake.js` runs the server, `node stocktake.js doctor` and the like a
// command. Plain JavaScript, because it runs as it lies in the archive.
const programs = {
  start: "main",
  doctor: "doctor",
  backup: "backup",
  restore: "restore",
  "mark-restored": "mark-restored",
  archive: "archive",
  "bring-back": "bring-back",
  "admin-password": "admin-password",
  "verify-audit": "verify-audit",
};

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Stocktake needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}

const [command = "start"] = process.argv.splice(2, 1);
if (!Object.hasOwn(programs, command)) {
  const known = Object.keys(programs).join(" | ");
  process.stderr.write(`Usage: node stocktake.js [${known}]\n`);
  process.exit(2);
}
await import(`./apps/server/dist/${programs[command]}.js`);
