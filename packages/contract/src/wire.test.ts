import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import type { CallDefinition } from "./call.ts";
import { allCalls } from "./calls/index.ts";
import { errorStatuses } from "./errors.ts";

/** What travels: the shapes that clients and servers of different ages have to agree on. */
function wireOf(schema: z.core.$ZodType | undefined, io: "input" | "output"): unknown {
  return schema === undefined ? null : z.toJSONSchema(schema, { io, unrepresentable: "any" });
}

function fingerprint(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12);
}

function fingerprintOf(call: CallDefinition): string {
  const { access, status = 200, refusals = [] } = call;
  const given = [call.params, call.query, call.body].map((schema) => wireOf(schema, "input"));
  return fingerprint({
    access,
    status,
    refusals: [...refusals].sort(),
    given,
    answer: wireOf(call.answer, "output"),
  });
}

// A device that was loaded yesterday meets a server of today. Change a line here only together with a decision about
// what such a device does: fields may be added to answers and, optional, to requests; anything else breaks it.
const pinned: Record<string, string> = {
  "DELETE /api/areas/:id": "c3b277a87b59",
  "DELETE /api/auth/counters/:id": "881d76bc4bce",
  "DELETE /api/invitations/:id": "881d76bc4bce",
  "DELETE /api/locations/:id": "c3b277a87b59",
  "DELETE /api/stores/:id": "13b467d5c2a3",
  "GET /api/area/:sessionId/:areaCode": "9c1ac9c88bec",
  "GET /api/areas": "66081b9edf62",
  "GET /api/areas/by-location/:locationId": "dd5980b8f17c",
  "GET /api/audit": "6f09ddce0a8e",
  "GET /api/audit/export": "0110a2caf04d",
  "GET /api/auth/counters": "28e0e05e3c37",
  "GET /api/auth/invite/:token": "fc8eba617aa1",
  "GET /api/auth/me": "21ae107d4322",
  "GET /api/connections": "507180be0d83",
  "GET /api/device-max-seq": "36cbe5942c84",
  "GET /api/events": "fd2413dd5b24",
  "GET /api/health": "06c41b372f21",
  "GET /api/invitations/session/:sessionId": "2e3b0fd58e19",
  "GET /api/locations": "497b6bf379ed",
  "GET /api/mail/outbox": "ac2824c44c6f",
  "GET /api/operations": "c1d228bb9c1b",
  "GET /api/operations/:id": "aed2ca948610",
  "GET /api/products/map": "9fe8846a48cf",
  "GET /api/ready": "06c41b372f21",
  "GET /api/report/adjustments/:sessionId": "9c9a7b7b18b9",
  "GET /api/report/adjustments/:sessionId/rows": "969458d3f1a4",
  "GET /api/report/counts/:sessionId": "4068eb869844",
  "GET /api/report/deploy/:sessionId/preview": "2aa5fe0589bd",
  "GET /api/report/export/:sessionId": "d905ffe1b847",
  "GET /api/report/rollback/:sessionId/preview": "5ad373682a72",
  "GET /api/report/variance/:sessionId": "2959edc54bf9",
  "GET /api/session": "ecbc9c5ef598",
  "GET /api/session/:id/exceptions": "2e1152e4f1d9",
  "GET /api/session/:id/passes": "2101819d5edb",
  "GET /api/session/:id/progress": "adb57d02f665",
  "GET /api/session/activity": "20b1c07700e9",
  "GET /api/stores": "f246e50cf3e8",
  "GET /api/stores/shopify-locations": "e3eeda94a411",
  "POST /api/area/finish": "eeb73e0a5f57",
  "POST /api/area/reset": "9967843fcdcc",
  "POST /api/areas/reopen": "62b9d03c4649",
  "POST /api/areas/restore": "8331f52448ab",
  "POST /api/auth/admin/change-password": "cbe6faf782de",
  "POST /api/auth/admin/login": "1d8c460ebb76",
  "POST /api/auth/counter/login": "c827bd6bae25",
  "POST /api/auth/invite/:token/accept": "e7f3360334b9",
  "POST /api/auth/logout": "104af2f4a25d",
  "POST /api/auth/newCounterAccount": "477effe9ea31",
  "POST /api/invitations/create": "42db88254114",
  "POST /api/locations": "b12e8c2a629d",
  "POST /api/locations/:id/areas/bulk": "2d2e40a8ae59",
  "POST /api/report/adjust-count/:sessionId": "164b7063fd29",
  "POST /api/report/adjustments/:adjustmentId/leave": "57bee1c81666",
  "POST /api/report/adjustments/:adjustmentId/resume": "f0798ac97465",
  "POST /api/report/adjustments/:adjustmentId/settle": "70284131ca67",
  "POST /api/report/deploy/:sessionId": "1d2626802c54",
  "POST /api/report/rollback/:sessionId": "400267349972",
  "POST /api/scan": "f9fe8d5a152a",
  "POST /api/scan/batch": "7aa13b5c4210",
  "POST /api/scans/:id/resolve": "bd1ca93a39a8",
  "POST /api/session/end": "790576c7dd1b",
  "POST /api/session/start": "cb92b3683eda",
  "POST /api/stores": "75bfe48103ee",
  "POST /api/undo": "4b46129da09f",
  "POST /api/webhooks/shopify": "104af2f4a25d",
  "PUT /api/auth/counters/:id": "96b1e6a5e632",
  "PUT /api/locations/:id": "6a4ca2792b23",
  "PUT /api/report/basis/:sessionId": "fd9842245cab",
  "PUT /api/stores/:id": "9f586735be32",
};

test("what every call takes and answers has not changed unnoticed", () => {
  const found = Object.fromEntries(
    allCalls.map((call) => [`${call.method} ${call.path}`, fingerprintOf(call)]),
  );
  expect(found).toEqual(pinned);
});

test("the error codes and their statuses have not changed unnoticed", () => {
  expect(fingerprint(Object.entries(errorStatuses).sort())).toBe("2d615f61d465");
});
