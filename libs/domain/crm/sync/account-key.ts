import { type CrmWorkContext } from '../work-partitions/crm-work-handler';
import { type CrmAccountKey } from '../links/crm-link.repository';

/** The account of a partition. */
export function getAccountKey({ workspaceId, type, crm }: CrmWorkContext): CrmAccountKey {
  return { workspaceId, type, connectionId: crm.connectionId };
}
