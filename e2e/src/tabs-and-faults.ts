/** The areas of the tests of many tabs and of a device's faults, which share a stage. */
export const tabsAndFaultsPlan = {
  areas: ["T1", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9"].map((code) => ({
    code,
    name: `Bay ${code}`,
  })),
};
