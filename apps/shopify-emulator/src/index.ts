export type { Catalogue, LocationSeed, ProductSeed, VariantSeed } from "./catalogue.ts";
export { type EmulatorControl, emulatorControl } from "./control/client.ts";
export type {
  CommandInput,
  CommandName,
  CommandOutput,
  ControlCommands,
  ItemAt,
  ShopSnapshot,
  StockReading,
  WebhookDelivery,
  WebhookTarget,
} from "./control/protocol.ts";
export { DEFAULT_CREDENTIALS, type Emulator, type EmulatorOptions, startEmulator } from "./emulator.ts";
export type { Movement, Quantities, QuantityName } from "./entities.ts";
export type { Effect, FaultMatch, FaultRequest } from "./faults.ts";
export type { AppCredentials } from "./http/tokens.ts";
export { csvCatalogue } from "./seeds/csv.ts";
export { demoCatalogue } from "./seeds/demo.ts";
export { syntheticCatalogue } from "./seeds/synthetic.ts";
export type { Settings } from "./settings.ts";
