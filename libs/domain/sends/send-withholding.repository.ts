import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { SendRecord } from './schemas/send.record';
import { toFields } from './send-outcome';
import { IN_FLIGHT } from './send-states';
import { inScope, type WithholdScope } from './withhold-scope';

/** A send that was held back. */
export type WithheldSend = Pick<
  SendRecord,
  '_id' | 'workspaceId' | 'campaignId' | 'leadId' | 'stepId' | 'mailboxId' | 'email' | 'fence'
>;
type Seen = WithheldSend & Pick<SendRecord, 'state'>;

const SEEN = {
  workspaceId: 1,
  campaignId: 1,
  leadId: 1,
  stepId: 1,
  mailboxId: 1,
  email: 1,
  fence: 1,
  state: 1,
} as const;

/** Holding back what was claimed, when something forbids it. */
@Injectable()
export class SendWithholdingRepository {
  constructor(
    @InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Holds back what is claimed and has not reached the wire, and returns it: the turn that finds its claim gone frees the
   * lead. Call it AFTER the transaction that wrote what forbids the sends, and before anything is acknowledged: inside, a
   * claim that came after the transaction's snapshot would be overlooked, and its turn, reading before the commit, would
   * not see the change either.
   * @throws Error inside a transaction
   */
  async withhold(workspaceId: string, scope: WithholdScope, reason: string): Promise<WithheldSend[]> {
    if (this.transactions.running) throw new Error('withhold was called inside a transaction; call it afterwards');
    const withheld: WithheldSend[] = [];
    for (const send of (await this.#onTheirWay(workspaceId, scope)).filter(inScope(scope))) {
      const { _id, state } = send;
      if (state !== 'claimed') continue;
      const changes = toFields(state, { state: 'withheld', reason });
      const { matchedCount } = await this.sends.updateOne({ _id, workspaceId, state }, { $set: changes });
      if (matchedCount === 1) withheld.push(send);
    }
    return withheld;
  }

  /** There is one in a mailbox at most: a workspace's few are read at once, however many leads are concerned. */
  #onTheirWay(workspaceId: string, { mailboxId }: WithholdScope): Promise<Seen[]> {
    const where = { workspaceId, ...(mailboxId === undefined ? {} : { mailboxId }), state: { $in: IN_FLIGHT } };
    return this.sends.find(where, SEEN).lean<Seen[]>().exec();
  }
}
