import { MailboxCheckService } from '@domain/mailboxes';
import { SendResolverService } from '@domain/sending';
import { MailboxLeaseService } from '@domain/sends';
import { type INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, type mongo, Types } from 'mongoose';
import { setTimeout as pause } from 'node:timers/promises';
import { type Platform } from './platform';

const MINUTE_MS = 60_000;
/** A run scheduled this soon is awaited, not skipped. */
const SOON_MS = 3_000;
/** The sweep considers a run this late as lost. */
const LATE_MS = 5_000;
/** Pause between two checks, so that the database is not queried continuously. */
const LOOK_MS = 60;
/** After this time a busy mailbox is checked for progress. */
const MOVES_MS = 1_000;

type Workspaces = string | readonly string[];
type WithClock = Pick<Platform, 'app' | 'clock'>;

export function getDatabase({ app }: Pick<Platform, 'app'>): mongo.Db {
  return app.get<Connection>(getConnectionToken()).db!;
}

/** Waits until `probe` holds, with a pause between two checks; false when it does not within the time. */
export async function isEventually(probe: () => Promise<boolean>, withinMs = 20_000): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!(await probe())) {
    if (Date.now() > deadline) return false;
    await pause(LOOK_MS);
  }
  return true;
}

/**
 * Waits until no mailbox of the workspaces has anything due; false when one still has and made no progress for
 * `withinMs`.
 */
export async function sendingRests(platform: WithClock, workspaces: Workspaces, withinMs = 20_000): Promise<boolean> {
  const workspaceId = anyOf(workspaces);
  const leases = getDatabase(platform).collection('mailbox_leases');
  const isAtRest = async () => {
    const isBusy = [{ nextAt: { $ne: null, $lte: platform.clock.in(SOON_MS) } }, { holder: { $ne: '' } }];
    return (await leases.countDocuments({ workspaceId, $or: isBusy })) === 0;
  };
  let [before, stillSince] = ['', Date.now()];
  while (!(await isEventually(isAtRest, MOVES_MS))) {
    const now = await attempts(platform, workspaceId);
    if (now !== before) [before, stillSince] = [now, Date.now()];
    else if (Date.now() - stillSince > withinMs) return false;
  }
  return true;
}

/** Expires all leases, by the database's clock, so that nothing waits for a crashed worker. */
export async function expireLeases(platform: Pick<Platform, 'app'>): Promise<void> {
  const database = getDatabase(platform);
  await database.collection('mailbox_leases').updateMany({}, { $set: { leaseUntil: new Date(0) } });
  await database.collection('leases').deleteMany({});
}

export interface SettleOptions {
  /** Step by which the clock is advanced. */
  stepMs?: number;
  /** Most steps. */
  rounds?: number;
  /** Time without an attempt after which a busy mailbox counts as stuck. */
  withinMs?: number;
  /** Called then: calls that wait for a silent server must be released. */
  whenStuck?: () => Promise<void>;
}

/**
 * Lets a worker finish everything under an advancing clock: retries, ambiguous sends, follow-ups, and the remains of
 * crashed workers. The clock is advanced while all mailboxes are idle, so nothing is on its way meanwhile.
 * @returns whether nothing is left to do
 */
export async function settleSending(
  platform: WithClock,
  worker: INestApplicationContext,
  workspaces: Workspaces,
  { stepMs = 20 * MINUTE_MS, rounds = 60, withinMs, whenStuck }: SettleOptions = {},
): Promise<boolean> {
  const leases = worker.get(MailboxLeaseService, { strict: false });
  const resolver = worker.get(SendResolverService, { strict: false });
  const checks = worker.get(MailboxCheckService, { strict: false });
  const workspaceId = anyOf(workspaces);
  const failures: string[] = [];
  await expireLeases(platform);
  for (let round = 0; round < rounds; round += 1) {
    platform.clock.advance(LATE_MS);
    for (const mailbox of await mailboxesToCheck(platform, workspaceId)) await checks.check(mailbox);
    await leases.sweep();
    while (!(await sendingRests(platform, workspaces, withinMs))) {
      round += 1;
      if (round >= rounds) return false;
      await whenStuck?.();
      await expireLeases(platform);
      await leases.sweep();
    }
    const report = (error: unknown, id: string) => failures.push(`${id}: ${String(error)}`);
    await resolver.resolve(AbortSignal.timeout(MINUTE_MS), report);
    if (await nothingOpen(platform, workspaceId)) return true;
    platform.clock.advance(stepMs);
  }
  return false;
}

function anyOf(workspaces: Workspaces): object {
  return { $in: [workspaces].flat().map((id) => new Types.ObjectId(id)) };
}

/** A mailbox in trouble sends no follow-up before its next check, whose job Redis may have lost. */
async function mailboxesToCheck(platform: WithClock, workspaceId: object) {
  const due = { workspaceId, 'connection.nextCheckAt': { $gt: new Date(0), $lte: platform.clock.now() } };
  const found = await getDatabase(platform).collection('mailboxes').find(due).toArray();
  return found.map(({ _id, workspaceId: of }) => ({ workspaceId: String(of), mailboxId: _id.toHexString() }));
}

/** Changes with every change of an email. */
async function attempts(platform: Pick<Platform, 'app'>, workspaceId: object): Promise<string> {
  const counted = getDatabase(platform)
    .collection('sends')
    .aggregate([
      { $match: { workspaceId } },
      { $group: { _id: '$state', count: { $sum: 1 }, attempts: { $sum: '$attempt' } } },
      { $sort: { _id: 1 } },
    ]);
  return JSON.stringify(await counted.toArray());
}

/** No lead is active, and neither an email nor a reply is on its way. */
async function nothingOpen(platform: Pick<Platform, 'app'>, workspaceId: object): Promise<boolean> {
  const database = getDatabase(platform);
  const open = { $in: ['claimed', 'sending', 'withheld', 'ambiguous'] };
  const sends = await database.collection('sends').countDocuments({ workspaceId, state: open });
  const leads = await database.collection('campaign_leads').countDocuments({ workspaceId, status: 'active' });
  const waiting = { $in: [...open.$in, 'queued', 'retry'] };
  const replies = await database.collection('inbox_replies').countDocuments({ workspaceId, state: waiting });
  return sends + leads + replies === 0;
}
