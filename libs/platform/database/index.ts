export { Collection, type CollectionIndex, type CollectionOptions } from './collection.decorator';
export { DatabaseModule } from './database.module';
export { isDatabaseUnavailable, isDuplicateKey } from './database.errors';
export { type Lease, Leases } from './lease.service';
export { parseId } from './object-id';
export { type Page, type PageRequest, type PageOrder, Pages } from './page.service';
export { searchFilter } from './search.filter';
export { tenantCollections } from './tenant.guard';
export { Transactions } from './transactions.service';
