/** Keys that come faster one upon the other are a scanner's: no person presses two so soon, in milliseconds. */
export const burstGapMs = 35;
