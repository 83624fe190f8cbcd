import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36",
    "Chrome on Windows",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36 Edg/149.0.0.0",
    "Microsoft Edge on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  ["curl/8.9.1", null],
  ["", null],
  [undefined, null],
])("%s is %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

test("what somebody makes up is neither long nor slow", () => {
  // Processor time, which a busy machine does not lengthen.
  const started = process.cpuUsage();
  expect((browserName(`${"Mozilla/5.0 (".repeat(1_000)}x`) ?? "").length).toBeLessThan(100);
  expect((browserName("\u0000<script>".repeat(2_000)) ?? "").length).toBeLessThan(100);
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000);
});
