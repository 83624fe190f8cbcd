import { expect, test } from "vitest";
import { visitorAddress } from "./visitor-address.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:10.20.30.40", "10.20.30.40"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::99", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001::2:3:4:5:6:7", "2001:0:2:3::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  // What is no address of either kind is counted as it is.
  ["", ""],
  ["x::ffff:203.0.113.7", "x::ffff:203.0.113.7"],
  ["::ffff:203.0.113.7:80", "::ffff:203.0.113.7:80"],
])("guesses from %s count under %s", (ip, counted) => {
  expect(visitorAddress(ip)).toBe(counted);
});
