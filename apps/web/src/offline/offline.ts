/** What pages use of this device. The app opens it with `device/device-provider.tsx`, which loads the rest when needed. */
export { type Cached, cachedLists, readThroughCache } from "./database/cached-lists.ts";
export type { StocktakeDatabase } from "./database/database.ts";
export {
  type CountedUnits,
  isCountedHere,
  isLost,
  isMismatch,
  isOfNoCount,
  isScannerRefused,
  isUndoRefused,
  isUnheardTag,
  isUnknownHere,
  isUnsettled,
  type LocalOutcome,
  type OperationRecord,
  type PendingOperation,
  type PendingScan,
  stillCounts,
  unitsOf,
  unitsOfScan,
} from "./database/records.ts";
export { deleteSetting, readSetting, type Setting, settings, writeSetting } from "./database/settings.ts";
export type { CountingDevice } from "./device/counting-device.ts";
export { useDeviceState, useOnline, useOutboxEvents, useQueueState } from "./device/device-context.ts";
export { askForPersistence, readStatistics } from "./device/statistics.ts";
export type { CountedArea, OperationDraft, ScanDraft } from "./outbox/append.ts";
export type { OutboxEvent } from "./outbox/events.ts";
export { markRead, retention } from "./outbox/maintenance.ts";
export type { QueueState } from "./outbox/queue-monitor.ts";
export {
  readDeclined,
  readLeft,
  readNotCounted,
  readPass,
  readRefusedUndos,
  readResent,
  readSession,
  readSetAside,
} from "./outbox/read.ts";
export { browserPorts, type Timers } from "./ports.ts";
export type { HeldProducts } from "./products/packed-products.ts";
export { type ProductSyncState, readProductSyncState } from "./products/product-store.ts";
export {
  openProducts,
  type ProductSyncProgress,
  productSyncMessage,
  productSyncMessages,
  refreshProducts,
  syncProducts,
} from "./products/product-sync.ts";
export {
  exportQueue,
  type QueueFile,
  readQueueFile,
  type SavedOperation,
  type SavedScan,
  type SavedUndo,
} from "./saved-queue/saved-queue.ts";
export { scanContent } from "./sync/send-scans.ts";
