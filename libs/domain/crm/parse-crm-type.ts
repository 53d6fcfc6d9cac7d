import { type CrmType, isCrmType } from '@adapters/crm';
import { notFound } from '@platform/errors';

/** The CRM of a path parameter. @throws NOT_FOUND for any other value */
export function parseCrmType(name: string): CrmType {
  if (isCrmType(name)) return name;
  throw notFound('Integration');
}
