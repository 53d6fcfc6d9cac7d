import { type CrmType } from '@adapters/crm';
import { AppError, defineError } from '@platform/errors';

const NOT_CONNECTED = defineError(
  'CRM_NOT_CONNECTED',
  'conflict',
  'The workspace has no connection to this CRM that is switched on and in force.',
  'needs-human',
);

export function crmNotConnected(type: CrmType): AppError {
  return new AppError(NOT_CONNECTED, `The workspace is not connected to ${type}, or the connection is switched off`);
}
