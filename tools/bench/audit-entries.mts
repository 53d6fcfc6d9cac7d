import { randomBytes, randomUUID } from 'node:crypto';
import mongoose from 'mongoose';

const BATCH = 1_000;

/** Replaces the audit log of a workspace by `count` changes of a member's role, one second apart. */
export async function writeAuditEntries(db: mongoose.mongo.Db, workspace: string, count: number): Promise<void> {
  const workspaceId = new mongoose.mongo.ObjectId(workspace);
  const collection = db.collection('audit_entries');
  await collection.deleteMany({ workspaceId });
  const newest = Date.now();
  const entry = (age: number) => ({
    workspaceId,
    actor: { kind: 'user', userId: randomBytes(12).toString('hex'), keyId: randomBytes(12).toString('hex') },
    action: 'member.role_changed',
    target: { type: 'member', id: randomBytes(12).toString('hex') },
    changes: { role: { from: 'member', to: 'admin' } },
    requestId: randomUUID(),
    createdAt: new Date(newest - age * 1000),
  });
  for (let first = 0; first < count; first += BATCH) {
    const size = Math.min(BATCH, count - first);
    await collection.insertMany(Array.from({ length: size }, (_, index) => entry(first + index)));
  }
}
