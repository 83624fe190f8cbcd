/**
 * Bounds of how far the server's clock is ahead of the device's, in milliseconds. The Date header is truncated to whole
 * seconds, so one response only bounds the offset; each further response narrows it.
 */
export interface ClockOffset {
  readonly low: number;
  readonly high: number;
}

/** One response: when the call was sent and received by the device's clock, and the Date header in milliseconds. */
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

/** Narrows the offset by one more response. Where the two contradict each other, a clock was set: only the new one counts. */
export function narrowOffset(known: ClockOffset | null, sample: ClockSample): ClockOffset {
  const bounds = boundsOf(sample);
  if (known === null) return bounds;
  const low = Math.max(known.low, bounds.low);
  const high = Math.min(known.high, bounds.high);
  return low <= high ? { low, high } : bounds;
}

/** The device's time corrected to the server's, in milliseconds; unchanged while the offset is unknown. */
export function toServerTime(deviceTime: number, offset: ClockOffset | null): number {
  return offset === null ? deviceTime : Math.round(deviceTime + (offset.low + offset.high) / 2);
}
