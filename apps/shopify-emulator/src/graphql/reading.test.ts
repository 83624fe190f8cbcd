import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { syntheticCatalogue } from "../seeds/synthetic.ts";
import { openShop } from "../test-shop.ts";

interface VariantPage {
  readonly productVariants: {
    readonly nodes: readonly { id: string; sku: string }[];
    readonly pageInfo: {
      hasNextPage: boolean;
      hasPreviousPage: boolean;
      startCursor: string;
      endCursor: string;
    };
  };
}

describe("reading the shop", () => {
  it("answers the shop and its locations, inactive ones only when asked for", async () => {
    const catalogue = {
      ...syntheticCatalogue(1),
      locations: [{ name: "Open" }, { name: "Shut", isActive: false }],
    };
    const { ask } = await openShop({ catalogue });
    const shop = await ask<{ shop: unknown }>(OPERATIONS.shop);
    expect(shop.data.shop).toEqual({
      id: "gid://shopify/Shop/61000000001",
      name: "Measuring Shop",
      myshopifyDomain: "measuring-shop.myshopify.com",
      currencyCode: "USD",
    });
    const names = async (includeInactive: boolean) => {
      const answer = await ask<{ locations: { nodes: { name: string }[] } }>(OPERATIONS.locations, {
        first: 10,
        includeInactive,
      });
      return answer.data.locations.nodes.map(({ name }) => name);
    };
    expect([await names(false), await names(true)]).toEqual([["Open"], ["Open", "Shut"]]);
  });

  it("answers a variant with its item, cost, picture and level", async () => {
    const { ask, north, url, itemId } = await openShop();
    const answer = await ask<VariantPage>(OPERATIONS.variants, { first: 1, locationId: north });
    expect(answer.data.productVariants.nodes).toMatchObject([
      {
        title: "S",
        sku: "TEE-S",
        barcode: "2900000000018",
        displayName: "Tee - S",
        requiresComponents: false,
        selectedOptions: [{ name: "Size", value: "S" }],
        product: {
          title: "Tee",
          vendor: "Tern & Co",
          productType: "Tops",
          status: "ACTIVE",
          featuredMedia: { preview: { image: { url: `${url}/images/tee.svg` } } },
        },
        inventoryItem: {
          id: itemId("TEE-S"),
          tracked: true,
          unitCost: { amount: "6.50", currencyCode: "USD" },
          inventoryLevel: {
            isActive: true,
            updatedAt: "2026-10-05T12:00:00Z",
            quantities: [
              { name: "on_hand", quantity: 5, updatedAt: null },
              { name: "available", quantity: 5, updatedAt: "2026-10-05T12:00:00Z" },
              { name: "committed", quantity: 0, updatedAt: null },
              { name: "reserved", quantity: 0 },
              { name: "damaged", quantity: 0 },
              { name: "quality_control", quantity: 0 },
              { name: "safety_stock", quantity: 0 },
              { name: "incoming", quantity: 0 },
            ],
          },
        },
      },
    ]);
  });

  it("answers null for the level of an item that is not stocked there", async () => {
    const { ask, south } = await openShop();
    const answer = await ask<{
      productVariants: { nodes: { inventoryItem: { inventoryLevel: unknown } }[] };
    }>(OPERATIONS.variants, { first: 4, locationId: south });
    const levels = answer.data.productVariants.nodes.map(
      ({ inventoryItem }) => inventoryItem.inventoryLevel !== null,
    );
    expect(levels).toEqual([true, false, true, true]);
  });

  it("answers nodes in the order of the ids, and null for what is gone", async () => {
    const { ask, north, itemId, control } = await openShop();
    const ids = [itemId("TEE-M"), itemId("TEE-S"), "gid://shopify/InventoryItem/1"];
    await control.deleteVariant({ item: "TEE-S" });
    const answer = await ask<{ nodes: ({ id: string } | null)[] }>(OPERATIONS.items, {
      ids,
      locationId: north,
    });
    expect(answer.data.nodes.map((node) => node?.id ?? null)).toEqual([ids[0], null, null]);
  });

  it("refuses more than 250 ids", async () => {
    const { ask, north, itemId } = await openShop();
    const ids = Array.from({ length: 251 }, () => itemId("TEE-S"));
    const answer = await ask(OPERATIONS.items, { ids, locationId: north });
    expect(answer.errors?.[0]?.extensions?.code).toBe("MAX_INPUT_SIZE_EXCEEDED");
  });

  it("counts variants up to a limit and says when there are more", async () => {
    const { ask } = await openShop();
    const count = async (limit: number | null) => (await ask(OPERATIONS.variantsCount, { limit })).data;
    expect(await count(null)).toEqual({ productVariantsCount: { count: 4, precision: "EXACT" } });
    expect(await count(3)).toEqual({ productVariantsCount: { count: 3, precision: "AT_LEAST" } });
  });
});

describe("paging", () => {
  it("shows every variant once over pages of 250", async () => {
    const { ask, north } = await openShop({ catalogue: syntheticCatalogue(620) });
    const skus: string[] = [];
    let after: string | null = null;
    const sizes: number[] = [];
    do {
      const answer: VariantPage = (
        await ask<VariantPage>(OPERATIONS.variants, { first: 250, after, locationId: north })
      ).data;
      const { nodes, pageInfo } = answer.productVariants;
      skus.push(...nodes.map(({ sku }) => sku));
      sizes.push(nodes.length);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect([sizes, new Set(skus).size]).toEqual([[250, 250, 120], 620]);
  });

  it("goes on behind a cursor whose own row was deleted, without a gap", async () => {
    const { ask, north, control } = await openShop({ catalogue: syntheticCatalogue(6) });
    const page = async (after: string | null) =>
      (await ask<VariantPage>(OPERATIONS.variants, { first: 3, after, locationId: north })).data
        .productVariants;
    const first = await page(null);
    await control.deleteVariant({ item: "SYN-1000002" });
    const second = await page(first.pageInfo.endCursor);
    expect(second.nodes.map(({ sku }) => sku)).toEqual(["SYN-1000003", "SYN-1000004", "SYN-1000005"]);
  });

  it("pages backwards with last and before", async () => {
    const { ask, north } = await openShop({ catalogue: syntheticCatalogue(5) });
    const last = await ask<VariantPage>(OPERATIONS.variants, { last: 2, locationId: north });
    const before = last.data.productVariants.pageInfo.startCursor;
    const earlier = await ask<VariantPage>(OPERATIONS.variants, { last: 2, before, locationId: north });
    expect(earlier.data.productVariants).toMatchObject({
      nodes: [{ sku: "SYN-1000001" }, { sku: "SYN-1000002" }],
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
  });

  it("refuses a page above 250, one without a size, and a cursor that is none", async () => {
    const { ask, north } = await openShop();
    const code = async (page: object) =>
      (await ask(OPERATIONS.variants, { ...page, locationId: north })).errors?.[0]?.extensions?.code;
    expect(await code({ first: 251 })).toBe("MAX_INPUT_SIZE_EXCEEDED");
    expect(await code({})).toBe("BAD_REQUEST");
    const unread = await ask(OPERATIONS.variants, { first: 1, after: "x", locationId: north });
    expect(unread.errors?.[0]?.message).toBe("Invalid cursor for current pagination sort.");
  });

  it("gives no page more rows than it is set to, and says that there are more", async () => {
    const { ask, north } = await openShop({ catalogue: syntheticCatalogue(3), settings: { pageRows: 2 } });
    const page = (after: string | null) =>
      ask<VariantPage>(OPERATIONS.variants, { first: 250, after, locationId: north });
    const { nodes, pageInfo } = (await page(null)).data.productVariants;
    expect([nodes.length, pageInfo.hasNextPage]).toEqual([2, true]);
    const rest = (await page(pageInfo.endCursor)).data.productVariants;
    expect([rest.nodes.length, rest.pageInfo.hasNextPage]).toEqual([1, false]);
  });

  it("stops with an error at the end of its reach", async () => {
    const { ask, north } = await openShop({ catalogue: syntheticCatalogue(6), settings: { pageReach: 4 } });
    const page = (after: string | null) =>
      ask<VariantPage>(OPERATIONS.variants, { first: 4, after, locationId: north });
    const first = (await page(null)).data.productVariants;
    expect(first.pageInfo.hasNextPage).toBe(true);
    expect((await page(first.pageInfo.endCursor)).errors?.[0]?.message).toBe(
      "Cannot paginate past 4 objects. Use a bulk operation.",
    );
  });
});

describe("searching", () => {
  it("finds variants by SKU or barcode, without case", async () => {
    const { ask, north } = await openShop();
    const find = async (query: string) =>
      (await ask<VariantPage>(OPERATIONS.variants, { first: 5, query, locationId: north })).data
        .productVariants.nodes;
    expect(await find("sku:tee-m")).toMatchObject([{ sku: "TEE-M" }]);
    expect(await find("barcode:'2900000000018'")).toMatchObject([{ sku: "TEE-S" }]);
    expect(await find("sku:NONE")).toEqual([]);
  });

  it("lists the levels of a location that changed since a time, to the second", async () => {
    const { ask, north, control, advance, itemId } = await openShop();
    advance(5000);
    await control.receive({ item: "TEE-M", location: north, quantity: 1 });
    const changed = async (query: string) => {
      const answer = await ask<{ location: { inventoryLevels: { nodes: { item: { id: string } }[] } } }>(
        OPERATIONS.levels,
        { locationId: north, first: 10, query },
      );
      return answer.data.location.inventoryLevels.nodes.map(({ item }) => item.id);
    };
    expect(await changed("updated_at:>'2026-10-05T12:00:00Z'")).toEqual([itemId("TEE-M")]);
    expect(await changed("updated_at:>2026-10-05T12:00:05Z")).toEqual([]);
    expect(await changed("updated_at:>='2026-10-05T12:00:05Z'")).toEqual([itemId("TEE-M")]);
  });

  it("lists a deactivated level only when inactive ones are asked for", async () => {
    const { ask, north, control, advance } = await openShop();
    advance(60_000);
    await control.deactivateLevel({ item: "TEE-S", location: north });
    const changed = async (includeInactive: boolean) => {
      const query = "updated_at:>'2026-10-05T12:00:30Z'";
      const variables = { locationId: north, first: 10, query, includeInactive };
      const answer = await ask<{ location: { inventoryLevels: { nodes: { isActive: boolean }[] } } }>(
        OPERATIONS.levels,
        variables,
      );
      return answer.data.location.inventoryLevels.nodes;
    };
    expect(await changed(false)).toEqual([]);
    expect(await changed(true)).toMatchObject([{ isActive: false }]);
  });

  it("refuses what it cannot search by instead of ignoring it", async () => {
    const { ask, north } = await openShop();
    const message = async (query: string) =>
      (await ask(OPERATIONS.variants, { first: 1, query, locationId: north })).errors?.[0]?.message;
    expect(await message("vendor:x")).toBe("The stand-in shop cannot search by vendor.");
    expect(await message("blue tee")).toBe("The stand-in shop cannot read the search blue tee.");
  });
});
