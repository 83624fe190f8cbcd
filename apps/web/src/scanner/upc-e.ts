/** Where the zeros that UPC-E leaves out go, by its sixth digit (GS1 General Specifications, 5.2.2.4). */
function expandBody(body: string): string {
  const last = Number(body[5]);
  const zeros = (count: number) => "0".repeat(count);
  if (last <= 2) return body.slice(0, 2) + body[5] + zeros(4) + body.slice(2, 5);
  if (last === 3) return body.slice(0, 3) + zeros(5) + body.slice(3, 5);
  if (last === 4) return body.slice(0, 4) + zeros(5) + body.slice(4, 5);
  return body.slice(0, 5) + zeros(4) + body[5];
}

/** A UPC-E code of eight digits as the UPC-A of twelve that it abbreviates, which is what shops store; else as it is. */
export function expandUpcE(code: string): string {
  if (!/^[01]\d{7}$/.test(code)) return code;
  return code.slice(0, 1) + expandBody(code.slice(1, 7)) + code.slice(7);
}

/** A barcode that was seen, as a scanner would type it. */
export function typedCode({
  format,
  rawValue,
}: {
  readonly format: string;
  readonly rawValue: string;
}): string {
  return format === "upc_e" ? expandUpcE(rawValue) : rawValue;
}
