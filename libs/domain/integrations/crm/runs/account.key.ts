import { type CrmLaneAtWork } from '../lanes/crm.lane.works';
import { type CrmAccountKey } from '../links/crm.links.service';

/** The account with which a lane works. */
export function keyOf({ workspaceId, type, crm }: CrmLaneAtWork): CrmAccountKey {
  return { workspaceId, type, connectionId: crm.connectionId };
}
