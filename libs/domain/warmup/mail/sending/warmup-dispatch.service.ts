import { MailboxFiguresService, type MailboxRecord, MailboxRepository } from '@domain/mailboxes';
import { type LeftMail, type OutboundMail, type OutboundMailSource, type SettledMail } from '@domain/sending';
import { toMessageId } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
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

/** A claimed mail. */
interface DispatchedMail extends OutboundMail {
  readonly record: WarmupMailRecord;
}

/** The outcome of an attempt, as the figures of warmup tell it. */
type DispatchOutcome =
  | { readonly kind: 'sent' | 'refused' | 'blocked' | 'failed' | 'ambiguous'; readonly reason: string | null }
  /** Due again at that time. */
  | { readonly kind: 'deferred'; readonly reason: string; readonly dueAt: Date };

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
    private readonly mailboxes: MailboxRepository,
  ) {}

  /** Creates the source for one run of the mailbox sender. */
  createSource({ mailbox, state }: Warmup): OutboundMailSource<WarmupMailRecord, DispatchedMail> {
    const hours = getHours(state.config, mailbox.timezone);
    const of = { workspaceId: mailbox.workspaceId, mailboxId: mailbox._id };
    return {
      name: 'warmup',
      isWarmup: true,
      listLeft: ({ mailbox: { record } }) => this.#listLeft(record),
      next: async (run, now) => {
        const mail = await this.#findNext({ mailbox: run.mailbox.record, state }, now);
        return mail ? { kind: 'mail', mail } : { kind: 'wait', nextAt: null, isPoll: true };
      },
      claim: (mail, { mailbox: { lease }, at, withBudget }) =>
        withBudget(async () => {
          const messageId = toMessageId(mail.mailId.toHexString(), mailbox.email);
          const fields = { fence: lease.fence, at, messageId, day: getDay(at, hours.timezone) };
          const claimed = await this.mails.claim(mail, fields);
          return claimed ? toDispatchedMail(claimed, at) : 'mail';
        }),
      compose: async (record, mail) => {
        const { message, subject } = await this.messages.compose(record, mail.record);
        mail.record.subject = subject;
        return { message, mail };
      },
      allows: () => this.isSending(of),
      markSending: ({ record }) => this.mails.markSending(record),
      release: ({ record }) => this.mails.release(record),
      settle: (record, mail, attempted) => {
        const { handover, now } = attempted;
        return this.#settle(record, mail.record, toDispatchOutcome(attempted), handover.handoverAt ?? now);
      },
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
  async #listLeft(mailbox: MailboxRecord): Promise<LeftMail[]> {
    const found = await this.mails.listClaimed({ workspaceId: mailbox.workspaceId, mailboxId: mailbox._id });
    return found.map((mail) => {
      const { _id, claimedAt = null, updatedAt, receivedAt } = mail;
      const at = claimedAt ?? updatedAt;
      return {
        id: _id.toHexString(),
        claimedAt,
        handoverAt: mail.state === 'ambiguous' ? at : null,
        release: () => this.mails.release(mail),
        settle: (reason) => {
          const outcome = receivedAt ? { kind: 'sent', reason: null } : { kind: 'ambiguous', reason };
          return this.#settle(mailbox, mail, outcome as DispatchOutcome, at);
        },
      };
    });
  }

  /** Returns the first due mail to send; postpones or abandons the others. */
  async #findNext(warmup: Warmup, now: Date): Promise<WarmupMailRecord | null> {
    const { workspaceId, _id: mailboxId } = warmup.mailbox;
    const usage = await this.#readDayUsage(warmup, now);
    for (;;) {
      const mail = await this.mails.findNext({ workspaceId, mailboxId }, now);
      if (!mail) return null;
      const { _id, position, day, plannedFor = now, createdAt: plannedAt } = mail;
      const dispatch = decideDispatch({ id: _id.toHexString(), position, day, plannedFor, plannedAt }, usage, now);
      if (dispatch.kind === 'putOff') await this.mails.postponeOne(mail, dispatch.until);
      else if (dispatch.kind === 'giveUp') await this.mails.abandon(mail, dispatch.reason);
      else if (await this.findReceiver(mail.counterpart)) return mail;
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

  async #settle(mailbox: MailboxRecord, mail: WarmupMailRecord, outcome: DispatchOutcome, at: Date): Promise<boolean> {
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

/** Both ends of a warmup mail are mailboxes of the installation: neither is suppressed. */
function toDispatchedMail(record: WarmupMailRecord, claimedAt: Date): DispatchedMail {
  return { id: record._id.toHexString(), attempt: record.attempt, claimedAt, recipient: null, record };
}

function toDispatchOutcome({ verdict, handover: { outcome } }: SettledMail): DispatchOutcome {
  switch (verdict.kind) {
    case 'sent':
      return { kind: 'sent', reason: null };
    case 'retry':
      return { kind: 'deferred', reason: verdict.reason, dueAt: verdict.at };
    case 'stop_mailbox':
      return { kind: 'blocked', reason: verdict.reason };
    case 'bounced':
      return { kind: 'refused', reason: verdict.reason };
    case 'failed':
      return { kind: outcome.kind === 'permanent' ? 'refused' : 'failed', reason: verdict.reason };
    case 'ambiguous':
      return { kind: 'ambiguous', reason: verdict.reason };
  }
}

function toSettlement(outcome: DispatchOutcome, at: Date): Parameters<WarmupMailRepository['settle']>[1] {
  const { kind, reason } = outcome;
  if (kind === 'deferred') return { state: 'planned', dueAt: outcome.dueAt, reason };
  return { state: kind === 'sent' || kind === 'ambiguous' ? kind : 'failed', at, reason };
}

/** Figures of an attempt: each mail counts as attempted once, and by its outcome. */
function getFigures({ attempt, position }: WarmupMailRecord, { kind }: DispatchOutcome): Partial<WarmupFigures> {
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
