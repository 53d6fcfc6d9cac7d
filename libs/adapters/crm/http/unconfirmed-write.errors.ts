import { CrmError } from '../port/crm.errors';

/** A write without a complete response: it may have happened. Internal to drivers, which report it per person. */
export class UnconfirmedWriteError extends CrmError {}
