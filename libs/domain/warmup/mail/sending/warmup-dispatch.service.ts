import { MailboxFiguresService, type MailboxRecord, MailboxRepository } from '@domain/mailboxes';
import { type OutboundMail, type OutboundMailOutcome, type OutboundMailSource } from '@domain/sending';
import { toMessageId } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { getDay } from '@platform/time';
import { type Model } from 'mongoose';
import { type Warmup } from '../../config/warmup-state';
import { isWarming } from '../../config/warmup-status';
import { WarmupRepository } from '../../config/warmup.repository';
import { getWarmupShare } from '../../plan/volume';
import { getHours } from '../../plan/working-hours';
import { type WarmupFigures } from '../../schemas/warmup-day.record';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { type DayUsage, decideDispatch } from './dispatch-decision';
import { WarmupMailRepository, type MailboxRef } from './warmup-mail.repository';
import { WarmupMessageService } from './warmup-message.service';

/** A mail that the mailbox sender has claimed. */
interface DispatchedMail extends OutboundMail {
  readonly record: WarmupMailRecord;
}

const WORKER_CRASHED = 'The worker crashed during the handover to the server';

/** The outbound source for the warmup mail of a mailbox. */
@Injectable()
export class WarmupDispatchService {
  constructor(
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    @InjectModel(WarmupRecord.name) private readonly records: Model<WarmupRecord>,
    private readonly mails: WarmupMailRepository,
    private readonly messages: WarmupMessageService,
    private readonly warmups: WarmupRepository,
    private readonly figures: MailboxFiguresService,
    private readonly transactions: TransactionService,
    private readonly mailboxes: MailboxRepository,
  ) {}

  /** Creates the source for one run of the mailbox sender. */
  createSource({ mailbox, state }: Warmup): OutboundMailSource<DispatchedMail> {
    const hours = getHours(state.config, mailbox.timezone);
    const of = { workspaceId: mailbox.workspaceId, mailboxId: mailbox._id };
    return {
      listLeft: (record) => this.#settleInterrupted(record),
      next: (record, now) => this.#findNext({ mailbox: record, state }, now),
      claim: async ({ record: mail }, fence, at) => {
        const messageId = toMessageId(mail.mailId.toHexString(), mailbox.email);
        const day = getDay(at, hours.timezone);
        const claimed = await this.mails.claim(mail, { fence, at, messageId, day });
        return claimed && toDispatchedMail(claimed);
      },
      message: async (record, { record: mail }) => {
        const composed = await this.messages.compose(record, mail);
        mail.subject = composed.subject;
        return composed.message;
      },
      markSending: async ({ record: mail }) => {
        return (await this.isSending(of)) && this.mails.markSending(mail);
      },
      release: ({ record: mail }) => this.mails.release(mail),
      settle: ({ record: mail }, outcome, at) => this.#settle(mailbox, mail, outcome, at),
    };
  }

  /** Whether the warmup of a mailbox sends. */
  async isSending({ workspaceId, mailboxId }: MailboxRef): Promise<boolean> {
    const warmup = await this.records
      .findOne({ _id: mailboxId, workspaceId }, { status: 1 })
      .lean<Pick<WarmupRecord, 'status'>>();
    return warmup !== null && isWarming(warmup.status);
  }

  /** Returns the mailbox if it is in warmup and connected; null otherwise. */
  async findReceiver(mailbox: MailboxRef): Promise<MailboxRecord | null> {
    const [found, takesPart] = await Promise.all([
      this.mailboxes.find(mailbox.workspaceId, mailbox.mailboxId),
      this.isSending(mailbox),
    ]);
    return takesPart && found?.status !== 'disconnected' ? found : null;
  }

  /** A handover that a crash interrupted is never repeated; the receiver may already have found the mail. */
  async #settleInterrupted(mailbox: MailboxRecord): Promise<DispatchedMail[]> {
    const found = await this.mails.listClaimed({ workspaceId: mailbox.workspaceId, mailboxId: mailbox._id });
    for (const mail of found.filter(({ state }) => state === 'ambiguous')) {
      const outcome: OutboundMailOutcome = mail.receivedAt
        ? { kind: 'sent' }
        : { kind: 'ambiguous', reason: WORKER_CRASHED };
      const at = mail.claimedAt ?? mail.updatedAt;
      await this.transactions.run(() => this.#settle(mailbox, mail, outcome, at));
    }
    return found.filter(({ state }) => state === 'claimed').map(toDispatchedMail);
  }

  /** Returns the first due mail to send; postpones or abandons the others. */
  async #findNext(warmup: Warmup, now: Date): Promise<DispatchedMail | null> {
    const { workspaceId, _id: mailboxId } = warmup.mailbox;
    const usage = await this.#readDayUsage(warmup, now);
    for (;;) {
      const mail = await this.mails.findNext({ workspaceId, mailboxId }, now);
      if (!mail) return null;
      const { _id, position, day, plannedFor = now, createdAt: plannedAt } = mail;
      const dispatch = decideDispatch({ id: _id.toHexString(), position, day, plannedFor, plannedAt }, usage, now);
      if (dispatch.kind === 'putOff') await this.mails.postponeOne(mail, dispatch.until);
      else if (dispatch.kind === 'giveUp') await this.mails.abandon(mail, dispatch.reason);
      else if (await this.findReceiver(mail.counterpart)) return toDispatchedMail(mail);
      else await this.mails.abandon(mail, 'The receiving mailbox is no longer in warmup');
    }
  }

  async #readDayUsage({ mailbox, state: { config, status } }: Warmup, now: Date): Promise<DayUsage> {
    const of = { workspaceId: mailbox.workspaceId, mailboxId: mailbox._id };
    const hours = getHours(config, mailbox.timezone);
    const day = getDay(now, hours.timezone);
    const [{ attempted, openings }, openingsLeft] = await Promise.all([
      this.warmups.getFigures({ ...of, day }),
      this.mails.countOpenings(of, day),
    ]);
    const share = getWarmupShare(mailbox.dailySendLimit, config);
    return { isSending: isWarming(status), hours, share, attempted, openings, openingsLeft };
  }

  async #settle(
    mailbox: MailboxRecord,
    mail: WarmupMailRecord,
    outcome: OutboundMailOutcome,
    at: Date,
  ): Promise<boolean> {
    if (!(await this.mails.settle(mail, toSettlement(outcome, at)))) return false;
    await this.warmups.count(mail, getFigures(mail, outcome));
    if (outcome.kind !== 'sent') return true;
    await this.figures.countWarmup(mailbox, at);
    await this.#addToThread(mail);
    return true;
  }

  /** Does nothing after the thread was deleted with the other mailbox. */
  async #addToThread({ workspaceId, counterpart, threadId, position, messageId, subject }: WarmupMailRecord) {
    const owner = position % 2 === 0 ? workspaceId : counterpart.workspaceId;
    const added = { $addToSet: { messageIds: messageId }, ...(position === 0 && { $set: { subject } }) };
    await this.threads.updateOne({ _id: threadId, workspaceId: owner }, added);
  }
}

function toDispatchedMail(record: WarmupMailRecord): DispatchedMail {
  return { id: record._id.toHexString(), attempt: record.attempt, claimedAt: record.claimedAt ?? null, record };
}

function toSettlement(outcome: OutboundMailOutcome, at: Date): Parameters<WarmupMailRepository['settle']>[1] {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'sent', at, reason: null };
    case 'deferred':
      return { state: 'planned', dueAt: outcome.dueAt, reason: outcome.reason };
    case 'ambiguous':
      return { state: 'ambiguous', at, reason: outcome.reason };
    case 'refused':
    case 'blocked':
    case 'failed':
      return { state: 'failed', at, reason: outcome.reason };
  }
}

/** Figures of an attempt: each mail counts as attempted once, and by its outcome. */
function getFigures({ attempt, position }: WarmupMailRecord, { kind }: OutboundMailOutcome): Partial<WarmupFigures> {
  const isFirst = attempt === 1;
  return {
    attempted: isFirst ? 1 : 0,
    sent: kind === 'sent' ? 1 : 0,
    openings: kind === 'sent' && position === 0 ? 1 : 0,
    deferred: kind === 'deferred' && isFirst ? 1 : 0,
    bounced: kind === 'refused' ? 1 : 0,
    blocked: kind === 'blocked' ? 1 : 0,
  };
}
