import { type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { getDay } from '@platform/time';
import { type Model } from 'mongoose';
import { type WarmupState } from '../../config/warmup-state';
import { WarmupRepository } from '../../config/warmup.repository';
import { getDraws } from '../../plan/seeded-random';
import { replyDecision } from '../../plan/reply-decision';
import { getHours, workingMoment } from '../../plan/working-hours';
import { type Placement, WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupCountsRepository } from '../../config/warmup-counts.repository';
import { type FoundMail } from './found-mail';
import { placementIn } from './placement';
import { WarmupAnswersService } from './warmup-answers.service';
import { WarmupPlacementService } from './warmup-placement.service';

/** The mailbox that a mail was found in, and the moment. */
interface Finding {
  readonly mailbox: MailboxRecord;
  readonly state: WarmupState;
  readonly now: Date;
  /** YYYY-MM-DD in the zone of its warmup. */
  readonly day: string;
}

/** Writes down, on both sides, that mail was found, and where; and decides what its receiver does with it. */
@Injectable()
export class WarmupReceiptService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly warmups: WarmupRepository,
    private readonly counts: WarmupCountsRepository,
    private readonly sender: WarmupPlacementService,
    private readonly answers: WarmupAnswersService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Mail that is on record already is passed over, so that all of it may be done again. @throws NOT_FOUND when the mailbox is gone */
  async recordReceived(mailbox: MailboxRecord, found: readonly FoundMail[]): Promise<void> {
    const { state } = await this.warmups.find(
      { workspaceId: mailbox.workspaceId.toHexString() },
      mailbox._id.toHexString(),
    );
    const now = this.clock.now();
    const finding = { mailbox, state, now, day: getDay(now, state.config.timezone ?? mailbox.timezone) };
    for (const one of found) await this.transactions.run(() => this.#recordReceived(finding, one));
  }

  async #recordReceived(finding: Finding, { message, mail: before }: FoundMail): Promise<void> {
    const { mailbox, state, now, day } = finding;
    const { workspaceId, _id: mailboxId } = mailbox;
    const { threadId, position, mailId, workspaceId: senders } = before;
    const place = { threadId, position, direction: 'received', workspaceId } as const;
    if ((await this.mails.exists(place)) !== null) return;
    // As it stands in this transaction: its sender may be writing to it.
    const mail = await this.mails.findOne({ _id: before._id, workspaceId: senders }).lean<WarmupMailRecord>();
    if (!mail) return;
    const placement = placementIn(message.role);
    const { opensAt, answersAt } = plansFor(mail, placement, finding);
    const messageId = await this.#nameOf(message, mail);
    const received = {
      _id: message._id,
      ...place,
      mailboxId,
      mailId,
      counterpart: { workspaceId: senders, mailboxId: mail.mailboxId },
      state: 'received',
      day,
      messageId,
      subject: mail.subject || message.subject,
      at: now,
      placement,
      receivedAt: now,
      opensAt,
    } as const;
    await rerunOnWriteConflict(() => this.mails.insertMany([received]));
    await this.sender.recordPlacement(mail, { placement, messageId, at: now });
    await this.counts.count(
      { workspaceId, mailboxId, day },
      { received: 1, ...(position > 0 && { repliesReceived: 1 }) },
    );
    if (position > 0) await this.#noteAnswered(mail, now);
    if (answersAt) await this.answers.planAnswer({ mailbox, state }, mail, answersAt);
  }

  /** The Message-ID under which it was found: a server on the way may have given it another one, which no other mail has. */
  async #nameOf({ messageId }: FoundMail['message'], mail: WarmupMailRecord): Promise<string> {
    if (messageId === null || messageId === mail.messageId) return mail.messageId;
    const isTaken =
      (await this.mails.exists({ messageId }).setOptions({ allWorkspaces: 'no two have the same' })) !== null;
    return isTaken ? mail.messageId : messageId;
  }

  /** On both sides of the mail before it. */
  async #noteAnswered({ threadId, position, workspaceId, counterpart }: WarmupMailRecord, at: Date): Promise<void> {
    const before = { threadId, position: position - 1, answeredAt: null };
    const answered = { $set: { answeredAt: at } };
    await this.mails.updateOne({ ...before, direction: 'received', workspaceId }, answered);
    await this.mails.updateOne({ ...before, direction: 'sent', workspaceId: counterpart.workspaceId }, answered);
  }
}

/** When the receiver opens it, and when it answers, if it does: both within its hours. */
function plansFor(
  { mailId, position }: WarmupMailRecord,
  placement: Placement,
  { mailbox, state, now, day: date }: Finding,
): { opensAt: Date; answersAt: Date | null } {
  const id = mailId.toHexString();
  const receiver = { mailboxId: mailbox._id.toHexString(), rates: state.config.replyRates };
  const { opensAfterMs, afterMs } = replyDecision({ mailId: id, position, placement, receiver, date });
  const hours = getHours(state.config, mailbox.timezone);
  const draw = getDraws('warmup hours', id);
  const moment = (ms: number) => workingMoment(new Date(now.getTime() + ms), hours, draw);
  return {
    opensAt: moment(opensAfterMs) ?? new Date(now.getTime() + opensAfterMs),
    answersAt: afterMs === null ? null : moment(afterMs),
  };
}
