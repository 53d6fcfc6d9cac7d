import { type MailboxRecord } from '@domain/mailboxes';
import { LeadRepository } from '@domain/leads';
import { ReturnedSendsRepository, type SendRecord } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseEmailAddress } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { type Found, type KnownMatch, NOTHING_FOUND } from './match';
import { MessageMatchingService } from './message-matching.service';

/** What a report gives back of the message that it is about. */
export interface Returned {
  readonly messageId: string | null;
  /** Texts that may hold links of ours. */
  readonly quotes: readonly (string | null)[];
  /** Whether it may come to any mailbox of the workspace: complaints go to an address that was agreed on (RFC 6650, 3). */
  readonly anywhere?: boolean;
}

type Mailbox = Pick<MailboxRecord, '_id' | 'workspaceId'>;

/** Somebody gave something to a server. */
interface Given {
  readonly mailboxId: Types.ObjectId;
  readonly at: Date;
}

const DAY_MS = 86_400_000;
/** Servers give up after five days (RFC 5321, 4.5.4.1); who calls something spam may have been away. */
const QUOTED_WITHIN_MS = 30 * DAY_MS;
/** Where nothing is given back, anybody can have written it who knows two addresses. */
const NAMED_WITHIN_MS = 7 * DAY_MS;
/** By how much a server's clock may be behind ours: some take their zone for another one. */
const CLOCKS_MS = DAY_MS;

/**
 * Finds the email that a bounce or a complaint is about. Anybody can write one, so it is believed only of what this very
 * mailbox sent, to the address that it names, a short time before it came; a complaint that gives an email back also of what
 * another mailbox of the workspace sent.
 */
@Injectable()
export class BounceMatchingService {
  constructor(
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly matching: MessageMatchingService,
    private readonly sends: ReturnedSendsRepository,
    private readonly leads: LeadRepository,
  ) {}

  /** By what it gives back of the message: its Message-ID, or links of ours. */
  async byReturned(mailbox: Mailbox, { messageId, quotes, anywhere = false }: Returned, at: Date): Promise<Found> {
    const isBelieved = believer(anywhere ? null : mailbox, at, QUOTED_WITHIN_MS);
    const { workspaceId } = mailbox;
    const [send] = messageId === null ? [] : await this.sends.byMessageIds(workspaceId, [messageId]);
    if (send) return isBelieved(givenOf(send)) ? this.matching.ofSend('references', send) : NOTHING_FOUND;
    const written = messageId === null ? null : await this.#written(workspaceId, messageId);
    if (written)
      return { ...NOTHING_FOUND, match: isBelieved(written) ? await this.matching.ofMessage(written) : null };
    for await (const quoted of this.matching.quoted(workspaceId, quotes)) {
      if (isBelieved(givenOf(quoted))) return this.matching.ofSend('token', quoted);
    }
    return NOTHING_FOUND;
  }

  /** By a recipient that it names, for a report that gives nothing back. */
  async byRecipient(mailbox: Mailbox, address: string, at: Date): Promise<KnownMatch | null> {
    const parsed = parseEmailAddress(address);
    if (!parsed.ok) return null;
    const { workspaceId } = mailbox;
    const leads = await this.leads.listContacted(workspaceId, parsed.address);
    const isBelieved = believer(mailbox, at, NAMED_WITHIN_MS);
    const sends = await this.sends.ofLeads(
      workspaceId,
      leads.map(({ _id }) => _id),
    );
    const send = sends.find((one) => one.email === parsed.address && isBelieved(givenOf(one)));
    return send ? (await this.matching.ofSend('address', send)).match : null;
  }

  /** An answer that a person wrote: it is no send. */
  async #written(workspaceId: Types.ObjectId, messageId: string): Promise<ConversationMessageRecord | null> {
    return this.messages.findOne({ workspaceId, messageId, direction: 'sent' }).lean<ConversationMessageRecord>();
  }
}

/**
 * @param mailbox that must have sent it; null: any of the workspace
 * @param at when the report came
 */
function believer(mailbox: Mailbox | null, at: Date, withinMs: number): (given: Given) => boolean {
  return (given) => {
    const ageMs = at.getTime() - given.at.getTime();
    const isTheirs = mailbox === null || given.mailboxId.equals(mailbox._id);
    return isTheirs && ageMs >= -CLOCKS_MS && ageMs <= withinMs;
  };
}

function givenOf({ mailboxId, sentAt, wireAt, claimedAt }: SendRecord): Given {
  return { mailboxId, at: sentAt ?? wireAt ?? claimedAt };
}
