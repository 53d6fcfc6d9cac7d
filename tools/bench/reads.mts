import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import type { Serve } from './child.mts';
import type { Fixture, Workspace } from './harness.mts';
import { alternateLoad, type Goal, heading, ratio, showGoals, type Stage } from './measure.mts';

const { ObjectId } = mongoose.mongo;
const LIMIT = 100;

/** Reads a page of 100 with all additions of the platform, compared with the page and its total with the bare driver. */
export async function list({ fixture, ...options }: Stage): Promise<Goal[]> {
  heading('A list of 100: GET /v1/audit?limit=100, against the same page and count with the bare driver on node:http');
  const [server, bare] = [await fixture.app('api'), await fixture.child('reads', 'serveList')];
  const workspaces = {
    '100 of 100': await createAudited(fixture, 100),
    '100 of 10 000': await createAudited(fixture, 10_000),
  };
  const goals: Goal[] = [];
  for (const [what, { workspaceId, key }] of Object.entries(workspaces)) {
    const { platform, driver } = await alternateLoad(options, {
      driver: { server: bare, paths: [`/?workspace=${workspaceId}`] },
      platform: { server, headers: { 'x-api-key': key }, paths: [`/v1/audit?limit=${LIMIT}`] },
    });
    goals.push({
      what: `requests/s of ${what} / bare driver`,
      value: ratio(platform, driver),
      bound: { atLeast: 0.6 },
    });
  }
  const value = server.peakMib();
  goals.push({ what: 'resident memory of the API under load', value, bound: { below: 200 }, unit: ' MiB' });
  await Promise.all([server.stop(), bare.stop()]);
  return showGoals(goals);
}

/**
 * The denominator: the two queries that the contract of a list requires (a page, and the total unless the page shows it),
 * and nothing else.
 */
export async function serveList(): Promise<Serve> {
  const client = new mongoose.mongo.MongoClient(process.env['MONGODB_URI'] ?? '', { maxPoolSize: 50 });
  const entries = client.db().collection('audit_entries');
  return async ({ searchParams }) => {
    const filter = { workspaceId: new ObjectId(searchParams.get('workspace') ?? '') };
    const page = entries.find(filter).sort({ createdAt: -1, _id: -1 });
    const found = await page.limit(LIMIT + 1).toArray();
    const hasMore = found.length > LIMIT;
    // In sequence, as in the platform: after reading all records no count is needed.
    const total = hasMore ? await entries.countDocuments(filter) : found.length;
    return { success: true, data: found.slice(0, LIMIT), pagination: { limit: LIMIT, total, hasMore } };
  };
}

/** A workspace whose audit log has this number of changes of a member's role, one second apart. */
async function createAudited(fixture: Fixture, count: number): Promise<Workspace> {
  const workspace = await fixture.workspace(`audited-${randomUUID()}`);
  const workspaceId = new ObjectId(workspace.workspaceId);
  const target = { type: 'member', id: randomUUID() };
  const change = { action: 'member.role_changed', target, changes: { role: { from: 'member', to: 'admin' } } };
  const entries = Array.from({ length: count }, (_, age) => {
    const actor = { kind: 'user', userId: randomUUID(), keyId: randomUUID() };
    return { workspaceId, actor, ...change, requestId: randomUUID(), createdAt: new Date(Date.now() - age * 1_000) };
  });
  await fixture.database.collection('audit_entries').deleteMany({ workspaceId });
  await fixture.database.collection('audit_entries').insertMany(entries);
  return workspace;
}
