import mongoose from 'mongoose';
import type { Fixture } from './fixture.mts';
import { type Goal, heading, showGoals } from './report.mts';
import type { Stage } from './subjects.mts';

const { ObjectId } = mongoose.mongo;
const EVENTS = 1_000_000;
const CAMPAIGNS = 5;
const MAILBOXES = 20;
const DAYS = 200;
const BATCH = 5_000;
const DAY_MS = 86_400_000;
/** Numbers per hundred events, as in typical outreach. */
const TYPES = [
  ...Array.from({ length: 60 }, () => 'email.sent'),
  ...Array.from({ length: 25 }, () => 'email.opened'),
  ...Array.from({ length: 5 }, () => 'email.clicked'),
  ...Array.from({ length: 4 }, () => 'email.replied'),
  ...Array.from({ length: 3 }, () => 'email.bounced'),
  ...Array.from({ length: 2 }, () => 'email.auto_replied'),
  'email.unsubscribed',
];

interface Report {
  differences: unknown[];
}

/** Rebuilds all figures of a workspace from a million uncounted events, then again without differences. */
export async function rebuild({ fixture }: Stage): Promise<Goal[]> {
  heading(`Rebuild: stats rebuild of ${EVENTS} events, ${CAMPAIGNS} campaigns, ${MAILBOXES} mailboxes, ${DAYS} days`);
  const { workspaceId } = await fixture.workspace('rebuilt', 0);
  await writeEvents(fixture, workspaceId);
  const args = ['stats', 'rebuild', '--workspace', workspaceId];
  const first = await fixture.command(...args);
  const again = await fixture.command(...args, '--check');
  const found = [first, again].map(({ stdout }) => (JSON.parse(stdout) as Report).differences.length);
  for (const [name, { seconds, peakMib }, index] of [
    ['made', first, 0],
    ['checked', again, 1],
  ] as const) {
    console.log(
      `  ${name}: ${seconds.toFixed(0)} s, ${peakMib.toFixed(0)} MiB at its highest, ${found[index]} differences`,
    );
  }
  if (found[0] === 0 || found[1] !== 0) throw new Error('The first rebuild must find differences, and the second none');
  return showGoals([
    { what: 'MiB of the rebuild, maximum', value: first.peakMib, bound: { below: 500 } },
    { what: 'MiB of the check, maximum', value: again.peakMib, bound: { below: 500 } },
  ]);
}

/** Relayed long ago. Campaigns and mailboxes have the fields that a rebuild reads. */
async function writeEvents(fixture: Fixture, workspace: string): Promise<void> {
  const workspaceId = new ObjectId(workspace);
  const newest = Date.now();
  const campaigns = Array.from({ length: CAMPAIGNS }, () => new ObjectId());
  const mailboxes = Array.from({ length: MAILBOXES }, () => new ObjectId());
  const steps = Array.from({ length: 4 }, () => new ObjectId().toHexString());
  const { database } = fixture;
  const ofCampaign = { workspaceId, status: 'active', deletedAt: null };
  await database.collection('campaigns').insertMany(campaigns.map((_id) => ({ _id, name: 'Rebuilt', ...ofCampaign })));
  const ofMailbox = { workspaceId, timezone: 'Europe/Berlin', totalSent: 0, totalReceived: 0, totalBounced: 0 };
  const named = mailboxes.map((_id) => ({ _id, email: `${_id.toHexString()}@example.com`, ...ofMailbox }));
  await database.collection('mailboxes').insertMany(named);
  const event = (index: number) => {
    const type = TYPES[index % TYPES.length] ?? '';
    const at = new Date(newest - Math.floor((index / EVENTS) * DAYS * DAY_MS));
    return {
      workspaceId,
      type,
      dedupeKey: `${type}:${index}`,
      at,
      campaignId: campaigns[index % CAMPAIGNS],
      mailboxId: mailboxes[Math.floor(index / CAMPAIGNS) % MAILBOXES],
      leadId: new ObjectId(),
      data: {
        email: `lead-${index}@people.test`,
        step: index % steps.length,
        stepId: steps[index % steps.length],
        messageId: `<${index}@example.com>`,
        firstOfLead: index % 3 > 0,
      },
      createdAt: at,
    };
  };
  for (let written = 0; written < EVENTS; written += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => event(written + index));
    await database.collection('events').insertMany(events, { ordered: false });
  }
}
