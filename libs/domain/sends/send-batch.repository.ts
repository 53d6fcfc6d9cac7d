import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { type Model, Types } from 'mongoose';
import { MailboxLeaseRecord } from './schemas/mailbox-lease.record';
import { SendRecord } from './schemas/send.record';
import { toFields, type SendLease, type SendOutcome } from './send-outcome';
import { type NewSend, type HandoverFields } from './send.repository';
import { type Budget, type MailboxLease } from './mailbox-lease';

type Sent = Extract<SendOutcome, { state: 'sent' }>;

/**
 * The same step of many sends of one workspace at once, as turns of several mailboxes come to it together: one write for all
 * of them. Whoever finds that not all of them went through undoes the transaction and takes them one by one.
 */
@Injectable()
export class SendBatchRepository {
  constructor(
    @InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>,
    @InjectModel(MailboxLeaseRecord.name) private readonly turns: Model<MailboxLeaseRecord>,
    private readonly transactions: TransactionService,
    private readonly metrics: MetricsService,
    private readonly clock: ClockPort,
  ) {}

  /** Steps that nobody has claimed before; joins the running transaction. @throws for one that somebody has */
  async claimAll(claims: readonly NewSend[]): Promise<SendRecord[]> {
    const now = this.clock.now();
    const fresh = claims.map((claim): SendRecord => ({ ...UNCLAIMED, ...claim, createdAt: now, updatedAt: now }));
    await this.sends.insertMany(fresh, { lean: true, ordered: false, timestamps: false });
    return fresh;
  }

  /** What `MailboxLeaseService.writeBudget` writes for one, unless it was stopped; false unless all were written. Joins the transaction. */
  async budgetsAll(budgets: readonly { turn: MailboxLease; budget: Budget }[]): Promise<boolean> {
    const { matchedCount } = await this.turns.bulkWrite(
      budgets.map(({ turn: { mailboxId, workspaceId, holder, fence }, budget }) => {
        const { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent } = budget;
        return {
          updateOne: {
            filter: { ...idsOf({ _id: mailboxId, workspaceId }), holder, fence, stopped: null },
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

  /** As `SendRepository.toWire` for each; not in a transaction, since each stands for itself. */
  async markSendingAll(wanted: readonly { send: SendLease; fields: HandoverFields }[]): Promise<boolean[]> {
    const { matchedCount } = await this.sends.bulkWrite(
      wanted.map(({ send: { _id, workspaceId, mailboxId, fence }, fields: { subject, links, draftId, at } }) => ({
        updateOne: {
          filter: { _id, workspaceId, mailboxId, state: 'claimed', fence },
          update: { $set: { state: 'wire', subject, links: [...links], draftId, wireAt: at } },
        },
      })),
      { ordered: false },
    );
    if (matchedCount === wanted.length) return wanted.map(() => true);
    return this.#onTheWire(wanted.map(({ send }) => send));
  }

  /** As `SendRepository.settle` for each that the server has accepted; false unless all were written. Joins the transaction. */
  async sentAll(sent: readonly { send: SendLease; outcome: Sent }[]): Promise<boolean> {
    const { matchedCount } = await this.sends.bulkWrite(
      sent.map(({ send: { _id, workspaceId, mailboxId, fence }, outcome }) => ({
        updateOne: {
          filter: { _id, workspaceId, mailboxId, state: 'wire', fence },
          update: { $set: toFields('wire', outcome) },
        },
      })),
      { ordered: false },
    );
    if (matchedCount !== sent.length) return false;
    this.transactions.countOnce(() => this.metrics.sends.inc({ state: 'sent' }, sent.length));
    return true;
  }

  /** Those of them that there are, by id. */
  async findAll(workspaceId: Types.ObjectId, ids: readonly Types.ObjectId[]): Promise<Map<string, SendRecord>> {
    const found = await this.sends.find({ workspaceId, _id: { $in: [...ids] } }).lean<SendRecord[]>();
    return new Map(found.map((send) => [send._id.toHexString(), send]));
  }

  /** Nobody but this turn moves a send to the wire under its fence: what lies there now, it has moved. */
  async #onTheWire(sends: readonly SendLease[]): Promise<boolean[]> {
    const [first] = sends;
    if (!first) return [];
    const found = await this.sends
      .find(
        { workspaceId: first.workspaceId, _id: { $in: sends.map(({ _id }) => _id) }, state: 'wire' },
        { mailboxId: 1, fence: 1 },
      )
      .lean<SendLease[]>();
    const held = new Set(found.map(heldBy));
    return sends.map((send) => held.has(heldBy(send)));
  }
}

/** What a send is before anything has happened to it. */
const UNCLAIMED: Omit<SendRecord, Exclude<keyof NewSend, 'places' | 'wasNew'> | 'createdAt' | 'updatedAt'> = {
  state: 'claimed',
  attempt: 1,
  subject: '',
  links: [],
  draftId: null,
  words: null,
  reason: null,
  places: null,
  wasNew: false,
  providerMessageId: null,
  providerThreadId: null,
  wireAt: null,
  sentAt: null,
  lookAt: null,
};

function idsOf({ _id, workspaceId }: { _id: string; workspaceId: string }) {
  return { _id: new Types.ObjectId(_id), workspaceId: new Types.ObjectId(workspaceId) };
}

function heldBy({ _id, mailboxId, fence }: Pick<SendLease, '_id' | 'mailboxId' | 'fence'>): string {
  return `${_id.toHexString()} ${mailboxId.toHexString()} ${fence}`;
}
