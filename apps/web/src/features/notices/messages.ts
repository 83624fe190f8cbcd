import type { GuessingNotice } from "@stocktake/contract";
import { countText, dateTimeText } from "../../ui/formats.ts";

const guessed: Readonly<Record<GuessingNotice["login"], string>> = {
  admin: "the administrator's password",
  counter: "passwords of counters",
  password_change: "the current password that a change of it asks for",
};

/** Messages of what the dashboard warns of. */
export const messages = {
  title: "Somebody is guessing passwords",
  titleOver: "Somebody guessed at passwords",
  text: ({ login, wrongPasswords, addresses, beganAt, lastAt }: GuessingNotice) =>
    `${countText(wrongPasswords, "wrong password", "wrong passwords")} from ${countText(addresses, "address", "addresses")} for ${guessed[login]}, from ${dateTimeText(beganAt)} to ${dateTimeText(lastAt)}.`,
  safe: "Nobody is locked out: strangers are slowed down, browsers in which somebody has signed in before are not. If the password is short or used elsewhere, change it now.",
  change: "Open Settings",
  dismiss: "Dismiss",
  dismissFailed: "Failed to dismiss the warning",
} as const;
