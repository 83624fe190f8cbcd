import { describe, expect, it } from "vitest";
import { cacheNameOf, outdatedCaches, strategyFor } from "./strategy.ts";

const origin = "https://count.example";
const get = (path: string, mode = "cors") => ({ method: "GET", mode, url: `${origin}${path}` });

describe("the service worker", () => {
  it.each(["/api/stores", "/api/auth/me", "/api"])("leaves %s to the network", (path) => {
    expect(strategyFor(get(path), origin)).toBe("leave");
    expect(strategyFor(get(path, "navigate"), origin)).toBe("leave");
  });

  it("leaves what is sent, and what belongs to others, to the network", () => {
    expect(strategyFor({ ...get("/assets/a.js"), method: "POST" }, origin)).toBe("leave");
    expect(strategyFor({ method: "GET", mode: "no-cors", url: "https://cdn.example/1.jpg" }, origin)).toBe(
      "leave",
    );
  });

  it("every screen's address is the app's page, everything else a file", () => {
    expect(strategyFor(get("/counter/scan", "navigate"), origin)).toBe("page");
    expect(strategyFor(get("/assets/a.js"), origin)).toBe("file");
  });

  it("keeps the build before for pages still open, and nothing that isn't its own to delete", () => {
    const [first, second, third] = ["1", "2", "3"].map(cacheNameOf);
    expect(outdatedCaches(["other", `${first}`, `${second}`, `${third}`], `${third}`)).toEqual([first]);
    expect(outdatedCaches([`${first}`], `${first}`)).toEqual([]);
  });
});
