import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { addDays } from '@platform/time';
import { type Model, type Types } from 'mongoose';
import { LOOKBACK_DAYS, type PairHistory } from '../../plan/peers';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';

type ThreadPair = Pick<WarmupThreadRecord, 'mailboxId' | 'counterpart' | 'day'>;

const PAIR_FIELDS = { mailboxId: 1, counterpart: 1, day: 1 } as const;

/** Whom a mailbox has had to do with lately. */
@Injectable()
export class PairHistoriesService {
  constructor(@InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>) {}

  /** @param date YYYY-MM-DD; days of other zones count by their own dates */
  async getHistory(
    { workspaceId, mailboxId }: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId },
    date: string,
  ): Promise<PairHistory> {
    const day = { $gte: addDays(date, -LOOKBACK_DAYS), $lte: date };
    const [begun, received] = await Promise.all([
      this.threads.find({ workspaceId, mailboxId, day }, PAIR_FIELDS).lean<ThreadPair[]>(),
      this.threads
        .find({ 'counterpart.mailboxId': mailboxId, day }, PAIR_FIELDS)
        .setOptions({ allWorkspaces: 'mailboxes of other workspaces write to this one' })
        .lean<ThreadPair[]>(),
    ]);
    const met = [
      ...begun.map((thread) => ({ peer: thread.counterpart.mailboxId, on: thread.day })),
      ...received.map((thread) => ({ peer: thread.mailboxId, on: thread.day })),
    ];
    const [today, days] = [new Map<string, number>(), new Map<string, string[]>()];
    for (const { peer, on } of met) {
      const id = peer.toHexString();
      const before = days.get(id) ?? [];
      if (on === date) today.set(id, (today.get(id) ?? 0) + 1);
      else if (!before.includes(on)) days.set(id, [...before, on]);
    }
    return { today, days };
  }
}
