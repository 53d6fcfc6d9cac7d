import { type SecretBoxService } from '@platform/secrets';
import { type Types } from 'mongoose';
import { connectionSecretOwner } from '../../connections/crm-secrets';
import { type CrmConnectionRecord } from '../../connections/schemas/crm-connection.record';

/** The stored connection of a HubSpot account by a key. */
export function newHubSpotConnection(
  workspaceId: Types.ObjectId,
  _id: Types.ObjectId,
  now: Date,
  secrets: SecretBoxService,
): Partial<CrmConnectionRecord> {
  return {
    _id,
    workspaceId,
    type: 'hubspot',
    authMethod: 'key',
    enabled: true,
    status: 'connected',
    accountId: 'portal',
    baseUrl: 'https://api.hubapi.com',
    apiKey: secrets.seal('key', connectionSecretOwner(workspaceId, _id, 'apiKey')),
    tokenVersion: 0,
    revision: 0,
    mapping: [],
    ownerPolicy: 'keep',
    connectedAt: now,
    checkedAt: now,
    totalPulled: 0,
    totalPushed: 0,
  };
}
