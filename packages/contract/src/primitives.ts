import * as z from "zod/mini";
import { limits } from "./limits.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const idOfNothing = "00000000-0000-0000-0000-000000000000";

/** An identifier in an answer: opaque to clients. */
export const Id = z.string();

/**
 * An identifier in a request. A malformed one names nothing, exactly as an unknown one does, so it becomes
 * the id that no row has and every look-up ends with NOT_FOUND instead of VALIDATION.
 */
export const IdInput = z.pipe(
  z.string("An id is required."),
  z.transform((value: string) => (uuidPattern.test(value.trim()) ? value.trim().toLowerCase() : idOfNothing)),
);

/** A numeric identifier in a request (scans); malformed becomes 0, which no row has. */
export const NumericIdInput = z.pipe(
  z.string("An id is required."),
  z.transform((value: string) => (/^[1-9]\d{0,15}$/.test(value.trim()) ? Number(value.trim()) : 0)),
);

/** A running number in an address, as a sample's or a sheet's; what is none becomes 0, which nothing has. */
export const NumberInAddress = z.pipe(
  z.string("A number is required."),
  z.transform((value: string) => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : 0)),
);

/** An ISO 8601 time in UTC with milliseconds. */
export const Timestamp = z.string();

/** An ISO 8601 time of a client; any offset is accepted. */
export const TimestampInput = z.iso.datetime({ offset: true, error: "The time is not an ISO 8601 time." });

/** A whole number of units, 0 to 1,000,000. */
export const Quantity = z
  .int("Enter a whole number.")
  .check(
    z.gte(0, "The number can't be below 0."),
    z.lte(limits.quantity, `The number can't be above ${limits.quantity.toLocaleString("en")}.`),
  );

/** A number of units that one scan may count, from `minimum` to 9,999. */
export const scanUnitsFrom = (minimum: number) =>
  z
    .int("Enter a whole number of units.")
    .check(
      z.gte(minimum, `The number of units can't be below ${minimum}.`),
      z.lte(
        limits.scanQuantity,
        `The number of units can't be above ${limits.scanQuantity.toLocaleString("en")}.`,
      ),
    );

/** How many units one scan counts, 1 to 9,999. */
export const ScanQuantity = scanUnitsFrom(1);

/** A device's running number of a scan: from 1, a safe integer. */
export const Sequence = z.int("seq must be a whole number.").check(z.gte(1, "seq starts at 1."));

/** An area's pass: a whole number that only grows. */
export const Pass = z
  .int("pass must be a whole number.")
  .check(z.gte(1, "pass starts at 1."), z.lte(limits.pass));

/**
 * What a device names as the pass of what it scanned after a reset that was refused as the area is others' or closed, or its session over. No area
 * reaches it, so that such a scan is late whatever becomes of the area, also on a server that is restored from before the refusal.
 */
export const passOfNoCount = limits.pass;

/** The UUID under which the server keeps the answer of a device's operation. */
export const OperationKey = z
  .string("opId must be a UUID.")
  .check(z.regex(uuidPattern, "opId must be a UUID."), z.toLowerCase());

export const Success = z.object({ success: z.literal(true) });
