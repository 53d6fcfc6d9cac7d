import { MailboxMessageRepository } from '@domain/mailboxes';
import { UnsubscribeService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseEmailAddress } from '@platform/validation';
import { type Model } from 'mongoose';
import { LabelEffectService } from '../effects/label-effect.service';
import { type KnownMatch } from '../match/match';
import { type IntakeTask } from '../intake/intake-tasks';
import { KnownLeadsService } from './known-leads.service';
import { ConversationRecord, type ReplyLabel } from '../schemas/conversation.record';

const PERSON = 'A person says so';
const NONE = { label: null, labelledBy: null, labelReason: null };

/** What a person says the other side wants. Joins the running transaction. */
@Injectable()
export class ConversationLabellingService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly known: KnownLeadsService,
    private readonly labels: LabelEffectService,
    private readonly optOuts: UnsubscribeService,
    private readonly mail: MailboxMessageRepository,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Labels it, whatever it was labelled before; null takes the label away. `positive` is told of and counted once for a lead,
   * and stays so when the label is changed; `unsubscribe_request` opts the other side out.
   * @returns what has to follow outside of the transaction
   */
  async write(conversation: ConversationRecord, label: ReplyLabel | null): Promise<IntakeTask[]> {
    const { _id, workspaceId, leadId } = conversation;
    const fields = label === null ? NONE : { label, labelledBy: 'person' as const, labelReason: null };
    await this.conversations.updateOne({ _id, workspaceId }, { $set: fields, $unset: { labelAsk: 1 } });
    if (label !== 'positive' && label !== 'unsubscribe_request') return [];
    const match = leadId ? await this.known.find(workspaceId, leadId) : null;
    if (label === 'unsubscribe_request') return this.#optOut(conversation, match);
    if (match)
      await this.labels.positive(match, conversation, this.clock.now(), { label, by: 'person', reason: PERSON });
    return [];
  }

  async #optOut({ workspaceId, email }: ConversationRecord, match: KnownMatch | null): Promise<IntakeTask[]> {
    if (match?.send) await this.optOuts.record(match.send, 'reply', this.clock.now());
    const parsed = parseEmailAddress(match?.lead.email ?? email);
    // Mail of one's own is nobody who could ask for it.
    if (!parsed.ok || (await this.mail.isOwn(workspaceId, parsed.address))) return [];
    return [{ do: 'opt_out', address: parsed.address, sendId: match?.send?._id.toHexString() ?? null }];
  }
}
