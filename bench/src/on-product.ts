import { startEmulator } from "@stocktake/shopify-emulator";
import { type Product, startProduct } from "@stocktake/testkit";

/** Runs a measure on the built product and an emulated shop, prints what it found wrong, and fails where that is anything. */
export async function proveOnProduct(
  adminPassword: string,
  measure: (product: Product) => Promise<string[]>,
): Promise<void> {
  const emulator = await startEmulator();
  const product = await startProduct({ shopifyUrl: emulator.url, adminPassword });
  try {
    const wrong = await measure(product);
    for (const sentence of wrong) process.stdout.write(`WRONG: ${sentence}\n`);
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    await product.stop();
    await emulator.close();
  }
}
