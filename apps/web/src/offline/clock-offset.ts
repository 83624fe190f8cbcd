/**
 * Between which bounds the server's clock is ahead of the device's, in milliseconds. The Date header is cut to whole
 * seconds, so one answer only bounds the offset; each further answer narrows it.
 */
export interface ClockOffset {
  readonly low: number;
  readonly high: number;
}

/** One answer: when the call left and came back by the device's clock, and the answer's Date header in milliseconds. */
export interface ClockSample {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly serverDate: number;
}

const headerResolutionMs = 1000;

function boundsOf(sample: ClockSample): ClockOffset {
  return {
    low: sample.serverDate - sample.receivedAt,
    high: sample.serverDate + headerResolutionMs - sample.sentAt,
  };
}

/** Narrows what is known by one more answer. Where the two cannot both hold, a clock was set: only the new one counts. */
export function narrowOffset(known: ClockOffset | null, sample: ClockSample): ClockOffset {
  const bounds = boundsOf(sample);
  if (known === null) return bounds;
  const low = Math.max(known.low, bounds.low);
  const high = Math.min(known.high, bounds.high);
  return low <= high ? { low, high } : bounds;
}

/** The device's time corrected to the server's, in milliseconds; unchanged while nothing is known. */
export function toServerTime(deviceTime: number, offset: ClockOffset | null): number {
  return offset === null ? deviceTime : Math.round(deviceTime + (offset.low + offset.high) / 2);
}
