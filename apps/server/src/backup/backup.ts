/** Copies the database out and in. */

export { restoreShop } from "./restore-shop.ts";
export { runTransfer } from "./transfer-command.ts";
export { backUp } from "./transfer-out.ts";
