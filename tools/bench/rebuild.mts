import mongoose from 'mongoose';
import { type Goal, heading, line, showGoals, type Stage } from './measure.mts';

const { ObjectId } = mongoose.mongo;
const DAYS = 200;
const BATCH = 5_000;
const DAY_MS = 86_400_000;
/** Numbers per hundred events, as in typical outreach. */
const MIX = { sent: 60, opened: 25, clicked: 5, replied: 4, bounced: 3, auto_replied: 2, unsubscribed: 1 };
const TYPES = Object.entries(MIX).flatMap(([type, count]) => Array.from({ length: count }, () => `email.${type}`));

/** Rebuilds all figures of a workspace from a million uncounted events, then again without differences. */
export async function rebuild({ fixture, short }: Stage): Promise<Goal[]> {
  const count = short ? 10_000 : 1_000_000;
  heading(`Rebuild: stats rebuild of ${count} events, 5 campaigns, 20 mailboxes, ${DAYS} days`);
  const workspace = await fixture.workspace('rebuilt');
  await writeEvents(fixture.database, new ObjectId(workspace.workspaceId), count);
  const args = ['stats', 'rebuild', '--workspace', workspace.workspaceId];
  const runs = { rebuild: await fixture.command(...args), check: await fixture.command(...args, '--check') };
  const goals = Object.entries(runs).map(([name, { stdout, seconds, peakMib }]): Goal => {
    const { length } = (JSON.parse(stdout) as { differences: unknown[] }).differences;
    line(name, `${seconds.toFixed(0)} s`, `${length} differences`);
    if ((name === 'rebuild') === (length === 0)) throw new Error('Only the first run must find differences');
    return { what: `memory of the ${name}, maximum`, value: peakMib, bound: { below: 500 }, unit: ' MiB' };
  });
  return showGoals(goals);
}

/** Relayed long ago. Campaigns and mailboxes have the fields that a rebuild reads. */
async function writeEvents(
  database: mongoose.mongo.Db,
  workspaceId: mongoose.mongo.ObjectId,
  count: number,
): Promise<void> {
  const ids = (length: number) => Array.from({ length }, () => new ObjectId());
  const [campaigns, mailboxes, steps] = [ids(5), ids(20), ids(4).map((id) => id.toHexString())];
  const ofCampaign = { workspaceId, name: 'Rebuilt', status: 'active', deletedAt: null };
  await database.collection('campaigns').insertMany(campaigns.map((_id) => ({ _id, ...ofCampaign })));
  const ofMailbox = { workspaceId, timezone: 'Europe/Berlin', totalSent: 0, totalReceived: 0, totalBounced: 0 };
  const named = mailboxes.map((_id) => ({ _id, email: `${_id.toHexString()}@example.com`, ...ofMailbox }));
  await database.collection('mailboxes').insertMany(named);
  const event = (index: number) => {
    const type = TYPES[index % TYPES.length] ?? '';
    const at = new Date(Date.now() - Math.floor((index / count) * DAYS * DAY_MS));
    const step = index % steps.length;
    const place = {
      campaignId: campaigns[index % 5],
      mailboxId: mailboxes[Math.floor(index / 5) % 20],
      leadId: new ObjectId(),
    };
    const person = {
      email: `lead-${index}@people.test`,
      messageId: `<${index}@example.com>`,
      firstOfLead: index % 3 > 0,
    };
    const data = { ...person, step, stepId: steps[step] };
    return { workspaceId, type, dedupeKey: `${type}:${index}`, at, ...place, data, createdAt: at };
  };
  for (let written = 0; written < count; written += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => event(written + index));
    await database.collection('events').insertMany(events, { ordered: false });
  }
}
