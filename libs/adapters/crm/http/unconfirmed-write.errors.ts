import { CrmError } from '../port/crm.errors';

/** A write of which no (whole) answer came: it may have happened. Never leaves a driver: it is told by person there. */
export class UnconfirmedWriteError extends CrmError {}
