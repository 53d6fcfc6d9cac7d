import { Crowds, LEADS } from './leads.mts';
import { alternate, type Goal, heading, ratio, requireEffects, sample, showGoals, type Stage } from './measure.mts';

/** The fields that an action writes to a lead, and the status that it requires. */
const CHANGES = {
  pause: { from: 'active', to: { status: 'paused', stopReason: 'manual', resumeAt: null } },
  resume: { from: 'paused', to: { status: 'active', stopReason: null, resumeAt: null } },
} as const;
type Action = keyof typeof CHANGES;

/** Pauses and resumes all leads of a campaign, compared with one native updateMany over as many with the same indexes. */
export async function bulk({ fixture, rounds, short }: Stage): Promise<Goal[]> {
  const count = short ? 2_000 : 100_000;
  heading(`Bulk action: selectAll on ${count} leads, against one native updateMany with the same indexes`);
  const crowds = await Crowds.of(fixture);
  const { campaignId } = await crowds.filled(count);
  const leads = fixture.database.collection(LEADS);
  const copy = await crowds.copyIndexes('bare_campaign_leads');
  for await (const lead of leads.find({ campaignId }).batchSize(1_000)) await copy.insertOne(lead);
  const where = { workspaceId: crowds.workspaceId, campaignId };
  const path = `/v1/campaigns/${campaignId.toHexString()}`;
  const bare = async (action: Action): Promise<void> => {
    const { from, to } = CHANGES[action];
    const update = { $set: { ...to, updatedAt: new Date() } };
    const { modifiedCount } = await copy.updateMany({ ...where, status: from }, update, {
      writeConcern: { w: 'majority' },
    });
    requireEffects('updateMany', { modifiedCount }, { modifiedCount: count });
  };
  /** Leads must be stored, counted and returned alike. */
  const platform = async (action: Action): Promise<void> => {
    const body = { action, selectAll: true };
    const { modifiedCount } = await crowds.call<{ modifiedCount: number }>('POST', `${path}/leads/action`, body);
    const stored = await leads.countDocuments({ campaignId, ...CHANGES[action].to });
    const { leadCounts } = await crowds.call<{ leadCounts: { active: number } }>('GET', path);
    const expected = { modifiedCount: count, stored: count, active: action === 'pause' ? 0 : count };
    requireEffects(action, { modifiedCount, stored, active: leadCounts.active }, expected);
  };
  const samples = await alternate(rounds, 'leads', {
    'pause, updateMany': () => sample(count, null, () => bare('pause')),
    'pause, platform': () => sample(count, crowds.api, () => platform('pause')),
    'resume, updateMany': () => sample(count, null, () => bare('resume')),
    'resume, platform': () => sample(count, crowds.api, () => platform('resume')),
  });
  const goals = (['pause', 'resume'] as const).flatMap((action): Goal[] => {
    const [subject, denominator] = [samples[`${action}, platform`], samples[`${action}, updateMany`]];
    const slowest = Math.max(...subject.map(({ perSecond }) => (count / perSecond) * 1_000));
    return [
      { what: `time to ${action} / of updateMany`, value: ratio(denominator, subject), bound: { atMost: 2 } },
      { what: `${action}, slowest`, value: slowest, bound: { below: 10_000 }, unit: ' ms' },
    ];
  });
  return showGoals(goals);
}
