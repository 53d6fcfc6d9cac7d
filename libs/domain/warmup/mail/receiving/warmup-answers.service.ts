import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict } from '@platform/database';
import { addDays, getDay, startOfDay } from '@platform/time';
import { type Model, Types } from 'mongoose';
import { type Warmup } from '../../config/warmup-state';
import { isWarming } from '../../config/warmup-status';
import { getDraws } from '../../plan/seeded-random';
import { roomForAnswers, getShare } from '../../plan/volume';
import { getHours, workingMoment } from '../../plan/working-hours';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { MAX_MESSAGES } from '../../texts/thread-script';
import { WarmupCountsRepository } from '../../config/warmup-counts.repository';

/** An answer that has no room on its day waits for one of the next days; one that has none there either is not written. */
const MOST_DAYS = 3;

/** Plans the answers to received mail, which are sent like any other mail of the mailbox. */
@Injectable()
export class WarmupAnswersService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly counts: WarmupCountsRepository,
  ) {}

  /**
   * Plans an answer of the mailbox to a mail, on the day of `at` or the first one after it on which its share of the daily limit
   * has room beside the threads that it begins. Joins the running transaction. A mailbox that is not in warmup answers nothing.
   * @param mail the sender's side
   */
  async planAnswer(receiver: Warmup, mail: WarmupMailRecord, at: Date): Promise<void> {
    const { threadId, position, workspaceId, mailboxId } = mail;
    if (!isWarming(receiver.state.status) || position + 1 >= MAX_MESSAGES) return;
    const dueAt = await this.#momentWithRoom(receiver, mail, at);
    if (!dueAt) return;
    const _id = new Types.ObjectId();
    const { mailbox, state } = receiver;
    const answer = {
      _id,
      mailId: _id,
      workspaceId: mailbox.workspaceId,
      mailboxId: mailbox._id,
      direction: 'sent',
      counterpart: { workspaceId, mailboxId },
      threadId,
      position: position + 1,
      state: 'planned',
      day: getDay(dueAt, state.config.timezone ?? mailbox.timezone),
      dueAt,
    } as const;
    await rerunOnWriteConflict(() => this.mails.insertMany([answer]));
  }

  async #momentWithRoom({ mailbox, state }: Warmup, { mailId }: WarmupMailRecord, at: Date): Promise<Date | null> {
    const hours = getHours(state.config, mailbox.timezone);
    const draw = getDraws('warmup answer', mailId.toHexString());
    const share = getShare(mailbox.dailySendLimit, state.config);
    const mailboxRef = { workspaceId: mailbox.workspaceId, mailboxId: mailbox._id };
    let moment: Date | null = at;
    for (let days = 0; moment !== null && days < MOST_DAYS; days += 1) {
      const day = getDay(moment, hours.timezone);
      const tomorrow = startOfDay(addDays(day, 1), hours.timezone);
      const planned = await this.mails.countDocuments({
        ...mailboxRef,
        state: 'planned',
        position: { $gt: 0 },
        dueAt: { $gte: startOfDay(day, hours.timezone), $lt: tomorrow },
      });
      const { attempted, openings } = await this.counts.getFigures({ ...mailboxRef, day });
      const answered = Math.max(0, attempted - openings) + planned;
      if (roomForAnswers(share, { openings: Math.max(openings, state.currentVolume), answered }) > 0) return moment;
      moment = workingMoment(tomorrow, hours, draw);
    }
    return null;
  }
}
