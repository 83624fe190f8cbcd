import { type KeptPack, listPacks, savePacks } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { admin } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const dozen: KeptPack = {
  ...{ code: "5012345678900", sku: "SOCK-M", units: 12, productTitle: "Sock", size: "M", ownCodeOf: [] },
  ...{ changedAt: "2026-03-01T10:00:00.000Z", changedBy: "admin" },
};

function packsServer(packs = [dozen]) {
  const server = new FakeServer(admin);
  server.answer(listPacks, { packs });
  return server;
}

it("lists each code with its product and units, and what has become of it", async () => {
  packsServer([dozen, { ...dozen, code: "OLD", productTitle: "", ownCodeOf: ["TEE-S"] }]);
  openPage("/admin/packs");
  const row = within((await screen.findByText("5012345678900")).closest("tr") ?? document.body);
  row.getByText("Sock · M");
  row.getByText("×12");
  screen.getByText("Now the own code of TEE-S, which is counted instead");
});

it("pasted lines are saved together, and what is wrong is named before anything is sent", async () => {
  const server = packsServer([]);
  const sent = server.answer(savePacks, { added: 2, changed: 0, removed: 0 });
  openPage("/admin/packs?sku=SOCK-L");
  await screen.findByText("No Codes Yet");
  const field = screen.getByLabelText("Codes of packs");
  expect(field).toHaveProperty("value", ",SOCK-L,");
  screen.getByText("1: The code is missing.");
  expect(screen.getByRole("button", { name: "Correct 1 line first" })).toHaveProperty("disabled", true);
  await userEvent.clear(field);
  await userEvent.click(field);
  await userEvent.paste("5012345678900\tSOCK-M\t12\nBOX,SOCK-L,6");
  const read = within(screen.getByRole("list", { name: "What will be saved" }));
  expect(read.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
    "1: 5012345678900 SOCK-M ×12",
    "2: BOX SOCK-L ×6",
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Save 2 Codes" }));
  await screen.findByText("2 added. Phones that are online have it within seconds.");
  expect(sent[0]?.body).toEqual({
    packs: [
      { code: "5012345678900", sku: "SOCK-M", units: 12 },
      { code: "BOX", sku: "SOCK-L", units: 6 },
    ],
  });
  expect(field).toHaveProperty("value", "");
});

it("shows what the lines were read as, which is a code to take out too, and how many more there are", async () => {
  packsServer();
  openPage("/admin/packs");
  const field = await screen.findByLabelText("Codes of packs");
  await userEvent.click(field);
  await userEvent.paste(["gone,SOCK-M,0", ...Array.from({ length: 21 }, (_, at) => `B${at},A,2`)].join("\n"));
  const read = within(screen.getByRole("list", { name: "What will be saved" })).getAllByRole("listitem");
  expect(read).toHaveLength(21);
  expect(read[0]?.textContent).toBe("1: gone SOCK-M taken out");
  expect(read.at(-1)?.textContent).toBe("and 2 more");
});

function fieldForFile(): HTMLInputElement {
  const field = document.querySelector("input[type=file]");
  if (!(field instanceof HTMLInputElement)) throw new Error("There is no field for a file.");
  return field;
}

it("a CSV file is read into the field, and a refusal leaves what was entered", async () => {
  const words = "Nothing was saved. The code BOX is the own code of TEE-S.";
  packsServer().refuse(savePacks, "PACK_CODE_TAKEN", words);
  openPage("/admin/packs");
  await screen.findByText("5012345678900");
  await userEvent.upload(
    fieldForFile(),
    new File(["Code,SKU,Units\nBOX,SOCK-L,6\n"], "packs.csv", { type: "text/csv" }),
  );
  await userEvent.click(await screen.findByRole("button", { name: "Save 1 Code" }));
  await screen.findByText(words);
  expect(screen.getByLabelText("Codes of packs")).toHaveProperty("value", "Code,SKU,Units\nBOX,SOCK-L,6\n");
});

it("a file that Excel saved in the machine's old character set keeps its codes", async () => {
  packsServer();
  openPage("/admin/packs");
  await screen.findByText("5012345678900");
  const bytes = Uint8Array.from("BOX;SOCK-GRÜN;6", (character) => character.charCodeAt(0));
  await userEvent.upload(fieldForFile(), new File([bytes], "packs.csv", { type: "text/csv" }));
  await screen.findByRole("button", { name: "Save 1 Code" });
  expect(screen.getByLabelText("Codes of packs")).toHaveProperty("value", "BOX;SOCK-GRÜN;6");
});

it("a code is taken out once that is confirmed", async () => {
  const sent = packsServer().answer(savePacks, { added: 0, changed: 0, removed: 1 });
  openPage("/admin/packs");
  await userEvent.click(await screen.findByRole("button", { name: "Take Out 5012345678900" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Take out this code?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Take Out" }));
  await screen.findByText("1 taken out");
  expect(sent[0]?.body).toEqual({ packs: [{ code: "5012345678900", sku: "SOCK-M", units: 0 }] });
});
