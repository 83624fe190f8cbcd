/** Copies the database out and in, whole or a session of it. */

export { runArchive, runBringBack } from "./archive/archive-command.ts";
export { runMarkRestored } from "./mark-restored-command.ts";
export { restoreShop } from "./restore-shop.ts";
export { runTransfer } from "./transfer-command.ts";
export { backUp } from "./transfer-out.ts";
