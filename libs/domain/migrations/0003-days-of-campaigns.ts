import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** Events of release 0.1.0 that count in daily figures. */
const COUNTED = ['email.sent', 'email.bounced'];

interface Day {
  mailboxId: mongo.ObjectId | null;
  day: Date;
  figures: Record<string, number>;
  quarters: Record<string, Record<string, number>>;
}

/**
 * The relay makes daily figures from the events that it relays; events recorded before the relay existed are counted
 * here.
 */
export const daysOfCampaigns: Migration = {
  name: '0003-days-of-campaigns',
  why: 'Daily figures are made from relayed events; events of release 0.1.0 were never relayed.',
  isRequired: true,
  left: async (database) => (await findWithoutDays(database)).length,
  run: async (database, signal) => {
    // Indexes are created when a process starts; this migration runs before the first one.
    await database.collection('events').createIndexes([{ key: { workspaceId: 1, campaignId: 1, at: -1, _id: -1 } }]);
    let changed = 0;
    for (const campaign of await findWithoutDays(database)) {
      signal.throwIfAborted();
      const days = await readDays(database, campaign);
      await write(database, campaign, days);
      changed += days.length;
    }
    return changed;
  },
};

type Campaign = Pick<mongo.BSON.Document, 'workspaceId'> & { _id: mongo.ObjectId; first: Date };

/** Campaigns with sent emails but without a first day. */
async function findWithoutDays(database: mongo.Db): Promise<Campaign[]> {
  const found: Campaign[] = [];
  const campaigns = database.collection('campaigns').find({ deletedAt: null }, { projection: { workspaceId: 1 } });
  for await (const { _id, workspaceId } of campaigns) {
    const filter = { workspaceId: workspaceId as mongo.ObjectId, campaignId: _id, type: { $in: COUNTED } };
    const [earliest] = await database.collection('events').find(filter).sort({ at: 1 }).limit(1).toArray();
    if (!earliest) continue;
    const first = toDay(earliest['at'] as Date);
    const firstDay = { workspaceId: workspaceId as mongo.ObjectId, campaignId: _id, mailboxId: null, day: first };
    if ((await database.collection('campaign_days').countDocuments(firstDay, { limit: 1 })) > 0) continue;
    found.push({ _id, workspaceId: workspaceId as unknown, first });
  }
  return found;
}

async function readDays(database: mongo.Db, { _id, workspaceId }: Campaign): Promise<Day[]> {
  const days = new Map<string, Day>();
  const events = database.collection('events').find(
    {
      workspaceId: workspaceId as mongo.ObjectId,
      campaignId: _id,
      type: { $in: COUNTED },
      relayAt: { $exists: false },
    },
    { projection: { type: 1, at: 1, mailboxId: 1, 'data.firstOfLead': 1 } },
  );
  for await (const { type, at, mailboxId, data } of events) {
    const isFirst = (data as { firstOfLead?: boolean } | undefined)?.firstOfLead === true;
    const figures = type === 'email.bounced' ? ['bounced'] : isFirst ? ['sent', 'contacted'] : ['sent'];
    for (const of of mailboxId ? [null, mailboxId as mongo.ObjectId] : [null]) add(days, of, at as Date, figures);
  }
  return [...days.values()];
}

function add(days: Map<string, Day>, mailboxId: mongo.ObjectId | null, at: Date, figures: readonly string[]): void {
  const day = toDay(at);
  const key = `${String(mailboxId)} ${day.getTime()}`;
  const record = days.get(key) ?? { mailboxId, day, figures: {}, quarters: {} };
  days.set(key, record);
  const quarter = (record.quarters[Math.floor((at.getTime() - day.getTime()) / QUARTER_MS)] ??= {});
  for (const figure of figures) {
    record.figures[figure] = (record.figures[figure] ?? 0) + 1;
    quarter[figure] = (quarter[figure] ?? 0) + 1;
  }
}

/** The first day of all mailboxes together is written last: while it is missing, an interrupted run is repeated. */
async function write(
  database: mongo.Db,
  { _id: campaignId, workspaceId, first }: Campaign,
  days: Day[],
): Promise<void> {
  const isMark = ({ mailboxId, day }: Day) => mailboxId === null && day.getTime() === first.getTime();
  for (const { mailboxId, day, figures, quarters } of [...days.filter((one) => !isMark(one)), ...days.filter(isMark)]) {
    const filter = { workspaceId: workspaceId as mongo.ObjectId, campaignId, mailboxId, day };
    await database.collection('campaign_days').updateOne(filter, { $set: { figures, quarters } }, { upsert: true });
  }
}

function toDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}
