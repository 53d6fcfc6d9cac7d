/** Another worker holds the lease: the caller stops and has written nothing. */
export class CrmLeaseLostError extends Error {
  constructor() {
    super('Another worker holds the lease of the CRM partition');
  }
}
