import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';

/** Indexes of release 0.1.0 that no query uses any more, by collection. */
const NOT_DECLARED: Readonly<Record<string, readonly string[]>> = {
  campaign_leads: ['workspaceId_1_campaignId_1_email_1', 'workspaceId_1_email_1', 'resumeAt_1'],
  events: ['workspaceId_1_createdAt_-1__id_-1', 'workspaceId_1_mailboxId_1_createdAt_-1__id_-1'],
  mailbox_messages: ['workspaceId_1_mailboxId_1_state_1_receivedAt_1'],
};

/** Only these, by name: indexes added by the operator remain. The unique one is replaced before it is dropped. */
export const droppedIndexes: Migration = {
  name: '0004-indexes-without-readers',
  why: 'Unused indexes of release 0.1.0 slow down every write. Their successors are created before they are dropped.',
  isRequired: false,
  left: async (database) => (await findExisting(database)).length,
  run: async (database, signal) => {
    const found = await findExisting(database);
    if (found.some(({ collection }) => collection === 'campaign_leads')) await makeSuccessor(database);
    for (const { collection, index } of found) {
      signal.throwIfAborted();
      await database.collection(collection).dropIndex(index);
    }
    return found.length;
  },
};

async function findExisting(database: mongo.Db): Promise<{ collection: string; index: string }[]> {
  const collections = new Set((await database.listCollections().toArray()).map(({ name }) => name));
  const found: { collection: string; index: string }[] = [];
  for (const [collection, names] of Object.entries(NOT_DECLARED)) {
    if (!collections.has(collection)) continue;
    const existing = new Set((await database.collection(collection).indexes()).map(({ name }) => name));
    found.push(...names.filter((index) => existing.has(index)).map((index) => ({ collection, index })));
  }
  return found;
}

/** Keeps an address unique within a campaign: there is no moment without the index. */
async function makeSuccessor(database: mongo.Db): Promise<void> {
  await database
    .collection('campaign_leads')
    .createIndexes([{ key: { workspaceId: 1, email: 1, campaignId: 1 }, unique: true }]);
}
