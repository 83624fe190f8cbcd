import { AuditAction, type AuditEntry } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { sentenceOf } from "./sentences.ts";

type Changes = Partial<Pick<AuditEntry, "before" | "after">>;

function textOf(action: AuditAction, name: string, changes: Changes = {}): string {
  return sentenceOf({
    _id: "1",
    sessionId: null,
    position: 1,
    at: "2026-03-01T09:30:15.250Z",
    actor: { kind: "admin", _id: null, name: "admin" },
    action,
    subject: { kind: "store", _id: null, name },
    before: null,
    after: null,
    previousHash: null,
    hash: "",
    ...changes,
  });
}

describe("an entry's sentence", () => {
  it.each<[AuditAction, string, Changes, string]>([
    ["store.created", "Harbour", {}, "admin created the store Harbour"],
    [
      "search.created",
      "Harbour",
      { after: { firstList: 1, lists: 2, skus: 14, area: null, assignedTo: null } },
      "admin made 2 search lists of 14 SKUs for Harbour",
    ],
    ["search.withdrawn", "Harbour", { after: { list: 2 } }, "admin took search list 2 of Harbour back"],
    [
      "search.answered",
      "Tee (TEE-M)",
      { after: { answer: "not_there", list: 2, device: "device-1" } },
      "admin looked for and did not find Tee (TEE-M), search list 2",
    ],
    [
      "search.decided",
      "Tee (TEE-M)",
      { after: { answer: "found" } },
      "admin decided that Tee (TEE-M) is there",
    ],
    [
      "second_count.asked",
      "A1",
      { after: { pass: 3, round: 2, onlySkus: ["TEE-M", "TEE-S"], beyondTolerance: 2 } },
      "admin asked for a second count of area A1, of 2 SKUs beyond tolerance",
    ],
    [
      "second_count.asked",
      "A1",
      { after: { pass: 3, round: 2, beyondTolerance: 201, skus: ["TEE-M", "TEE-S"] } },
      "admin asked for a second count of area A1: 201 SKUs are beyond tolerance",
    ],
    [
      "second_count.asked",
      "A1",
      { after: { pass: 4, round: 3, onlySkus: ["TEE-M"] } },
      "admin asked for a third count of area A1, of 1 SKU",
    ],
    [
      "second_count.settled",
      "Tee (TEE-M)",
      { before: { area: "A1", first: 8, firstReplaced: true }, after: { choice: "first" } },
      "admin chose what counted by then of Tee (TEE-M) in A1",
    ],
    ["tolerance.changed", "Harbour", { after: {} }, "admin changed the tolerance of Harbour"],
    ["tolerance.changed", "Harbour", {}, "admin removed the tolerance of Harbour"],
    [
      "logins.ended",
      "Grace",
      { before: { browsers: ["Chrome on Android"] }, after: { why: "replaced" } },
      "admin ended the login of Grace that the same browser held, by signing in",
    ],
    [
      "logins.ended",
      "admin",
      { before: { browsers: ["Chrome on Android"] }, after: { why: "signed_in_elsewhere" } },
      "admin ended 1 login of admin, the oldest of too many, by signing in",
    ],
    ["logins.ended", "admin", { before: { browsers: ["Chrome on Android"] } }, "admin ended 1 own login"],
    [
      "second_factor.added",
      "admin",
      { after: { kind: "passkey", name: "Key ring" } },
      "admin added the second factor passkey Key ring",
    ],
    [
      "second_factor.removed",
      "admin",
      { before: { kind: "authenticator app" } },
      "admin removed the second factor authenticator app",
    ],
    [
      "sheets.printed",
      "Harbour",
      { after: { firstSheet: 3, lastSheet: 5 } },
      "admin printed the count sheets 3 to 5",
    ],
    ["sheets.printed", "Harbour", { after: { firstSheet: 3, lastSheet: 3 } }, "admin printed count sheet 3"],
    [
      "sheet.returned",
      "Harbour",
      { after: { sheet: 3, area: "A1 - Window", units: 12 } },
      "admin keyed count sheet 3 of A1 - Window: 12 units",
    ],
    [
      "sheet.voided",
      "Harbour",
      { before: { sheet: 3, area: "A1" }, after: { reason: "Coffee" } },
      "admin declared count sheet 3 of A1 void: Coffee",
    ],
    ["recovery_codes.renewed", "admin", { after: { codes: 10 } }, "admin made new recovery codes"],
    ["recovery_code.used", "admin", { after: { left: 9 } }, "admin used a recovery code; 9 left"],
    [
      "proof.chosen",
      "admin",
      { before: { proofBeforeMoves: null }, after: { proofBeforeMoves: false } },
      "admin chose that a deploy or rollback asks for no proof",
    ],
    [
      "proof.chosen",
      "admin",
      { before: { proofBeforeMoves: false }, after: { proofBeforeMoves: true } },
      "admin chose that a deploy or rollback asks for a proof",
    ],
    [
      "proof.chosen",
      "admin",
      { before: { proofBeforeMoves: true }, after: { proofBeforeMoves: null } },
      "admin chose that a deploy or rollback asks for a proof where there is a second factor",
    ],
    [
      "location.renamed",
      "Floor",
      { after: { name: "Sales floor" } },
      "admin renamed the location Floor to Sales floor",
    ],
    [
      "location.deleted",
      "Cellar",
      { before: { areas: ["A1"] } },
      "admin deleted the location Cellar with 1 area",
    ],
    ["areas.created", "Floor", { after: { areas: ["A1", "A2"] } }, "admin added 2 areas to Floor"],
    [
      "session.renamed",
      "Harbour",
      { before: { name: null, note: null }, after: { name: "Spring", note: null } },
      "admin renamed the count of Harbour from no name to Spring",
    ],
    [
      "session.renamed",
      "Harbour",
      { before: { name: "Spring", note: null }, after: { name: "Spring", note: "With the new racks" } },
      "admin changed the note on the count of Harbour: With the new racks",
    ],
    ["session.started", "Harbour", { after: { scope: "full" } }, "admin started a full count of Harbour"],
    ["session.ended", "Harbour", { after: { openAreas: [] } }, "admin ended the count of Harbour"],
    [
      "session.ended",
      "Harbour",
      { after: { openAreas: [], withoutEndStock: true } },
      "admin ended the count of Harbour without Shopify's stock, as its location was gone",
    ],
    [
      "session.archived",
      "Harbour",
      { after: { file: "spring.archive" } },
      "admin archived the count of Harbour in the file spring.archive",
    ],
    [
      "installation.restored",
      "fjord.myshopify.com",
      { after: { backupMadeAt: "2026-11-26 02:30", sessions: 3 } },
      "admin restored the backup of 2026-11-26 02:30; what was recorded between it and the restore is gone",
    ],
    [
      "installation.restored",
      "fjord.myshopify.com",
      { after: { backupMadeAt: "2026-11-26 09:58", sessions: 3, wentBackTo: "2026-11-26 10:00" } },
      "admin marked the database as restored to 2026-11-26 10:00; what was recorded since then is gone",
    ],
    [
      "session.brought_back",
      "Harbour",
      { before: { file: "spring.archive" } },
      "admin brought the count of Harbour back from the file spring.archive",
    ],
    [
      "session.ended",
      "Harbour",
      { after: { openAreas: ["A1", "A2"] } },
      "admin ended the count of Harbour; 2 areas were left open",
    ],
    [
      "area.finished",
      "A1",
      { after: { matched: true, declaredTotal: 12 } },
      "admin closed area A1 with 12 items",
    ],
    [
      "area.finished",
      "A1",
      { after: { matched: false, declaredTotal: 9, serverTotal: 8 } },
      "admin declared 9 items for area A1, but 8 had been scanned; it must be recounted",
    ],
    [
      "area.total_declared",
      "A1",
      { after: { declaredTotal: 9, waitingFor: ["Ben", "Cleo"] } },
      "admin declared 9 items as their own total of area A1; still to come: Ben, Cleo",
    ],
    ["area.reset", "A1", { after: { voidedScans: 1 } }, "admin reset area A1; 1 scan was voided"],
    [
      "area.reset",
      "A1",
      { after: { voidedScans: 1, madeBy: "Ada" } },
      "admin reset area A1 on behalf of Ada; 1 scan was voided",
    ],
    [
      "area.finished",
      "A1",
      { after: { matched: true, declaredTotal: 12, madeBy: "Ada" } },
      "admin closed area A1 on behalf of Ada with 12 items",
    ],
    [
      "area.finished",
      "A1",
      { after: { matched: false, declaredTotal: 9, serverTotal: 8, madeBy: "Ada" } },
      "admin declared 9 items for area A1 on behalf of Ada, but 8 had been scanned; it must be recounted",
    ],
    ["area.restored", "A1", { after: { restoredPass: 2 } }, "admin restored the previous count of area A1"],
    [
      "account.changed",
      "Grace",
      { after: { passwordChanged: true } },
      "admin changed the account Grace and its password",
    ],
    [
      "count.adjusted",
      "Tee",
      { before: { count: 4 }, after: { count: 0, reason: null } },
      "admin changed the count of Tee from 4 to 0",
    ],
    [
      "figure.included",
      "Tee",
      { after: { included: true, count: 5 } },
      "admin included the uncertain count 5 of Tee",
    ],
    [
      "basis.chosen",
      "Harbour",
      { after: { basis: "count" } },
      "admin changed the comparison point to the stock at the time of counting",
    ],
    [
      "basis.chosen",
      "Harbour",
      { after: { basis: "end", noLongerIncluded: 2, named: ["TEE", "SOCK"] } },
      "admin changed the comparison point to the stock at the end of the session; 2 uncertain counts are to be decided on again",
    ],
    [
      "deploy.requested",
      "Harbour",
      { after: { items: 2, units: -3 } },
      "admin requested the deploy of Harbour: 2 SKUs, -3 units",
    ],
    [
      "deploy.concluded",
      "Harbour",
      { after: { status: "partial", confirmed: 1, confirmedUnits: 2, unclear: 1, notMoved: 3 } },
      "Deploy partly finished: 1 SKU, +2 units, 1 unclear, 3 not moved",
    ],
    [
      "row.settled",
      "Tee",
      { after: { state: "not_moved" } },
      "admin recorded that the stock of Tee was not moved",
    ],
  ])("of %s about %s with %j", (action, name, changes, sentence) => {
    expect(textOf(action, name, changes)).toBe(sentence);
  });

  it("is there for every action, even one whose facts are gone", () => {
    for (const action of AuditAction.options) {
      const text = textOf(action, "Harbour");
      expect(text).toMatch(/^(?:admin|Deploy|Rollback) \w/);
      expect(text).not.toMatch(/undefined|null|NaN|\[object/);
    }
  });
});
