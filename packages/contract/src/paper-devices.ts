/** The device of the scans that come from a file of counts. */
export const fileDevice = "a file";

/** The device of a count sheet's scans: where in the report a count comes from. */
export const sheetDevice = (number: number) => `sheet ${number}`;

const sheetForm = /^sheet (\d+)$/;

/** The number of the count sheet whose scans have the device; null of any other. */
export function sheetOfDevice(deviceId: string): number | null {
  const number = sheetForm.exec(deviceId)?.[1];
  return number === undefined ? null : Number(number);
}

/** The device is none: its scans come from paper, by the hand of an administrator. */
export function isOfPaper({ deviceId }: { readonly deviceId: string }): boolean {
  return deviceId === fileDevice || sheetOfDevice(deviceId) !== null;
}
