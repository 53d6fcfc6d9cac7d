import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { SendRecord, type SendState } from './schemas/send.record';
import { type SendLease, type SendOutcome, type SendResolution, toSendFields } from './send-outcome';
import { IN_FLIGHT, type InFlight, maySendBecome } from './send-states';
import { inScope, type WithholdScope } from './withhold-scope';

type Id = Types.ObjectId | string;

/** The fields of a new claim. */
export type NewSend = Pick<
  SendRecord,
  | '_id'
  | 'workspaceId'
  | 'campaignId'
  | 'leadId'
  | 'stepId'
  | 'stepOrder'
  | 'variantId'
  | 'sequenceVersion'
  | 'mailboxId'
  | 'email'
  | 'fence'
  | 'messageId'
  | 'claimedAt'
> &
  Partial<Pick<SendRecord, 'places' | 'wasNew'>>;

/** Fields that are fixed when the message is rendered, right before its handover. */
export interface HandoverFields {
  subject: string;
  /** Targets of the tracked links, by number. */
  links: readonly string[];
  /** The provider's draft, if the message is sent from one. */
  draftId: string | null;
  at: Date;
}

/** A send that was withheld. */
export type WithheldSend = Pick<
  SendRecord,
  '_id' | 'workspaceId' | 'campaignId' | 'leadId' | 'stepId' | 'mailboxId' | 'email' | 'fence'
>;

type WithholdCandidate = WithheldSend & Pick<SendRecord, 'state'>;

const CANDIDATE_FIELDS = {
  workspaceId: 1,
  campaignId: 1,
  leadId: 1,
  stepId: 1,
  mailboxId: 1,
  email: 1,
  fence: 1,
  state: 1,
} as const;

/**
 * Sends. Each change is guarded by the state that it leaves, and under a mailbox lease by the lease's fence. Of two
 * concurrent changes one writes nothing and returns false.
 */
@Injectable()
export class SendRepository {
  constructor(
    @InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>,
    private readonly transactions: TransactionService,
    private readonly metrics: MetricsService,
  ) {}

  /**
   * Claims the step of the lead under this lease: a new send, or one that waits for another attempt. The latter keeps its
   * id and Message-ID; after a failed attempt the number of attempts grows. Null when another worker has claimed the send
   * or when it is final. Joins the running transaction.
   */
  async claim(fields: NewSend): Promise<SendRecord | null> {
    const { workspaceId, leadId, stepId, ...fresh } = fields;
    // After a lost race the transaction (its own or the caller's) runs again and finds the other worker's send.
    const found = await this.transactions.run(() =>
      rerunOnWriteConflict(() =>
        this.sends
          .findOneAndUpdate(
            { workspaceId, leadId, stepId },
            { $setOnInsert: { ...fresh, state: 'claimed', attempt: 1 } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<SendRecord>(),
      ),
    );
    return !found || found._id.equals(fields._id) ? found : this.#takeOver(found, fields);
  }

  /**
   * Treats all claims of a workspace as possibly handed over, so that they are resolved instead of sent.
   * @returns how many there were
   */
  async markPossiblySent(workspaceId: Id): Promise<number> {
    const { modifiedCount } = await this.sends.updateMany(
      { workspaceId, state: 'claimed' },
      [{ $set: { state: 'sending', handoverAt: '$claimedAt' } }],
      { updatePipeline: true },
    );
    return modifiedCount;
  }

  /**
   * Marks the send right before its handover. False when it was withheld or the lease was lost: then no handover may follow.
   */
  async markSending(send: SendLease, { subject, links, draftId, at }: HandoverFields): Promise<boolean> {
    return this.#move(send, 'claimed', { state: 'sending', subject, links: [...links], draftId, handoverAt: at });
  }

  /**
   * Writes the outcome of a send under this lease; joins the running transaction. False when it is no longer in `from`
   * (for `sending`: nor `ambiguous`) or belongs to another lease: then nothing was written.
   * @throws Error for a transition that the table of states does not have
   */
  async settle(send: SendLease, from: InFlight, outcome: SendOutcome): Promise<boolean> {
    const fields = toSendFields(from, outcome);
    const isSettled =
      (await this.#move(send, from, fields)) ||
      // The server's reply stands, even if the resolution of the send has begun in the meantime.
      (from === 'sending' &&
        maySendBecome('ambiguous', outcome.state) &&
        (await this.#move(send, 'ambiguous', fields)));
    if (isSettled) this.#count(outcome.state);
    return isSettled;
  }

  /**
   * Releases a send that was not handed over; joins the running transaction. The caller releases its lead. A withheld send
   * keeps its reason. False when the send was changed concurrently.
   */
  async release(send: SendLease, reason: string): Promise<boolean> {
    const state = 'planned' as const;
    return (await this.#move(send, 'claimed', { state, reason })) || this.#move(send, 'withheld', { state });
  }

  /**
   * Writes the resolution of an ambiguous send; joins the running transaction. False when it is no longer ambiguous.
   */
  async resolve(send: Pick<SendRecord, '_id' | 'workspaceId'>, resolution: SendResolution): Promise<boolean> {
    const { _id, workspaceId } = send;
    const { matchedCount } = await this.sends.updateOne(
      { _id, workspaceId, state: 'ambiguous' },
      { $set: toSendFields('ambiguous', resolution) },
    );
    if (matchedCount === 1) this.#count(resolution.state);
    return matchedCount === 1;
  }

  /** Claims the resolution due at `send.resolveAt` by scheduling the next one; false when another worker has claimed it. */
  async rescheduleResolution(
    send: Pick<SendRecord, '_id' | 'workspaceId' | 'resolveAt'>,
    resolveAt: Date,
  ): Promise<boolean> {
    const { _id, workspaceId } = send;
    const { matchedCount } = await this.sends.updateOne(
      { _id, workspaceId, state: 'ambiguous', resolveAt: send.resolveAt },
      { $set: { resolveAt } },
    );
    return matchedCount === 1;
  }

  /** Lists the mailbox's claimed and sending sends: at the start of a run, those that a crashed worker left. */
  async listInFlight(workspaceId: Id, mailboxId: Id): Promise<SendRecord[]> {
    return this.sends.find({ workspaceId, mailboxId, state: { $in: IN_FLIGHT } }).lean<SendRecord[]>();
  }

  /** Lists the sends of a lead in the order of their first claims. */
  async listOfLead(workspaceId: Id, leadId: Id): Promise<SendRecord[]> {
    return this.listOfLeads(workspaceId, [leadId]);
  }

  /** Lists the sends of leads in the order of their first claims. */
  async listOfLeads(workspaceId: Id, leadIds: readonly Id[]): Promise<SendRecord[]> {
    const found = await this.sends.find({ workspaceId, leadId: { $in: leadIds } }).lean<SendRecord[]>();
    return found.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  }

  /** Lists the sends with these Message-IDs (with angle brackets). */
  async listByMessageIds(workspaceId: Id, messageIds: readonly string[]): Promise<SendRecord[]> {
    return this.sends.find({ workspaceId, messageId: { $in: messageIds } }).lean<SendRecord[]>();
  }

  /** Lists ambiguous sends of all workspaces whose resolution is due, the longest overdue first. */
  async listDueForResolution(now: Date, limit: number): Promise<SendRecord[]> {
    return this.sends
      .find({ state: 'ambiguous', resolveAt: { $gt: new Date(0), $lte: now } })
      .setOptions({ allWorkspaces: 'the worker resolves the sends of all workspaces' })
      .sort({ resolveAt: 1 })
      .limit(limit)
      .lean<SendRecord[]>();
  }

  /** Counts the ambiguous sends of all workspaces, up to `most`. */
  async countAmbiguous(most: number): Promise<number> {
    return this.sends
      .countDocuments({ state: 'ambiguous', resolveAt: { $gt: new Date(0) } })
      .setOptions({ allWorkspaces: 'a metric of the installation' })
      .limit(most);
  }

  /**
   * Withholds claims whose handover has not begun, and returns them; the worker that finds its claim withheld releases the
   * lead. Call it AFTER the transaction that forbids the sends and before the change is acknowledged. Inside, a claim made
   * after the transaction's snapshot would be missed, and its worker, reading before the commit, would miss the change.
   * @throws Error inside a transaction
   */
  async withhold(workspaceId: string, scope: WithholdScope, reason: string): Promise<WithheldSend[]> {
    if (this.transactions.running) throw new Error('withhold was called inside a transaction; call it afterwards');
    const withheld: WithheldSend[] = [];
    for (const send of (await this.#listInFlight(workspaceId, scope)).filter(inScope(scope))) {
      const { _id, state } = send;
      if (state !== 'claimed') continue;
      const changes = toSendFields(state, { state: 'withheld', reason });
      const { matchedCount } = await this.sends.updateOne({ _id, workspaceId, state }, { $set: changes });
      if (matchedCount === 1) withheld.push(send);
    }
    return withheld;
  }

  /** Guarded by the state and fence that were read, because another worker may claim the send concurrently. */
  async #takeOver({ _id, workspaceId, state, fence }: SendRecord, fields: NewSend): Promise<SendRecord | null> {
    if (!maySendBecome(state, 'claimed')) return null;
    const {
      campaignId,
      stepOrder,
      variantId,
      sequenceVersion,
      mailboxId,
      email,
      claimedAt,
      places = null,
      wasNew = false,
    } = fields;
    const taken = {
      campaignId,
      stepOrder,
      variantId,
      sequenceVersion,
      mailboxId,
      email,
      claimedAt,
      places,
      wasNew,
      fence: fields.fence,
    };
    return this.sends
      .findOneAndUpdate(
        { _id, workspaceId, state, fence },
        {
          $set: { ...taken, state: 'claimed', handoverAt: null, draftId: null, reason: null },
          $inc: { attempt: state === 'retry' ? 1 : 0 },
        },
        { returnDocument: 'after' },
      )
      .lean<SendRecord>();
  }

  #count(state: SendState): void {
    this.transactions.countOnce(() => this.metrics.sends.inc({ state }));
  }

  async #move(
    { _id, workspaceId, mailboxId, fence }: SendLease,
    from: SendState,
    fields: Partial<SendRecord>,
  ): Promise<boolean> {
    const { matchedCount } = await this.sends.updateOne(
      { _id, workspaceId, mailboxId, state: from, fence },
      { $set: fields },
    );
    return matchedCount === 1;
  }

  /** A mailbox has at most one send in flight, so reading those of a workspace is cheap for any number of leads. */
  #listInFlight(workspaceId: string, { mailboxId }: WithholdScope): Promise<WithholdCandidate[]> {
    const where = { workspaceId, ...(mailboxId === undefined ? {} : { mailboxId }), state: { $in: IN_FLIGHT } };
    return this.sends.find(where, CANDIDATE_FIELDS).lean<WithholdCandidate[]>().exec();
  }
}
