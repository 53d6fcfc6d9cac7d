import { composeMessage, type ComposedMessage } from '@adapters/mail';
import { MailboxRepository, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { type Correspondent } from '../../texts/first-name';
import { type PreviousMail, threadText, type ThreadText } from '../../texts/thread-text';
import { WARMUP_HEADER, WarmupHeaderService } from '../../warmup-header.service';

/** A mail that is ready to be given to a server. */
export interface WarmupMessage {
  readonly message: ComposedMessage;
  readonly subject: string;
}

/** Somebody in a thread, and the zone in which they live. */
interface Party extends Correspondent {
  readonly zone: string;
}

/**
 * Writes the messages of warmup: what people write each other, with the header by which the receiver's side knows them, and nothing
 * that is tracked or that one could unsubscribe from.
 */
@Injectable()
export class WarmupMessageService {
  constructor(
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly header: WarmupHeaderService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws Error when its thread is gone, or one of the two mailboxes */
  async compose(sender: MailboxRecord, mail: WarmupMailRecord): Promise<WarmupMessage> {
    const { counterpart, position, messageId, mailId } = mail;
    const [receiver, thread] = await Promise.all([
      this.mailboxes.find(counterpart.workspaceId, counterpart.mailboxId),
      this.#threadOf(mail),
    ]);
    if (!receiver || !thread) throw new Error('The thread of a warmup mail, or its receiver, is gone');
    const [from, to] = [partyOf(sender), partyOf(receiver)];
    const earlier = position === 0 ? [] : await this.#earlier(mail);
    const { subject, text, html } = written(thread, { from, to, position, at: this.#writtenAt(mail) }, earlier);
    const references = referencesOf(thread, earlier);
    const inReplyTo = references.at(-1);
    const message = await composeMessage({
      from: named(from),
      to: named(to),
      subject,
      text,
      html,
      messageId,
      date: this.clock.now(),
      headers: { [WARMUP_HEADER]: this.header.sign(mailId.toHexString(), { from: from.address, to: to.address }) },
      ...(inReplyTo !== undefined && { inReplyTo, references }),
    });
    return { message, subject };
  }

  /** It belongs to the workspace of whoever began it, which is one of the two. */
  async #threadOf({ workspaceId, counterpart, threadId }: WarmupMailRecord): Promise<WarmupThreadRecord | null> {
    const of = (owner: WarmupMailRecord['workspaceId']) =>
      this.threads.findOne({ _id: threadId, workspaceId: owner }).lean<WarmupThreadRecord>();
    return (await of(workspaceId)) ?? of(counterpart.workspaceId);
  }

  /** The senders' sides of what the thread holds before it, oldest first. */
  async #earlier({ threadId, position }: WarmupMailRecord): Promise<WarmupMailRecord[]> {
    return this.mails
      .find({ threadId, position: { $lt: position }, direction: 'sent' })
      .setOptions({ allWorkspaces: 'the two ends of a thread may be of two workspaces' })
      .sort({ position: 1 })
      .lean<WarmupMailRecord[]>();
  }

  #writtenAt({ claimedAt }: WarmupMailRecord): Date {
    return claimedAt ?? this.clock.now();
  }
}

/** Texts depend on nothing but what is stored, so what is quoted is written once more instead of kept. */
function written(
  { language, seed, day, script }: WarmupThreadRecord,
  { from, to, position, at }: { from: Party; to: Party; position: number; at: Date },
  earlier: readonly WarmupMailRecord[],
): ThreadText {
  let previous: PreviousMail | undefined;
  const request = { language, seed, day, script };
  for (const mail of earlier) {
    // Of two in a thread each writes every other mail.
    const isOwn = (position - mail.position) % 2 === 0;
    const [writer, reader] = isOwn ? [from, to] : [to, from];
    const sentAt = mail.claimedAt ?? at;
    const turn = { turn: mail.position, from: writer, to: reader, at: sentAt, zone: writer.zone, previous };
    previous = { from: writer, at: sentAt, text: threadText({ ...request, ...turn }).text };
  }
  return threadText({ ...request, turn: position, from, to, at, zone: from.zone, previous });
}

/** Oldest first (RFC 5322 section 3.6.4); also one of which it came to be known only at the receiver that it was sent. */
function referencesOf({ messageIds }: WarmupThreadRecord, earlier: readonly WarmupMailRecord[]): string[] {
  const sent = earlier.map(({ messageId }) => messageId).filter((messageId) => messageId !== '');
  return [...new Set([...messageIds, ...sent])];
}

function partyOf({ displayName, email, timezone }: MailboxRecord): Party {
  return { displayName, address: email, zone: timezone };
}

function named({ displayName, address }: Party) {
  return { name: displayName ?? '', address };
}
