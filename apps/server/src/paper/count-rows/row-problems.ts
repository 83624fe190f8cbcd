import { limits } from "@stocktake/contract";
import { quantityText } from "../../kernel/formats.ts";

/*
 * What is wrong with a row, and what to do about it, for whoever loads the file.
 */

export const noArea = "The area is missing. Write the area's code in it.";

export const unknownArea = (area: string) =>
  `This store has no area ${area}. Correct the code, or create the area first.`;

export const notInLocation = (area: string, location: string) =>
  `There is no area ${area} in ${location}. Correct the location or the code.`;

export const areaOfSeveral = (area: string, isWithoutLocation: boolean) =>
  isWithoutLocation
    ? `Several locations have an area ${area}. Write the location's name in the column "location", and add that column where the file has none; leave it blank in all other rows.`
    : `Several areas here are called ${area}. Rename one of them first.`;

export const closedArea = (area: string) =>
  `Area ${area} is closed. Reopen it to count in it, or take this row out.`;

export const looksLikeAnother =
  "This row looks like one that is here already, written otherwise. Take it out; if it is another count, write the time of it into the row.";

export const badCode = (problem: string) => `${problem} Correct the code.`;

const range = `a whole number from 1 to ${quantityText(limits.scanQuantity)}`;

export const badQuantity = (quantity: string) =>
  quantity.trim() === ""
    ? `The quantity is missing. Write ${range}.`
    : `The quantity ${quantity.trim()} can't be counted. Write ${range}.`;

export const tooManyUnits = (units: number) =>
  `So many of these packs are ${quantityText(units)} units; a row can have ${quantityText(limits.scanQuantity)}. Divide it into several rows.`;

export const tagOfSeveral =
  "An RFID tag is on one item, so its row has the quantity 1. Write the product's barcode or SKU to count several.";

export const unknownPerson = (who: string) =>
  `Nobody called ${who} counts in this session. Correct the name, invite them first, or leave it blank for yourself.`;

export const severalOfAddress = (who: string) =>
  `Several people in this session are called ${who}. Write the name instead.`;

export const severalPeople = (who: string, haveAddresses: boolean) =>
  `Several people in this session are called ${who}. ${
    haveAddresses
      ? "Write the e-mail address instead."
      : "Write the e-mail address of whoever has one. For somebody who has none, leave it blank for yourself."
  }`;

export const badTime = (when: string) =>
  `The time ${when.trim()} can't be read. Write it as 2026-01-31 14:05, or leave it blank.`;
