import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';

const OLD = 'mailbox_oauth_sessions';

/**
 * Consents of mailboxes join those of chats and CRMs. Outcomes stay readable for their day; a consent that is open at a vendor
 * (at most ten minutes) is started again, because its verifier is sealed for the old collection.
 */
export const oauthSessions: Migration = {
  name: '0007-oauth-sessions',
  why: 'Consents of mailboxes are stored with those of chats and CRMs. A consent open at a vendor has to be started again.',
  isRequired: true,
  left: async (database) => ((await exists(database)) ? 1 + (await database.collection(OLD).countDocuments()) : 0),
  run: async (database, signal) => {
    if (!(await exists(database))) return 0;
    const old = database.collection(OLD);
    const count = await old.countDocuments();
    signal.throwIfAborted();
    await old
      .aggregate([
        { $match: { status: { $in: ['completed', 'failed'] } } },
        { $set: { name: '$provider', site: null, verifier: null } },
        { $unset: 'provider' },
        { $merge: { into: 'oauth_consents', on: '_id', whenMatched: 'keepExisting' } },
      ])
      .toArray();
    await database.dropCollection(OLD);
    return count + 1;
  },
};

async function exists(database: mongo.Db): Promise<boolean> {
  return database.listCollections({ name: OLD }, { nameOnly: true }).hasNext();
}
