/**
 * The EPC of an item as an RFID reader types it: SGTIN-96 with a company prefix of seven digits and the filter of a point-of-sale item.
 * `gtin`: 8 to 14 digits with their check digit.
 */
export function epcOf(gtin: string, serial: number | bigint): string {
  const digits = gtin.padStart(14, "0");
  const company = BigInt(digits.slice(1, 8));
  const item = BigInt(`${digits.slice(0, 1)}${digits.slice(8, 13)}`);
  const bits = (0x30n << 88n) | (1n << 85n) | (5n << 82n) | (company << 58n) | (item << 38n) | BigInt(serial);
  return bits.toString(16).toUpperCase().padStart(24, "0");
}
