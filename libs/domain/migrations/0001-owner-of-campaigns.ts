import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';
import { inBatches, setFields } from './batches';

const WITHOUT = { userId: null };

/**
 * Release 0.1.0 stored no user for a campaign created by a workspace key or the operator; now each campaign has one.
 */
export const ownerOfCampaigns: Migration = {
  name: '0001-owner-of-campaigns',
  why: 'A campaign that no user created belongs to the owner of its workspace; a campaign without an owner cannot be shown.',
  isRequired: true,
  left: (database) => database.collection('campaigns').countDocuments(WITHOUT),
  run: (database, signal) =>
    inBatches(database.collection('campaigns'), WITHOUT, signal, async (campaigns) => {
      const owners = await readOwners(database, campaigns);
      return setFields(
        database.collection('campaigns'),
        campaigns.flatMap(({ _id, workspaceId }) => {
          const userId = owners.get(String(workspaceId));
          // A campaign without its workspace remains from an incomplete deletion and cannot be requested.
          return userId ? [{ _id, where: WITHOUT, set: { userId } }] : [];
        }),
      );
    }),
};

async function readOwners(database: mongo.Db, campaigns: mongo.BSON.Document[]): Promise<Map<string, unknown>> {
  const ids = campaigns.map(({ workspaceId }) => workspaceId as mongo.ObjectId);
  const workspaces = await database
    .collection('workspaces')
    .find({ _id: { $in: ids } }, { projection: { ownerId: 1 } })
    .toArray();
  return new Map(workspaces.map(({ _id, ownerId }) => [_id.toHexString(), ownerId]));
}
