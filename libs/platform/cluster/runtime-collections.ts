/** What belongs to processes that run, and means nothing without them: no part of what is stored. */
export const RUNTIME_COLLECTIONS: ReadonlySet<string> = new Set(['leases', 'fleet_members']);
