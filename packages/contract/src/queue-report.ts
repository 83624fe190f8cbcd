import * as z from "zod/mini";
import { Quantity, Sequence } from "./primitives.ts";
import { DeviceId, DeviceKey } from "./text.ts";

/**
 * What a device tells of its queue beside what it sends (docs/SYNC.md, S10). Absent where nothing remains and the server has heard it, and from
 * clients of earlier releases, which tell of scans alone and number no reports.
 */
export const queueReport = {
  /** How many rows of the session the device still holds after this: scans, undos, resets and finishes. */
  pending: z.optional(Quantity),
  /** Grows with each of a device's reports: an earlier one that arrives later says nothing. */
  pendingOrder: z.optional(Sequence),
  /** Shows that the device itself tells it. Absent from clients of earlier releases, and from those that tell nothing of their own. */
  deviceKey: z.optional(DeviceKey),
};

const notANumber = "pending and pendingOrder must be whole numbers.";
const numberInAddress = (schema: typeof Quantity) =>
  z.optional(
    z.pipe(
      z.pipe(z.string(notANumber).check(z.regex(/^\d{1,16}$/, notANumber)), z.transform(Number)),
      schema,
    ),
  );

/** The same in an address, which carries text only, and no key: addresses are written into logs on the way. */
export const queueReportInAddress = {
  pending: numberInAddress(Quantity),
  pendingOrder: numberInAddress(Sequence),
};

/** The header with the key of a report that is in an address. */
export const deviceKeyHeader = "x-stocktake-device-key";

/** Loose: the server reads other headers after these. */
export const deviceKeyInHeaders = z.looseObject({ [deviceKeyHeader]: z.optional(DeviceKey) });

/** The same beside what names no device otherwise. */
export const queueReportOfDevice = { deviceId: z.optional(DeviceId), ...queueReport };

/**
 * The statuses by which a device is done with a scan, an undo, a reset or a finish. Any other, such as a 403 behind a changed address, speaks of
 * the way to the server and may pass: the row stays in the queue (docs/SYNC.md, S13).
 */
export const refusedForGood: ReadonlySet<number> = new Set([400, 404, 409]);
