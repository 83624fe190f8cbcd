import { afterEach, expect, test } from "vitest";
import { codes, countInEachTest, countsOf, scan } from "../testing/scene.ts";

const scene = countInEachTest();
afterEach(() => scene.server.shop.reset());

const own = codes.jacketS.sku;

/** Adds a product with this SKU in Shopify; returns the SKU that the session gives it. */
async function duplicate(sku: string): Promise<string> {
  await scene.server.shop.addProduct({ title: "Copy", variants: [{ sku }] });
  await scene.server.context.catalogue.refresh();
  const { sku: given } = await scene.server.database.database
    .selectFrom("sessionItems")
    .select("sku")
    .where("sessionId", "=", scene.session._id)
    .where("productTitle", "=", "Copy")
    .executeTakeFirstOrThrow();
  return given;
}

test("a SKU keeps its meaning when its product is duplicated during the count; a label that reads so is asked about", async () => {
  await scan(scene, { seq: 1, input: own, inputType: "sku" });
  const copy = await duplicate(own);
  expect(copy).toMatch(/^JK-1000#\d+$/);
  const sent = await scan(scene, { seq: 2, input: own, inputType: "sku" });
  expect(sent).toMatchObject({ status: "counted", scan: { sku: own } });
  const label = await scan(scene, { seq: 3, input: own, inputType: "barcode" });
  expect(label).toMatchObject({ status: "unresolved", reason: "AMBIGUOUS_CODE" });
  await scan(scene, { seq: 4, input: copy, inputType: "sku" });
  expect(await countsOf(scene)).toEqual({ [own]: 2, [copy]: 1 });
});

test("a newcomer never gets a SKU that the session asks about, even where it is the only one in the shop by then", async () => {
  const { variants } = await scene.server.shop.snapshot();
  for (const { itemId: item } of variants.filter(({ sku }) => sku === codes.shared.input)) {
    await scene.server.shop.changeVariant({ item, change: { sku: null } });
  }
  expect(await duplicate(codes.shared.input)).toMatch(/^SCARF#\d+$/);
  const sent = await scan(scene, { seq: 1, input: codes.shared.input, inputType: "sku" });
  expect(sent).toMatchObject({ status: "unresolved", reason: "AMBIGUOUS_CODE" });
});
