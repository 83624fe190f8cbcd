import { describe, expect, test, vi } from "vitest";
import { type LiveLevel, PlatformUnavailableError } from "../../shopify/shopify.ts";
import { checkShop, requireSameShop, unmovableReason } from "./shop-check.ts";

const session = { shopDomain: "linden.example", shopifyLocationId: "gid://1" };
const shopTime = { byOurClock: () => null };

function level(changes: Partial<LiveLevel> = {}): LiveLevel {
  return {
    ...{ tracked: true, stocked: true, onHand: 2, available: 2, committed: 0 },
    ...{ availableUpdatedAt: null, levelUpdatedAt: null, ...changes },
  };
}

/** A shop that has these items. */
function shopWith(items: Readonly<Record<string, LiveLevel | null>>, domain = session.shopDomain) {
  const asked: unknown[] = [];
  return {
    asked,
    platform: {
      shop: async () => ({ id: "gid://shop/1", name: "Linden", domain, currency: "USD" }),
      async liveLevels(location: string, ids: readonly string[]) {
        asked.push({ location, ids });
        return new Map(Object.entries(items));
      },
    },
    logger: { warn: vi.fn() },
    shopTime,
  };
}

describe("what Shopify can't move any more", () => {
  test.each([
    ["an item that it does not have", undefined, "DELETED", "DELETED"],
    ["an item that it has no more", null, "DELETED", "DELETED"],
    ["an item that is not tracked", level({ tracked: false }), "UNTRACKED", "UNTRACKED"],
    ["an item that is not stocked there", level({ stocked: false }), "NOT_STOCKED", null],
    ["an item that is there", level(), null, null],
  ] as const)("%s", (_what, found, deploy, rollback) => {
    expect([unmovableReason(found, "deploy"), unmovableReason(found, "rollback")]).toEqual([
      deploy,
      rollback,
    ]);
  });
});

describe("asking Shopify before a deploy", () => {
  const ids = ["here", "gone", "elsewhere"];

  test("tells the levels of the items at the session's location, and which can't be moved", async () => {
    const levels = { here: level(), gone: null, elsewhere: level({ stocked: false }) };
    const services = shopWith(levels);
    expect(await checkShop(services, session, ids)).toEqual({
      levels: new Map(Object.entries(levels)),
      unmovable: new Map([
        ["gone", "DELETED"],
        ["elsewhere", "NOT_STOCKED"],
      ]),
      ...{ shopTime, asked: true },
    });
    expect(services.asked).toEqual([{ location: session.shopifyLocationId, ids }]);
    expect(services.logger.warn).not.toHaveBeenCalled();
  });

  test("asks nothing of another shop", async () => {
    const { asked, platform, ...services } = shopWith({}, "another.example");
    await expect(checkShop({ ...services, platform }, session, ids)).rejects.toMatchObject({
      code: "SHOP_CHANGED",
    });
    await expect(requireSameShop(platform, session, AbortSignal.timeout(5000))).rejects.toMatchObject({
      code: "SHOP_CHANGED",
    });
    await requireSameShop(shopWith({}).platform, session, AbortSignal.timeout(5000));
    expect(asked).toEqual([]);
  });

  const nothingKnown = { levels: new Map(), unmovable: new Map(), asked: false };

  test("names no item where there is no answer, and writes that there was none", async () => {
    const services = shopWith({ here: null });
    const platform = {
      ...services.platform,
      liveLevels: () => Promise.reject(new PlatformUnavailableError("unreachable", "no route")),
    };
    const state = await checkShop({ ...services, platform }, session, ids);
    expect(state).toMatchObject(nothingKnown);
    expect(state.shopTime.byOurClock(0)).toBeNull();
    expect(services.logger.warn).toHaveBeenCalledTimes(1);
  });

  test("names no item where time ran out, whatever the reason that is given", async () => {
    const services = shopWith({ here: null });
    const platform = { ...services.platform, liveLevels: () => Promise.reject(new Error("aborted")) };
    const given = { ...services, platform };
    expect(await checkShop(given, session, ids, AbortSignal.abort())).toMatchObject(nothingKnown);
    await expect(checkShop(given, session, ids)).rejects.toThrow("aborted");
  });
});
