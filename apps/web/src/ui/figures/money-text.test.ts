import { expect, it } from "vitest";
import { moneyText, signedMoneyText } from "./money-text.ts";

it("money has its sign and its currency; unknown money is a dash", () => {
  expect(signedMoneyText(12.5, "USD")).toBe("+$12.50");
  expect(signedMoneyText(-12.5, "EUR")).toBe("-€12.50");
  expect(signedMoneyText(null, "USD")).toBe("–");
});

it("no line breaks between the sign and a currency that is shown as a code", () => {
  // U+2060 keeps both sides together and shows nothing, U+00A0 is the space that doesn't break.
  expect(signedMoneyText(-3_600, "CHF")).toBe("-\u2060CHF\u00a03,600.00");
  expect(moneyText(-3_600, "CHF")).toBe("-\u2060CHF\u00a03,600.00");
  expect(signedMoneyText(3_600, "CHF")).toBe("+CHF\u00a03,600.00");
});
