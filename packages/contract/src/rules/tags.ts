/** What an RFID tag says of the one item that it is on. */
export interface Tag {
  /** Names the item, whatever else its tag says: the GTIN and the serial number. */
  readonly key: string;
  /** The product's GTIN, 14 digits. */
  readonly gtin: string;
  readonly serial: string;
}

/** How an SGTIN-96 divides the 44 bits of its GTIN, and the 13 digits that these encode. */
interface Partition {
  readonly companyBits: number;
  readonly companyDigits: number;
}

/**
 * The partition table of SGTINs: GS1 EPC Tag Data Standard 1.13 (2019), section 14.3, table 14-2. The place in the list is the partition
 * value. What the company prefix leaves of 44 bits and 13 digits is the indicator digit with the item reference.
 */
const partitions: readonly Partition[] = [
  { companyBits: 40, companyDigits: 12 },
  { companyBits: 37, companyDigits: 11 },
  { companyBits: 34, companyDigits: 10 },
  { companyBits: 30, companyDigits: 9 },
  { companyBits: 27, companyDigits: 8 },
  { companyBits: 24, companyDigits: 7 },
  { companyBits: 20, companyDigits: 6 },
];
const gtinBits = 44;
const gtinDigits = 13;
const serialBits = 38;

/** 96 bits as readers type them; the first eight are the header of an SGTIN-96. */
const sgtin96 = /^30[\da-f]{22}$/i;

/** The check digit of 13 digits of a GTIN (GS1 General Specifications, 7.9). */
function checkDigit(digits: string): number {
  const sum = [...digits].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}

/** So many digits, or null for a number that has more. */
function asDigits(value: bigint, count: number): string | null {
  const digits = value.toString().padStart(count, "0");
  return digits.length === count ? digits : null;
}

/**
 * Reads an SGTIN-96 as an RFID reader types it, 24 hexadecimal digits (GS1 EPC Tag Data Standard 1.13, section 14.5.1.1). Null for
 * whatever is none: another length or header, a partition that is not assigned, or more digits than its partition has. The filter
 * value says how the tag was made and is no part of what it names.
 */
export function readTag(code: string): Tag | null {
  const epc = code.trim();
  if (!sgtin96.test(epc)) return null;
  const bits = BigInt(`0x${epc}`);
  const field = (end: number, size: number) => (bits >> BigInt(end)) & ((1n << BigInt(size)) - 1n);
  const partition = partitions[Number(field(serialBits + gtinBits, 3))];
  if (partition === undefined) return null;
  const { companyBits, companyDigits } = partition;
  const itemBits = gtinBits - companyBits;
  const company = asDigits(field(serialBits + itemBits, companyBits), companyDigits);
  const item = asDigits(field(serialBits, itemBits), gtinDigits - companyDigits);
  if (company === null || item === null) return null;
  // The indicator digit is the first of the item reference, and of the GTIN.
  const digits = `${item.slice(0, 1)}${company}${item.slice(1)}`;
  const gtin = `${digits}${checkDigit(digits)}`;
  const serial = field(0, serialBits).toString();
  return { key: `${gtin}.${serial}`, gtin, serial };
}
