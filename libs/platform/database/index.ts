export {
  Collection,
  type CollectionIndex,
  type CollectionOptions,
  getCollection,
  getDeclaration,
} from './collection.decorator';
export { CollectionIndexService, getIndexes } from './collection-index.service';
export { type FieldPath, type RecordClass } from './field-path';
export { firstReadOptions } from './connection-options';
export { DatabaseModule } from './database.module';
export { isDatabaseUnavailable, isDuplicateKey, mayBeCommitted } from './database.errors';
export { driverConnection } from './mongo-driver-patch';
export { type DueRecord, dueRecords } from './due-records';
export {
  type RecordLease,
  type RecordRunEnd,
  toHolderFilter,
  releaseRecordLease,
  NO_LEASE,
  SCHEDULED_RUN_FIELDS,
  type ScheduledRun,
  renewRecordLease,
  acquireRecordLease,
} from './record-lease';
export { type Lease, LeaseService } from './lease.service';
export { LEASE_MS, LeaseHeartbeat, OVERDUE_LEASE_MS } from './lease-heartbeat';
export { LeaseLostError } from './lease-lost.errors';
export { LeaseRenewalService } from './lease-renewal.service';
export { writeConflict, rerunOnWriteConflict } from './write-conflict';
export { parseId } from './object-id';
export { type Page, type PageRequest, type PageOrder, PageService } from './page.service';
export { type EncryptedField, encryptedFields } from './encrypted-fields';
export { searchFilter } from './search-filter';
export { tenantCollections } from './tenant-guard';
export { isInsideTransaction, TransactionService } from './transaction.service';
