import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { SendRecord, type SendState } from './schemas/send.record';
import { toFields, type SendLease, type SendOutcome, type SendResolution } from './send-outcome';
import { IN_FLIGHT, type InFlight, mayBecome } from './send-states';

type Id = Types.ObjectId | string;

/** What a turn has decided to send. */
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

/** Fixed when the message is rendered, right before the server is given it. */
export interface HandoverFields {
  subject: string;
  /** Targets of the tracked links, by number. */
  links: readonly string[];
  /** The vendor's draft, where a message is given by way of one. */
  draftId: string | null;
  at: Date;
}

/**
 * Emails on their way. Each change is guarded by the state that it leaves, and within a turn by the turn's fence, so that
 * of two who want to change a send one does nothing and is told so.
 */
@Injectable()
export class SendRepository {
  constructor(
    @InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>,
    private readonly transactions: TransactionService,
    private readonly metrics: MetricsService,
  ) {}

  /**
   * Takes the step of the lead for this turn: a new send, or one that waits for another attempt. That one keeps its id and
   * its Message-ID, and if the last attempt got as far as failing, this is a further one. Null when somebody else has it
   * or when it is final. Joins the running transaction.
   */
  async claim(fields: NewSend): Promise<SendRecord | null> {
    const { workspaceId, leadId, stepId, ...fresh } = fields;
    // A lost race runs again, in a transaction of its own or the caller's, and then finds the other one's send.
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
   * Takes all claims of a workspace to have reached their server, of which it is not known: its turns will look for these
   * emails instead of sending them.
   * @returns how many
   */
  async markPossiblySent(workspaceId: Id): Promise<number> {
    const { modifiedCount } = await this.sends.updateMany(
      { workspaceId, state: 'claimed' },
      [{ $set: { state: 'wire', wireAt: '$claimedAt' } }],
      { updatePipeline: true },
    );
    return modifiedCount;
  }

  /**
   * Marks the send right before the server is given the message. False when it was withheld or the turn was lost: then
   * nothing may be given.
   */
  async markSending(send: SendLease, { subject, links, draftId, at }: HandoverFields): Promise<boolean> {
    return this.#move(send, 'claimed', { state: 'wire', subject, links: [...links], draftId, wireAt: at });
  }

  /**
   * Writes what became of a send of this turn; joins the running transaction. False when it is not in `from` any more
   * (of one on the wire: nor being looked for) or belongs to another turn: then nothing was written.
   * @throws Error for a move that the table of states does not have
   */
  async settle(send: SendLease, from: InFlight, outcome: SendOutcome): Promise<boolean> {
    const fields = toFields(from, outcome);
    const isSettled =
      (await this.#move(send, from, fields)) ||
      // What the server has answered stands, also when somebody has begun to look for the send in the meantime.
      (from === 'wire' && mayBecome('ambiguous', outcome.state) && (await this.#move(send, 'ambiguous', fields)));
    if (isSettled) this.#count(outcome.state);
    return isSettled;
  }

  /**
   * Lets go of a send that did not come to the wire; joins the running transaction. The caller frees its lead. What was
   * withheld keeps the reason for that. False when somebody else was faster.
   */
  async release(send: SendLease, reason: string): Promise<boolean> {
    const state = 'planned' as const;
    return (await this.#move(send, 'claimed', { state, reason })) || this.#move(send, 'withheld', { state });
  }

  /**
   * Writes what the search for an ambiguous send ended with; joins the running transaction. False when it is not ambiguous
   * any more.
   */
  async resolve(send: Pick<SendRecord, '_id' | 'workspaceId'>, resolution: SendResolution): Promise<boolean> {
    const { _id, workspaceId } = send;
    const { matchedCount } = await this.sends.updateOne(
      { _id, workspaceId, state: 'ambiguous' },
      { $set: toFields('ambiguous', resolution) },
    );
    if (matchedCount === 1) this.#count(resolution.state);
    return matchedCount === 1;
  }

  /** Takes the look that is due at `send.lookAt` and plans the next one; false when somebody else has taken it. */
  async rescheduleResolution(send: Pick<SendRecord, '_id' | 'workspaceId' | 'lookAt'>, lookAt: Date): Promise<boolean> {
    const { _id, workspaceId } = send;
    const { matchedCount } = await this.sends.updateOne(
      { _id, workspaceId, state: 'ambiguous', lookAt: send.lookAt },
      { $set: { lookAt } },
    );
    return matchedCount === 1;
  }

  /** What is on its way from a mailbox: at the start of a turn, what an earlier one left when its worker died. */
  async inFlightOf(workspaceId: Id, mailboxId: Id): Promise<SendRecord[]> {
    return this.sends.find({ workspaceId, mailboxId, state: { $in: IN_FLIGHT } }).lean<SendRecord[]>();
  }

  /** The sends of a lead, in the order in which they were first claimed. */
  async ofLead(workspaceId: Id, leadId: Id): Promise<SendRecord[]> {
    return this.ofLeads(workspaceId, [leadId]);
  }

  /** The sends of leads, in the order in which they were first claimed. */
  async ofLeads(workspaceId: Id, leadIds: readonly Id[]): Promise<SendRecord[]> {
    const found = await this.sends.find({ workspaceId, leadId: { $in: leadIds } }).lean<SendRecord[]>();
    return found.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  }

  /** The sends with these Message-IDs (with angle brackets): what a reply or a bounce refers to. */
  async byMessageIds(workspaceId: Id, messageIds: readonly string[]): Promise<SendRecord[]> {
    return this.sends.find({ workspaceId, messageId: { $in: messageIds } }).lean<SendRecord[]>();
  }

  /** Ambiguous sends of all workspaces that it is time to look for, those due for longest first. */
  async dueForResolution(now: Date, limit: number): Promise<SendRecord[]> {
    return this.sends
      .find({ state: 'ambiguous', lookAt: { $gt: new Date(0), $lte: now } })
      .setOptions({ allWorkspaces: 'the worker looks for the sends of all workspaces' })
      .sort({ lookAt: 1 })
      .limit(limit)
      .lean<SendRecord[]>();
  }

  /** How many sends of all workspaces are ambiguous, up to `most`. */
  async countAmbiguous(most: number): Promise<number> {
    return this.sends
      .countDocuments({ state: 'ambiguous', lookAt: { $gt: new Date(0) } })
      .setOptions({ allWorkspaces: 'how the installation stands' })
      .limit(most);
  }

  /** Guarded by what was read: another one may have been as fast. */
  async #takeOver({ _id, workspaceId, state, fence }: SendRecord, fields: NewSend): Promise<SendRecord | null> {
    if (!mayBecome(state, 'claimed')) return null;
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
          $set: { ...taken, state: 'claimed', wireAt: null, draftId: null, reason: null },
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
}
