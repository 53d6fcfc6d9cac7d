import { type MailboxRecord } from '@domain/mailboxes';
import { LeadRepository } from '@domain/leads';
import { SendReadRepository, type SendRecord } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseEmailAddress } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { type Found, type KnownMatch, NOTHING_FOUND } from './match';
import { MessageMatchingService } from './message-matching.service';

/** The parts of the original message that a report returns. */
export interface Returned {
  readonly messageId: string | null;
  /** Texts that may contain links of ours. */
  readonly quotes: readonly (string | null)[];
  /** Whether another mailbox may have sent it: complaints go to an agreed address (RFC 6650, 3). */
  readonly anywhere?: boolean;
}

type Mailbox = Pick<MailboxRecord, '_id' | 'workspaceId'>;

/** When, and from which mailbox, a message was submitted. */
interface Submission {
  readonly mailboxId: Types.ObjectId;
  readonly at: Date;
}

const DAY_MS = 86_400_000;
/** Servers give up after five days (RFC 5321, 4.5.4.1), but people may report spam much later. */
const QUOTED_WITHIN_MS = 30 * DAY_MS;
/** Shorter when the report returns nothing: anyone who knows two addresses can forge it. */
const NAMED_WITHIN_MS = 7 * DAY_MS;
/** Tolerated clock difference: some servers use a wrong time zone. */
const CLOCK_SKEW_MS = DAY_MS;

/**
 * Finds the email that a bounce or complaint is about. Reports can be forged, so they count only for emails that this mailbox
 * sent to the named address shortly before. A complaint that returns the email may concern another mailbox of the workspace.
 */
@Injectable()
export class BounceMatchingService {
  constructor(
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly matching: MessageMatchingService,
    private readonly sends: SendReadRepository,
    private readonly leads: LeadRepository,
  ) {}

  /** Finds it by the returned Message-ID or by returned links of ours. */
  async findByReturned(mailbox: Mailbox, { messageId, quotes, anywhere = false }: Returned, at: Date): Promise<Found> {
    const isCredible = createCredibilityTest(anywhere ? null : mailbox, at, QUOTED_WITHIN_MS);
    const { workspaceId } = mailbox;
    const [send] = messageId === null ? [] : await this.sends.findByMessageIds(workspaceId, [messageId]);
    if (send) return isCredible(toSubmission(send)) ? this.matching.ofSend('references', send) : NOTHING_FOUND;
    const written = messageId === null ? null : await this.#findWritten(workspaceId, messageId);
    if (written)
      return { ...NOTHING_FOUND, match: isCredible(written) ? await this.matching.ofMessage(written) : null };
    for await (const quoted of this.matching.quoted(workspaceId, quotes)) {
      if (isCredible(toSubmission(quoted))) return this.matching.ofSend('token', quoted);
    }
    return NOTHING_FOUND;
  }

  /** Finds it by a named recipient, for a report that returns nothing. */
  async findByRecipient(mailbox: Mailbox, address: string, at: Date): Promise<KnownMatch | null> {
    const parsed = parseEmailAddress(address);
    if (!parsed.ok) return null;
    const { workspaceId } = mailbox;
    const leads = await this.leads.listContacted(workspaceId, parsed.address);
    const isCredible = createCredibilityTest(mailbox, at, NAMED_WITHIN_MS);
    const sends = await this.sends.listHandedOver(
      workspaceId,
      leads.map(({ _id }) => _id),
    );
    const send = sends.find((one) => one.email === parsed.address && isCredible(toSubmission(one)));
    return send ? (await this.matching.ofSend('address', send)).match : null;
  }

  /** Finds a member's reply, which is no send. */
  async #findWritten(workspaceId: Types.ObjectId, messageId: string): Promise<ConversationMessageRecord | null> {
    return this.messages.findOne({ workspaceId, messageId, direction: 'sent' }).lean<ConversationMessageRecord>();
  }
}

/**
 * Creates the test whether a report is credible for a submission.
 * @param mailbox the required sender; null: any of the workspace
 * @param at arrival of the report
 */
function createCredibilityTest(
  mailbox: Mailbox | null,
  at: Date,
  withinMs: number,
): (submission: Submission) => boolean {
  return (submission) => {
    const ageMs = at.getTime() - submission.at.getTime();
    const isSender = mailbox === null || submission.mailboxId.equals(mailbox._id);
    return isSender && ageMs >= -CLOCK_SKEW_MS && ageMs <= withinMs;
  };
}

function toSubmission({ mailboxId, sentAt, handoverAt, claimedAt }: SendRecord): Submission {
  return { mailboxId, at: sentAt ?? handoverAt ?? claimedAt };
}
