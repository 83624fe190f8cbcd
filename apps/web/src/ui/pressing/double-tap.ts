/**
 * Two taps within this time are one double tap: people make them 60 to 400 ms apart, and Windows takes clicks for one up to half a second
 * apart. Its second tap means nothing of its own.
 */
export const doubleTapMs = 500;
