import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { type Model, Types } from 'mongoose';
import { MailboxLeaseRecord } from './schemas/mailbox-lease.record';
import { SendRecord } from './schemas/send.record';
import { toSendFields, type SendLease, type SendOutcome } from './send-outcome';
import { type NewSend, type HandoverFields } from './send.repository';
import { type Budget, type MailboxLease } from './mailbox-lease';

type Sent = Extract<SendOutcome, { state: 'sent' }>;

/**
 * Writes the same change of several sends of a workspace at once, for mailboxes that reach it together. If not all writes
 * match, the caller aborts the transaction and handles the sends one by one.
 */
@Injectable()
export class SendBatchRepository {
  constructor(
    @InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>,
    @InjectModel(MailboxLeaseRecord.name) private readonly leases: Model<MailboxLeaseRecord>,
    private readonly transactions: TransactionService,
    private readonly metrics: MetricsService,
    private readonly clock: ClockPort,
  ) {}

  /** Claims steps that have no send yet; joins the running transaction. @throws when one of them has a send */
  async claimAll(claims: readonly NewSend[]): Promise<SendRecord[]> {
    const now = this.clock.now();
    const fresh = claims.map((claim): SendRecord => ({ ...UNCLAIMED, ...claim, createdAt: now, updatedAt: now }));
    await this.sends.insertMany(fresh, { lean: true, ordered: false, timestamps: false });
    return fresh;
  }

  /** As `MailboxLeaseService.writeBudget` for mailboxes that are not stopped; false unless all were written. Joins the transaction. */
  async writeBudgets(budgets: readonly { lease: MailboxLease; budget: Budget }[]): Promise<boolean> {
    const { matchedCount } = await this.leases.bulkWrite(
      budgets.map(({ lease: { mailboxId, workspaceId, holder, fence }, budget }) => {
        const { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent } = budget;
        return {
          updateOne: {
            filter: { ...toIds({ _id: mailboxId, workspaceId }), holder, fence, stopped: null },
            update: {
              $set: { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots: [...slots], recent: [...recent] },
            },
          },
        };
      }),
      { ordered: false },
    );
    return matchedCount === budgets.length;
  }

  /** As `SendRepository.markSending` for each; outside of transactions, since the sends do not depend on each other. */
  async markSendingAll(inputs: readonly { send: SendLease; fields: HandoverFields }[]): Promise<boolean[]> {
    const { matchedCount } = await this.sends.bulkWrite(
      inputs.map(({ send: { _id, workspaceId, mailboxId, fence }, fields: { subject, links, draftId, at } }) => ({
        updateOne: {
          filter: { _id, workspaceId, mailboxId, state: 'claimed', fence },
          update: { $set: { state: 'sending', subject, links: [...links], draftId, handoverAt: at } },
        },
      })),
      { ordered: false },
    );
    if (matchedCount === inputs.length) return inputs.map(() => true);
    return this.#readSending(inputs.map(({ send }) => send));
  }

  /** As `SendRepository.settle` for sends that the server has accepted; false unless all were written. Joins the transaction. */
  async settleAllSent(sent: readonly { send: SendLease; outcome: Sent }[]): Promise<boolean> {
    const { matchedCount } = await this.sends.bulkWrite(
      sent.map(({ send: { _id, workspaceId, mailboxId, fence }, outcome }) => ({
        updateOne: {
          filter: { _id, workspaceId, mailboxId, state: 'sending', fence },
          update: { $set: toSendFields('sending', outcome) },
        },
      })),
      { ordered: false },
    );
    if (matchedCount !== sent.length) return false;
    this.transactions.countOnce(() => this.metrics.sends.inc({ state: 'sent' }, sent.length));
    return true;
  }

  /** Returns the existing ones of these sends by id. */
  async findAll(workspaceId: Types.ObjectId, ids: readonly Types.ObjectId[]): Promise<Map<string, SendRecord>> {
    const found = await this.sends.find({ workspaceId, _id: { $in: [...ids] } }).lean<SendRecord[]>();
    return new Map(found.map((send) => [send._id.toHexString(), send]));
  }

  /** Only the holder of the lease marks a send under its fence: each send in `sending` was marked by this call. */
  async #readSending(sends: readonly SendLease[]): Promise<boolean[]> {
    const [first] = sends;
    if (!first) return [];
    const found = await this.sends
      .find(
        { workspaceId: first.workspaceId, _id: { $in: sends.map(({ _id }) => _id) }, state: 'sending' },
        { mailboxId: 1, fence: 1 },
      )
      .lean<SendLease[]>();
    const marked = new Set(found.map(toLeaseKey));
    return sends.map((send) => marked.has(toLeaseKey(send)));
  }
}

/** The fields of a send that a new claim does not set. */
const UNCLAIMED: Omit<SendRecord, Exclude<keyof NewSend, 'places' | 'wasNew'> | 'createdAt' | 'updatedAt'> = {
  state: 'claimed',
  attempt: 1,
  subject: '',
  links: [],
  draftId: null,
  lastReply: null,
  reason: null,
  places: null,
  wasNew: false,
  providerMessageId: null,
  providerThreadId: null,
  handoverAt: null,
  sentAt: null,
  resolveAt: null,
};

function toIds({ _id, workspaceId }: { _id: string; workspaceId: string }) {
  return { _id: new Types.ObjectId(_id), workspaceId: new Types.ObjectId(workspaceId) };
}

function toLeaseKey({ _id, mailboxId, fence }: Pick<SendLease, '_id' | 'mailboxId' | 'fence'>): string {
  return `${_id.toHexString()} ${mailboxId.toHexString()} ${fence}`;
}
