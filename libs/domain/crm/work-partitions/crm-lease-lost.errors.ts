import { LeaseLostError } from '@platform/database';

/** Another worker holds the lease: the caller stops and has written nothing. */
export class CrmLeaseLostError extends LeaseLostError {
  constructor() {
    super('Another worker holds the lease of the CRM partition');
  }
}
