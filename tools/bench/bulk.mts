import mongoose from 'mongoose';
import { type Crowd, Crowds, LEADS } from './crowds.mts';
import type { Fixture } from './fixture.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import type { Stage } from './subjects.mts';

const { ObjectId } = mongoose.mongo;
const SIZE = 100_000;
const COPY = 'bare_campaign_leads';
const ACTIONS = ['pause', 'resume'] as const;
type Action = (typeof ACTIONS)[number];

/** The fields that an action writes to a lead, and the status that it requires. */
const CHANGES = {
  pause: { from: 'active', to: { status: 'paused', stopReason: 'manual', resumeAt: null } },
  resume: { from: 'paused', to: { status: 'active', stopReason: null, resumeAt: null } },
} as const;

/** Pauses and resumes all of 100 000 leads, compared with one native updateMany over as many with the same indexes. */
export async function bulk({ fixture, rounds }: Stage): Promise<Goal[]> {
  heading(`Bulk action: selectAll on ${SIZE} leads, against one native updateMany with the same indexes`);
  const crowds = await Crowds.of(fixture);
  const crowd = await crowds.filled(SIZE, { contacted: false });
  await createCopy(fixture, LEADS, COPY);
  const times = {
    pause: { bare: [] as number[], platform: [] as number[] },
    resume: { bare: [] as number[], platform: [] as number[] },
  };
  for (let round = 0; round < rounds; round++) {
    for (const action of ACTIONS) {
      times[action].bare.push(await timed(() => bare(fixture, action)));
      times[action].platform.push(await timed(() => platform(crowds, crowd, action)));
      await requireDone(fixture, crowds, crowd, action);
    }
  }
  return showGoals(
    ACTIONS.flatMap((action) => {
      const { bare: denominator, platform: subject } = times[action];
      console.log(
        `  ${action}: updateMany ${median(denominator).toFixed(0)} ms, platform ${median(subject).toFixed(0)} ms`,
      );
      const ratio = median(subject.map((ms, round) => ms / (denominator[round] ?? Number.NaN)));
      return [
        { what: `${action} ${SIZE} leads / updateMany`, value: ratio, bound: { atMost: 2 } },
        { what: `${action}, slowest`, value: Math.max(...subject), bound: { below: 10_000 }, unit: ' ms' },
      ];
    }),
  );
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function bare({ database }: Fixture, action: Action): Promise<void> {
  const { from, to } = CHANGES[action];
  const leads = database.collection(COPY);
  const lead = await leads.findOne({});
  const { modifiedCount } = await leads.updateMany(
    { workspaceId: lead?.['workspaceId'], campaignId: lead?.['campaignId'], status: from },
    { $set: { ...to, updatedAt: new Date() } },
    { writeConcern: { w: 'majority' } },
  );
  if (modifiedCount !== SIZE) throw new Error(`updateMany changed ${modifiedCount} instead of ${SIZE}`);
}

async function platform(crowds: Crowds, { campaignId }: Crowd, action: Action): Promise<void> {
  const { modifiedCount } = await crowds.call<{ modifiedCount: number }>(
    'POST',
    `/v1/campaigns/${campaignId}/leads/action`,
    { action, selectAll: true },
  );
  if (modifiedCount !== SIZE) throw new Error(`${action} reports ${modifiedCount} instead of ${SIZE}`);
}

/** Checks that the leads are stored, counted and returned alike. */
async function requireDone(
  { database }: Fixture,
  crowds: Crowds,
  { campaignId }: Crowd,
  action: Action,
): Promise<void> {
  const { to } = CHANGES[action];
  const stored = await database.collection(LEADS).countDocuments({ campaignId: new ObjectId(campaignId), ...to });
  const path = `/v1/campaigns/${campaignId}`;
  const { leadCounts } = await crowds.call<{ leadCounts: Record<string, number> }>('GET', path);
  if (stored !== SIZE) throw new Error(`After ${action} ${stored} leads are ${to.status} instead of ${SIZE}`);
  const active = action === 'pause' ? 0 : SIZE;
  if (leadCounts['active'] !== active) throw new Error(`After ${action} ${leadCounts['active']} leads count as active`);
}

/** Copies the newest campaign's documents and all indexes of a collection. */
async function createCopy({ database }: Fixture, from: string, to: string): Promise<void> {
  await database.createCollection(to);
  for (const { v: _v, ns: _ns, key, name, ...options } of await database.collection(from).indexes()) {
    if (name !== '_id_') await database.collection(to).createIndex(key, { name, ...options });
  }
  const newest = await database.collection('campaigns').find().sort({ _id: -1 }).limit(1).next();
  let batch: mongoose.mongo.Document[] = [];
  for await (const lead of database.collection(from).find({ campaignId: newest?._id })) {
    batch.push(lead);
    if (batch.length < 1_000) continue;
    await database.collection(to).insertMany(batch, { ordered: false });
    batch = [];
  }
  if (batch.length > 0) await database.collection(to).insertMany(batch, { ordered: false });
}
