import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';
import { inBatches } from './batches';

/** Old and new name of each collection. */
const COLLECTIONS: readonly (readonly [from: string, to: string])[] = [
  ['mailbox_turns', 'mailbox_leases'],
  ['webhook_lanes', 'webhook_work_partitions'],
  ['chat_lanes', 'chat_work_partitions'],
  ['crm_lanes', 'crm_work_partitions'],
  ['enrichment_lanes', 'enrichment_work_partitions'],
  ['holds', 'maintenance_modes'],
  ['enrichment_loose_items', 'enrichment_staged_items'],
  ['blacklist_standings', 'mailbox_blacklist_statuses'],
  ['agent_switches', 'agent_kill_switches'],
  ['integration_consents', 'oauth_consents'],
];

/** By the new name of the collection: old and new name of each field. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mailbox_leases: { wokenFor: 'requestedFor', isTrial: 'isPoll', rest: 'cooldown' },
  webhook_work_partitions: { wokenFor: 'requestedFor' },
  chat_work_partitions: { wokenFor: 'requestedFor' },
  enrichment_work_partitions: { wokenFor: 'requestedFor' },
  crm_work_partitions: {
    wokenFor: 'requestedFor',
    planted: 'revision',
    strikes: 'failures',
    forgets: 'deletesLinks',
    restUntil: 'cooldownUntil',
  },
  chat_connections: { restUntil: 'cooldownUntil', way: 'authMethod' },
  crm_connections: { way: 'authMethod' },
  webhooks: {
    restUntil: 'cooldownUntil',
    formerSecret: 'previousSecret',
    formerSecretUntil: 'previousSecretUntil',
  },
  enrichment_tools: { restUntil: 'cooldownUntil' },
  mailboxes: { holds: 'referencesRevision' },
  sends: { lookAt: 'resolveAt', words: 'lastReply', wireAt: 'handoverAt' },
  inbox_replies: { lookAt: 'resolveAt', words: 'lastReply', wireAt: 'handoverAt' },
  conversations: { labelAsk: 'labelRequest' },
  tracking_hits: { judgeAt: 'classifyAt' },
  crm_links: { seen: 'remoteSnapshot' },
  domain_health: { untold: 'pendingEvents' },
  warmups: { heldDays: 'daysAtVolume' },
  agent_replies: { turn: 'position' },
};

interface RenamedValue {
  readonly collection: string;
  readonly path: string;
  /** Where arrays are on the path: how to reach the elements that have the value, and only those. */
  readonly inElements?: { readonly path: string; readonly arrayFilters: mongo.BSON.Document[] };
  readonly from: string;
  readonly to: string;
  /** Fields of the same record that are set with it. */
  readonly also?: Readonly<Record<string, string>>;
}

const VALUES: readonly RenamedValue[] = [
  { collection: 'sends', path: 'state', from: 'wire', to: 'sending' },
  { collection: 'inbox_replies', path: 'state', from: 'wire', to: 'sending' },
  { collection: 'reports', path: 'state', from: 'handing', to: 'sending' },
  { collection: 'crm_activities', path: 'state', from: 'handing', to: 'sending' },
  { collection: 'maintenance_modes', path: 'state', from: 'held', to: 'active' },
  { collection: 'agent_replies', path: 'cause', from: 'switch', to: 'kill_switch' },
  { collection: 'domain_health', path: 'report.dkim.source', from: 'given', to: 'configured' },
  {
    collection: 'blacklist_tests',
    path: 'plan.notChecked.reason',
    inElements: {
      path: 'plan.$[subject].notChecked.$[old].reason',
      arrayFilters: [{ 'subject.notChecked.reason': 'mailbox_gone' }, { 'old.reason': 'mailbox_gone' }],
    },
    from: 'mailbox_gone',
    to: 'mailbox_deleted',
  },
  // A job that was given up is enqueued again by the name of its queue.
  ...(
    [
      ['mailbox-turn', 'mailbox-send'],
      ['warmup-turn', 'warmup-send'],
      ['webhook-lane', 'webhook-work'],
      ['chat-lane', 'chat-work'],
      ['crm-lane', 'crm-work'],
      ['enrichment-lane', 'enrichment-work'],
    ] as const
  ).map(([from, to]) => ({ collection: 'dead_jobs', path: 'queue', from, to })),
  // The queues that only the clock filled are tasks of one queue.
  ...[
    'credit-expiry',
    'mailbox-erasure',
    'campaign-erasure',
    'webhook-erasure',
    'agent-erasure',
    'send-resolution',
    'lead-resume',
    'sender-protection',
    'event-relay',
    'unreadable-mail',
    'tracking-hosts',
    'enrichment-expiry',
    'chat-check',
    'crm-check',
    'blacklist-schedule',
    'warmup-opening',
    'warmup-watch',
    'report-schedule',
    'warmup-plan',
    'crm-automation',
  ].map((task) => ({
    collection: 'dead_jobs',
    path: 'queue',
    from: task,
    to: 'periodic',
    also: { 'payload.task': task },
  })),
  {
    collection: 'dead_jobs',
    path: 'queue',
    from: 'tracking-verdict',
    to: 'periodic',
    also: { 'payload.task': 'hit-classification' },
  },
];

/** Indexes on an old field, or with an old value in their filter. The start of a process creates their successors. */
const OLD_INDEXES: readonly (readonly [collection: string, name: string, old: string])[] = [
  ['agent_replies', 'workspaceId_1_answeredId_1_turn_1', '"turn"'],
  ['chat_connections', 'teamId_1_way_1', '"way"'],
  ['conversations', 'labelAsk.dueAt_1', '"labelAsk.dueAt"'],
  ['inbox_replies', 'lookAt_1', '"lookAt"'],
  ['inbox_replies', 'workspaceId_1_mailboxId_1_dueAt_1__id_1', '"wire"'],
  ['sends', 'lookAt_1', '"lookAt"'],
  ['sends', 'workspaceId_1_mailboxId_1', '"wire"'],
  ['tracking_hits', 'judgeAt_1', '"judgeAt"'],
];

/** Heartbeats of processes up to 0.2.0; later processes write theirs to another collection. */
const MEMBERS = 'fleet_members';

/**
 * No other process may write meanwhile: a process of the old release does not find renamed records. Each step processes
 * only old names, so the migration can be killed at any point and run again.
 */
export const namesOfTheGlossary: Migration = {
  name: '0005-names-of-the-glossary',
  why: 'Collections, fields and values have the names that the documentation and the API use. The old release must be stopped.',
  isRequired: true,
  left: async (database) => {
    const names = await listCollectionNames(database);
    const collections = COLLECTIONS.filter(([from]) => names.has(from)).length + (names.has(MEMBERS) ? 1 : 0);
    const indexes = (await oldIndexes(database, names)).length;
    let left = collections + indexes;
    for (const { collection, filter } of oldDocuments()) {
      for (const name of [collection, oldName(collection)]) {
        if (names.has(name)) left += await database.collection(name).countDocuments(filter);
      }
    }
    return left;
  },
  run: async (database, signal) => {
    signal.throwIfAborted();
    await requireStopped(database);
    let changed = 0;
    for (const { collection, index } of await oldIndexes(database, await listCollectionNames(database))) {
      signal.throwIfAborted();
      await database.collection(collection).dropIndex(index);
      changed += 1;
    }
    for (const [from, to] of COLLECTIONS) {
      signal.throwIfAborted();
      changed += await renameCollection(database, from, to);
    }
    for (const { collection, filter, updates } of oldDocuments()) {
      changed += await renameIn(database.collection(collection), filter, updates, signal);
    }
    if (!(await listCollectionNames(database)).has(MEMBERS)) return changed;
    await database.dropCollection(MEMBERS);
    return changed + 1;
  },
};

interface Update {
  readonly filter: mongo.BSON.Document;
  readonly update: mongo.BSON.Document;
  readonly arrayFilters?: mongo.BSON.Document[];
}

/** The renames inside documents that still apply, by the new name of the collection. */
function oldDocuments(): { collection: string; filter: mongo.BSON.Document; updates: readonly Update[] }[] {
  const collections = new Set([...Object.keys(FIELDS), ...VALUES.map(({ collection }) => collection)]);
  return [...collections].map((collection) => {
    const updates = [
      ...Object.entries(FIELDS[collection] ?? {}).map(([from, to]) => ({
        filter: { [from]: { $exists: true } },
        update: { $rename: { [from]: to } },
      })),
      ...VALUES.filter((value) => value.collection === collection).map(toUpdate),
    ];
    return { collection, filter: { $or: updates.map(({ filter }) => filter) }, updates };
  });
}

function toUpdate({ path, inElements, from, to, also }: RenamedValue): Update {
  const update = { $set: { [inElements?.path ?? path]: to, ...also } };
  return { filter: { [path]: from }, update, ...(inElements && { arrayFilters: inElements.arrayFilters }) };
}

function renameIn(
  collection: mongo.Collection,
  filter: mongo.BSON.Document,
  updates: readonly Update[],
  signal: AbortSignal,
): Promise<number> {
  return inBatches(collection, filter, signal, async (documents) => {
    const ids = documents.map(({ _id }) => _id);
    for (const { filter: old, update, arrayFilters } of updates) {
      await collection.updateMany({ _id: { $in: ids }, ...old }, update, arrayFilters ? { arrayFilters } : {});
    }
    return documents.length;
  });
}

/**
 * Renames a collection. A process of this release, or a restore, may already have created an empty one with the new
 * name; of two collections, the empty one is dropped.
 */
async function renameCollection(database: mongo.Db, from: string, to: string): Promise<number> {
  const names = await listCollectionNames(database);
  if (!names.has(from)) return 0;
  if (names.has(to)) {
    const isEmpty = async (name: string): Promise<boolean> =>
      (await database.collection(name).findOne({}, { projection: { _id: 1 } })) === null;
    if (await isEmpty(from)) {
      await database.dropCollection(from);
      return 1;
    }
    if (!(await isEmpty(to))) {
      throw new Error(`Both ${from} and ${to} hold records: move those of ${to} away, then run the migration again`);
    }
    await database.dropCollection(to);
  }
  await database.renameCollection(from, to);
  return 1;
}

async function requireStopped(database: mongo.Db): Promise<void> {
  // The database's clock, as cluster members use it: the clock of this machine may differ.
  const { localTime } = await database.command({ hello: 1 });
  const alive = await database.collection(MEMBERS).countDocuments({ expiresAt: { $gt: localTime as Date } });
  if (alive === 0) return;
  throw new Error(
    'Processes of the old release still use the database: stop api and worker, wait a minute, and run the migration again (docs/operators/backups-and-upgrades.md)',
  );
}

async function listCollectionNames(database: mongo.Db): Promise<Set<string>> {
  return new Set((await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
}

/** The name of the collection before this migration, which a killed run may not have renamed. */
function oldName(collection: string): string {
  return COLLECTIONS.find(([, to]) => to === collection)?.[0] ?? '';
}

async function oldIndexes(
  database: mongo.Db,
  names: ReadonlySet<string>,
): Promise<{ collection: string; index: string }[]> {
  const found: { collection: string; index: string }[] = [];
  for (const collection of new Set(OLD_INDEXES.map(([name]) => name))) {
    if (!names.has(collection)) continue;
    for (const { name, key, partialFilterExpression } of await database.collection(collection).indexes()) {
      const text = JSON.stringify([key, partialFilterExpression]);
      const isOld = OLD_INDEXES.some(([of, index, old]) => of === collection && index === name && text.includes(old));
      if (isOld && name !== undefined) found.push({ collection, index: name });
    }
  }
  return found;
}
