import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Config } from '@platform/config';
import { mailSandbox } from '@testing';
import { EJSON } from 'bson';
import mongoose, { type Connection, type mongo } from 'mongoose';

interface StoredCollection {
  indexes: (mongo.IndexDescription & { v?: number })[];
  documents: mongo.BSON.Document[];
}

/** A database of an earlier release: collections with their indexes and records. */
export type StoredRelease = Record<string, StoredCollection>;

/** Access to the stored database; its plain text is not stored. */
export const FIRST_RELEASE = {
  secretKeys: `k1:${Buffer.alloc(32, 'first release ').toString('base64')}`,
  workspaceKey: 'sk_3cba48ea0b318aad6e5f2d39dcd3f9517f08667ede568b50fef55f7a59e0ba35',
  ownerKey: 'sk_user_346e668d31e2ec8fdcf8f9320e2cd89986fca6767f103d6bbdab83a01c4262a7',
  workspaceId: '6b02af3a318d7b95823d99d4',
  /** When it was stopped: a Monday evening, after the campaigns’ windows. */
  stoppedAt: new Date('2026-11-23T18:03:37.159Z'),
} as const;

/** Described in `first-release/README.md`; its senders have addresses that no other test uses. */
export function firstRelease(): StoredRelease {
  const text = readFileSync(join(__dirname, 'first-release/0.1.0.ejson'), 'utf8');
  return EJSON.parse(text.replaceAll('sender.17502.', `sender.${randomBytes(6).toString('hex')}.`)) as StoredRelease;
}

/** Described in `second-release/README.md`: access to its workspaces and the plain text of each encrypted secret. */
export const SECOND_RELEASE = JSON.parse(
  readFileSync(join(__dirname, 'second-release/known.json'), 'utf8'),
) as KnownRelease;

export interface KnownWorkspace {
  workspaceId: string;
  workspaceKey: string;
  ownerKey: string;
}

export interface KnownRelease {
  secretKeys: string;
  /** When its worker was stopped, by the clock of that platform. */
  stoppedAt: string;
  ordinary: KnownWorkspace & { campaignId: string };
  world: KnownWorkspace;
  states: KnownWorkspace;
  /** By the collection’s name in 0.2.0. The owner is part of the encryption and never changes. */
  secrets: readonly { collection: string; label: string; owner: string; text: string }[];
}

/**
 * The database of 0.2.0; its senders have addresses that no other test uses.
 * @param options `held`: includes the record of a restore, which keeps maintenance mode on
 */
export function secondRelease({ held = false } = {}): StoredRelease {
  const text = gunzipSync(readFileSync(join(__dirname, 'second-release/0.2.0.ejson.gz'))).toString('utf8');
  const own = text.replaceAll('sender.20200.', `sender.${randomBytes(6).toString('hex')}.`);
  const stored = EJSON.parse(own) as StoredRelease;
  const { holds } = stored;
  return held || !holds ? stored : { ...stored, holds: { ...holds, documents: [] } };
}

/** Writes the data into the configured database; its mailboxes get the ports of the current sandbox. */
export async function store(config: Config, stored: StoredRelease): Promise<void> {
  await onDatabase(config, async ({ db }) => {
    for (const [name, { indexes, documents }] of Object.entries(stored)) {
      const collection = await db!.createCollection(name);
      if (documents.length > 0) await collection.insertMany(documents);
      const wanted = indexes.map(({ v: _version, ...index }) => index);
      if (wanted.length > 0) await collection.createIndexes(wanted);
    }
    const { smtp, imap } = mailSandbox();
    const ports = { smtpPort: smtp.tlsPort, imapPort: imap.tlsPort };
    await db!.collection('mailboxes').updateMany({}, { $set: ports });
  });
}

export async function onDatabase<T>({ mongodbUri }: Config, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** The indexes of every collection, as the server describes them. */
export async function readIndexes({ db }: Connection): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of await db!.listCollections().toArray()) {
    const indexes = await db!.collection(name).indexes();
    found[name] = indexes.map(({ v: _version, ...index }) => JSON.stringify(index)).sort();
  }
  return found;
}

/** Every record by collection, as canonical EJSON; without records of processes and of the database itself. */
export async function readContents({ db }: Connection): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of await db!.listCollections().toArray()) {
    if (['leases', 'cluster_members', 'maintenance_modes'].includes(name)) continue;
    const records = await db!.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
    found[name] = records.map((record) => EJSON.stringify(record, { relaxed: false }));
  }
  return found;
}
