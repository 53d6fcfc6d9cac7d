import { SendReadRepository, type SendRecord, type SendState } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { type ConversationRecord } from '../schemas/conversation.record';

/** A part of a conversation. */
export interface ThreadPart {
  /** Oldest first. */
  readonly messages: readonly ConversationMessageRecord[];
  /** Emails of the campaign in the time of these messages, oldest first. */
  readonly emails: readonly SendRecord[];
  /** The first of the messages, when there are others before it. */
  readonly earlier: Types.ObjectId | null;
}

/** Where a part ends: before this message. */
type Mark = Pick<ConversationMessageRecord, '_id' | 'at'>;

/** Messages, and characters of what was written in them, that are read at a time. */
const MOST_MESSAGES = 100;
const MOST_CHARACTERS = 4_000_000;
/** What was given to a server and may have arrived. */
const SENT: ReadonlySet<SendState> = new Set(['sent', 'sent_unconfirmed', 'ambiguous']);

/** What was written in a conversation, from the latest message backwards. */
@Injectable()
export class ConversationThreadRepository {
  constructor(
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly sends: SendReadRepository,
  ) {}

  /** @throws VALIDATION_ERROR for a `before` that is none of its messages */
  async read(conversation: ConversationRecord, before?: string): Promise<ThreadPart> {
    const end = before === undefined ? null : await this.#mark(conversation, before);
    const { messages, earlier } = await this.#messages(conversation, end);
    const emails = await this.#emails(conversation);
    const from = earlier?.at ?? null;
    const ofThisTime = emails.filter((send) => {
      const at = timeOf(send);
      return (from === null || at >= from) && (end === null || at < end.at);
    });
    return { messages, emails: ofThisTime, earlier: earlier?._id ?? null };
  }

  async #messages(
    { _id, workspaceId }: ConversationRecord,
    end: Mark | null,
  ): Promise<{ messages: ConversationMessageRecord[]; earlier: Mark | null }> {
    const taken: ConversationMessageRecord[] = [];
    let characters = 0;
    const latest = this.messages
      .find({ workspaceId, conversationId: _id, ...(end && before(end)) })
      .sort({ at: -1, _id: -1 })
      .lean<ConversationMessageRecord[]>()
      .cursor({ batchSize: 20 });
    for await (const message of latest as AsyncIterable<ConversationMessageRecord>) {
      characters += message.text.length + message.fullText.length + (message.html?.length ?? 0);
      const isFull = taken.length === MOST_MESSAGES || (characters > MOST_CHARACTERS && taken.length > 0);
      if (isFull) return { messages: taken.toReversed(), earlier: taken.at(-1) ?? null };
      taken.push(message);
    }
    return { messages: taken.toReversed(), earlier: null };
  }

  async #emails({ workspaceId, leadId }: ConversationRecord): Promise<SendRecord[]> {
    if (!leadId) return [];
    const found = await this.sends.listHandedOver(workspaceId, [leadId]);
    return found
      .filter(({ state }) => SENT.has(state))
      .toSorted((one, other) => timeOf(one).getTime() - timeOf(other).getTime());
  }

  async #mark({ _id, workspaceId }: ConversationRecord, before: string): Promise<Mark> {
    const messageId = parseId(before);
    const found =
      messageId &&
      (await this.messages.findOne({ _id: messageId, workspaceId, conversationId: _id }, { at: 1 }).lean<Mark>());
    if (!found) throw invalidField('before', 'before names no message of this conversation');
    return found;
  }
}

/** A range plus a tie-break: a bare `$or` would not use the order of the index. */
function before({ _id, at }: Mark): Record<string, unknown> {
  return { at: { $lte: at }, $or: [{ at: { $lt: at } }, { _id: { $lt: _id } }] };
}

function timeOf({ sentAt, wireAt, claimedAt }: SendRecord): Date {
  return sentAt ?? wireAt ?? claimedAt;
}
