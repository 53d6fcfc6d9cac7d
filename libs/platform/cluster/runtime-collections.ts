/** Collections of running processes. They are no part of a backup and do not make a database count as used. */
export const RUNTIME_COLLECTIONS: ReadonlySet<string> = new Set(['leases', 'cluster_members']);
