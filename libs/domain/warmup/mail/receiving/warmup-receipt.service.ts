import { HookRegistry } from '@platform/hooks';
import { MailError } from '@adapters/mail';
import { type MailboxRecord, MailboxRepository, SENT_MAIL_HOOKS } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { getDay, addDays, startOfDay } from '@platform/time';
import { type Model, Types } from 'mongoose';
import { type WarmupState, type Warmup } from '../../config/warmup-state';
import { isWarming } from '../../config/warmup-status';
import { WarmupRepository } from '../../config/warmup.repository';
import { decideReply } from '../../plan/reply-decision';
import { getDraws } from '../../plan/seeded-random';
import { getRoomForAnswers, getWarmupShare } from '../../plan/volume';
import { getHours, getWorkingMoment } from '../../plan/working-hours';
import { type Placement, WarmupMailRecord, type Loss } from '../../schemas/warmup-mail.record';
import { type Counterpart } from '../../schemas/warmup-thread.record';
import { MAX_MESSAGES } from '../../texts/thread-script';
import { findBorderAddress } from './border-address';
import { type FoundMail } from './found-mail';
import { listHeaderFields } from './header-fields';
import { getPlacement } from './placement';
import { type Report } from './returned-mail';
import { parseSelectors } from './dkim-signers';
import { WarmupPlacementService } from './warmup-placement.service';

/** The mailbox in which a mail was found, and the time. */
interface Finding {
  readonly mailbox: MailboxRecord;
  readonly state: WarmupState;
  readonly now: Date;
  /** YYYY-MM-DD in the warmup's time zone. */
  readonly day: string;
}

const MOST_CHARS = 500;

/** Days on which an answer may find room in the share; after these it is dropped. */
const MOST_DAYS = 3;

/** Records received mail and reports on both sides, and plans the receiver's actions. */
@Injectable()
export class WarmupReceiptService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly warmups: WarmupRepository,
    private readonly placement: WarmupPlacementService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly mailboxes: MailboxRepository,
    private readonly hooks: HookRegistry,
  ) {}

  /** Records found mail once; repeated calls change nothing. @throws NOT_FOUND for a deleted mailbox */
  async recordReceived(mailbox: MailboxRecord, found: readonly FoundMail[]): Promise<void> {
    const { state } = await this.warmups.find(
      { workspaceId: mailbox.workspaceId.toHexString() },
      mailbox._id.toHexString(),
    );
    const now = this.clock.now();
    const finding = { mailbox, state, now, day: getDay(now, state.config.timezone ?? mailbox.timezone) };
    for (const one of found) await this.transactions.run(() => this.#recordReceived(finding, one));
  }

  /**
   * Records a report about a mail, once. Returned mail becomes `failed` and counts as bounced, or as blocked after a policy
   * refusal or a complaint. A delay counts as deferred, unless the mail was deferred before. Found mail has arrived, whatever a
   * report says.
   * @param mail the sender's side
   * @throws MailError `temporary` while a worker still settles the send
   */
  async recordReturned({ _id, workspaceId }: WarmupMailRecord, report: Report): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.mails.findOne({ _id, workspaceId }).lean<WarmupMailRecord>();
      if (!before || before.receivedAt || before.state === 'failed') return;
      const mail = await this.placement.markDelivered(before);
      if (mail.dueAt) throw new MailError({ failure: 'temporary', stage: 'busy', message: 'The mail is being sent' });
      const reason = getReason(report);
      if (report.kind === 'delayed') {
        if (mail.reason !== null) return;
        await this.mails.updateOne({ _id, workspaceId }, { $set: { reason } });
        if (mail.attempt === 1) await this.warmups.count(mail, { deferred: 1 });
        return;
      }
      const lostAs = getLoss(report);
      await this.mails.updateOne({ _id, workspaceId }, { $set: { state: 'failed', reason, lostAs } });
      if (mail.lostAs === lostAs) return;
      await this.warmups.count(mail, { [lostAs]: 1, ...(mail.lostAs && { [mail.lostAs]: -1 }) });
    });
  }

  /** Notifies observers of the sender's DKIM signatures and its sending address, which only the receiver sees. */
  async notifyOrigins({ workspaceId, mailboxId }: Counterpart, raw: Buffer): Promise<void> {
    const address = (await this.mailboxes.addresses([mailboxId])).get(mailboxId.toHexString());
    if (address === undefined) return;
    const workspace = { workspaceId: workspaceId.toHexString() };
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
    for (const selector of parseSelectors(listHeaderFields(raw, 'DKIM-Signature'), domain)) {
      await this.hooks.call(SENT_MAIL_HOOKS, 'signed', workspace, domain, selector);
    }
    const origin = findBorderAddress(raw);
    if (origin) await this.hooks.call(SENT_MAIL_HOOKS, 'originated', workspace, mailboxId.toHexString(), origin);
  }

  async #recordReceived(finding: Finding, { message, mail: before }: FoundMail): Promise<void> {
    const { mailbox, state, now, day } = finding;
    const { workspaceId, _id: mailboxId } = mailbox;
    const { threadId, position, mailId, workspaceId: senders } = before;
    const place = { threadId, position, direction: 'received', workspaceId } as const;
    if ((await this.mails.exists(place)) !== null) return;
    // Reads the mail in this transaction: its sender may write to it.
    const mail = await this.mails.findOne({ _id: before._id, workspaceId: senders }).lean<WarmupMailRecord>();
    if (!mail) return;
    const placement = getPlacement(message.role);
    const { opensAt, answersAt } = getPlan(mail, placement, finding);
    const messageId = await this.#getMessageId(message, mail);
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
    await this.placement.recordPlacement(mail, { placement, messageId, at: now });
    await this.warmups.count(
      { workspaceId, mailboxId, day },
      { received: 1, ...(position > 0 && { repliesReceived: 1 }) },
    );
    if (position > 0) await this.#recordAnswered(mail, now);
    if (answersAt) await this.#planAnswer({ mailbox, state }, mail, answersAt);
  }

  /** Returns the Message-ID under which the mail was found, if no other mail has it: a server may have replaced it. */
  async #getMessageId({ messageId }: FoundMail['message'], mail: WarmupMailRecord): Promise<string> {
    if (messageId === null || messageId === mail.messageId) return mail.messageId;
    const isTaken =
      (await this.mails
        .exists({ messageId })
        .setOptions({ allWorkspaces: 'a Message-ID is unique in the installation' })) !== null;
    return isTaken ? mail.messageId : messageId;
  }

  /** On both sides of the previous mail. */
  async #recordAnswered({ threadId, position, workspaceId, counterpart }: WarmupMailRecord, at: Date): Promise<void> {
    const before = { threadId, position: position - 1, answeredAt: null };
    const answered = { $set: { answeredAt: at } };
    await this.mails.updateOne({ ...before, direction: 'received', workspaceId }, answered);
    await this.mails.updateOne({ ...before, direction: 'sent', workspaceId: counterpart.workspaceId }, answered);
  }

  /**
   * Plans an answer on the day of `at`, or on the next day whose share has room besides the openings. Joins the running
   * transaction. A mailbox that is not in warmup does not answer.
   * @param mail the sender's side
   */
  async #planAnswer(receiver: Warmup, mail: WarmupMailRecord, at: Date): Promise<void> {
    const { threadId, position, workspaceId, mailboxId } = mail;
    if (!isWarming(receiver.state.status) || position + 1 >= MAX_MESSAGES) return;
    const dueAt = await this.#findMoment(receiver, mail, at);
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

  async #findMoment({ mailbox, state }: Warmup, { mailId }: WarmupMailRecord, at: Date): Promise<Date | null> {
    const hours = getHours(state.config, mailbox.timezone);
    const draw = getDraws('warmup answer', mailId.toHexString());
    const share = getWarmupShare(mailbox.dailySendLimit, state.config);
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
      const { attempted, openings } = await this.warmups.getFigures({ ...mailboxRef, day });
      const answered = Math.max(0, attempted - openings) + planned;
      if (getRoomForAnswers(share, { openings: Math.max(openings, state.currentVolume), answered }) > 0) return moment;
      moment = getWorkingMoment(tomorrow, hours, draw);
    }
    return null;
  }
}

/** Returns when the receiver opens the mail and when it answers, if it does, both within its hours. */
function getPlan(
  { mailId, position }: WarmupMailRecord,
  placement: Placement,
  { mailbox, state, now, day: date }: Finding,
): { opensAt: Date; answersAt: Date | null } {
  const id = mailId.toHexString();
  const receiver = { mailboxId: mailbox._id.toHexString(), rates: state.config.replyRates };
  const { opensAfterMs, afterMs } = decideReply({ mailId: id, position, placement, receiver, date });
  const hours = getHours(state.config, mailbox.timezone);
  const draw = getDraws('warmup hours', id);
  const moment = (ms: number) => getWorkingMoment(new Date(now.getTime() + ms), hours, draw);
  return {
    opensAt: moment(opensAfterMs) ?? new Date(now.getTime() + opensAfterMs),
    answersAt: afterMs === null ? null : moment(afterMs),
  };
}

function getLoss(report: Exclude<Report, { kind: 'delayed' }>): Loss {
  const isUnwanted = report.kind === 'complaint' || report.failed.some(({ verdict }) => verdict === 'policy');
  return isUnwanted ? 'blocked' : 'bounced';
}

function getReason(report: Report): string {
  if (report.kind === 'complaint') return 'The receiver’s provider reported a complaint';
  if (report.kind === 'delayed') return 'A server deferred it';
  const said = report.failed.map(({ diagnostic }) => diagnostic).find((diagnostic) => diagnostic !== null);
  return (said ?? 'It came back').slice(0, MOST_CHARS);
}
