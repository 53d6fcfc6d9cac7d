import { type WarmupDayRecord, type WarmupMailRecord, WarmupRecord, type WarmupThreadRecord } from '@domain/warmup';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Platform } from '../harness';

type Records = {
  WarmupRecord: WarmupRecord;
  WarmupMailRecord: WarmupMailRecord;
  WarmupThreadRecord: WarmupThreadRecord;
  WarmupDayRecord: WarmupDayRecord;
};

export interface Side {
  workspaceId: string;
  mailboxId: string;
}

/** Contract fields of a warmup that tests read. */
export interface WarmupConfig {
  enabled: boolean;
  status: string;
  currentDay: number;
  currentVolume: number;
  config: Record<string, unknown>;
  [field: string]: unknown;
}

export function warmupModel<N extends keyof Records>({ app }: Platform, name: N): Model<Records[N]> {
  return app.get<Model<Records[N]>>(getModelToken(name), { strict: false });
}

function idsOf({ workspaceId, mailboxId }: Side) {
  return { workspaceId: new Types.ObjectId(workspaceId), mailboxId: new Types.ObjectId(mailboxId) };
}

/** Stores both sides of a sent and found mail, as the worker does. */
export async function exchanged(
  platform: Platform,
  from: Side,
  to: Side,
  {
    at,
    sent = {},
    received = {},
  }: { at: Date; sent?: Partial<WarmupMailRecord>; received?: Partial<WarmupMailRecord> },
): Promise<{ sentId: string; receivedId: string }> {
  const [_id, receivedId, threadId] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  const messageId = `<${_id.toHexString()}@senders.test>`;
  const both = {
    mailId: _id,
    threadId,
    position: 0,
    day: at.toISOString().slice(0, 10),
    messageId,
    subject: 'Lunch',
    at,
  };
  await warmupModel(platform, 'WarmupMailRecord').insertMany([
    { _id, ...idsOf(from), direction: 'sent', state: 'sent', counterpart: idsOf(to), ...both, ...sent },
    {
      _id: receivedId,
      ...idsOf(to),
      direction: 'received',
      state: 'received',
      counterpart: idsOf(from),
      placement: 'inbox',
      ...both,
      ...received,
    },
  ]);
  return { sentId: _id.toHexString(), receivedId: receivedId.toHexString() };
}

/** Stores a planned thread, or a planned answer, as the worker does. */
export async function planned(platform: Platform, from: Side, to: Side, position = 0): Promise<void> {
  const [_id, threadId] = [new Types.ObjectId(), new Types.ObjectId()];
  const ordinal = await warmupModel(platform, 'WarmupThreadRecord').countDocuments({ workspaceId: from.workspaceId });
  const [day, opener, other] = ['2026-11-21', position === 0 ? from : to, position === 0 ? to : from];
  const thread = {
    _id: threadId,
    ...idsOf(opener),
    counterpart: idsOf(other),
    day,
    ordinal,
    language: 'en',
    seed: 's',
  };
  await warmupModel(platform, 'WarmupThreadRecord').insertMany([thread as never]);
  const mail = { _id, mailId: _id, threadId, position, ...idsOf(from), counterpart: idsOf(to), day, dueAt: new Date() };
  await warmupModel(platform, 'WarmupMailRecord').insertMany([{ ...mail, direction: 'sent', state: 'planned' }]);
}
