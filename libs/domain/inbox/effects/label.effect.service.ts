import { OptOutRecords } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { ConversationStore, type NewLabel } from '../conversations/conversation.store.service';
import { type Incoming, type KnownMatch } from '../intake/incoming';
import { type IntakeTask } from '../intake/intake.tasks';
import { type Labelled, labelByRules } from '../label/label.by.rules';
import { type ConversationRecord } from '../schemas/conversation.record';
import { InboxTally } from './inbox.tally.service';

/** What the other side wants, as far as rules can tell. Joins the running transaction. */
@Injectable()
export class LabelEffect {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly tally: InboxTally,
    private readonly optOuts: OptOutRecords,
  ) {}

  /** What the words say. Pure. */
  judged({ mail: { text, subject } }: Incoming): Labelled {
    return labelByRules({ text, subject });
  }

  /**
   * @param labelled of this answer
   * @returns what has to follow outside of the transaction
   */
  async ofReply(
    { message, mail, mailbox }: Incoming,
    match: KnownMatch | null,
    conversation: ConversationRecord,
    labelled: Labelled,
  ): Promise<IntakeTask[]> {
    const at = message.receivedAt;
    const label = { label: labelled.label, by: 'rules', reason: labelled.rule } as const;
    const isTaken = await this.conversations.label(conversation, label);
    if (isTaken && isPositive(labelled) && match) await this.positive(match, at, label);
    if (!isOptOut(labelled)) return [];
    if (match?.send) await this.optOuts.write(match.send, 'reply', at);
    const address = match?.lead.email ?? mail.from?.address ?? '';
    if (address === '' || address === mailbox.email) return [];
    return [{ do: 'opt_out', address, sendId: match?.send?._id.toHexString() ?? null }];
  }

  async ofAbsence(conversation: ConversationRecord, rule: string): Promise<void> {
    if (conversation.label === null || conversation.label === 'out_of_office') {
      await this.conversations.label(conversation, { label: 'out_of_office', by: 'rules', reason: rule });
    }
  }

  /** Once for a lead, whoever says so. */
  async positive(match: KnownMatch, at: Date, { by, reason }: NewLabel): Promise<void> {
    await this.tally.tell(match, {
      type: 'email.positive_reply',
      dedupeKey: `email.positive_reply:${match.lead._id.toHexString()}`,
      at,
      data: { labelledBy: by, reason, firstOfLead: true },
      figure: 'positiveReplied',
    });
  }
}

/** Whoever may have meant something else keeps its address on the list. */
export function isOptOut({ label, confidence }: Labelled): boolean {
  return label === 'unsubscribe_request' && confidence === 'high';
}

/** A bare “Sure” is labelled, and told of only when somebody has looked at it. */
function isPositive({ label, confidence }: Labelled): boolean {
  return label === 'positive' && confidence === 'high';
}
