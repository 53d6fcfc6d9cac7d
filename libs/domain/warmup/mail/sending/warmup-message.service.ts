import { LanguageModelPort, LlmError } from '@adapters/llm';
import { composeMessage, type ComposedMessage } from '@adapters/mail';
import { ModelBudgetService } from '@domain/inbox';
import { MailboxRepository, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { type Warmup } from '../../config/warmup-state';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { type WarmupTextSource } from '../../schemas/warmup.record';
import { type Correspondent } from '../../texts/first-name';
import { parseModelScript, createScriptQuestion } from '../../texts/script-question';
import { findScriptFault } from '../../texts/text-fault';
import { createLibraryScript, type ThreadScript, type ThreadSeed } from '../../texts/thread-script';
import { type PreviousMail, createThreadText, type ThreadText } from '../../texts/thread-text';
import { WARMUP_HEADER, WarmupHeaderService } from '../../warmup-header.service';
import { WarmupMailRepository } from './warmup-mail.repository';

/** A mail that is ready to be given to a server. */
export interface WarmupMessage {
  readonly message: ComposedMessage;
  readonly subject: string;
}

/** Somebody in a thread, and the zone in which they live. */
interface Party extends Correspondent {
  readonly zone: string;
}

/** Of a workspace's questions in a day: the other half is for what customers wait for, such as labels of replies. */
const BUDGET_SHARE = 0.5;

/** A thread to be written. */
export interface ScriptRequest extends ThreadSeed {
  /** Whose budget of questions it is: that of the mailbox that opens the thread. */
  readonly workspaceId: Types.ObjectId;
  readonly source: WarmupTextSource;
}

/**
 * Writes the messages of warmup: what people write each other, with the header by which the receiver's side knows them, and nothing
 * that is tracked or that one could unsubscribe from.
 */
@Injectable()
export class WarmupMessageService {
  constructor(
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly records: Model<WarmupMailRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly header: WarmupHeaderService,
    private readonly clock: ClockPort,
    private readonly mails: WarmupMailRepository,
    private readonly model: LanguageModelPort,
    private readonly budget: ModelBudgetService,
    private readonly log: LogService,
  ) {}

  /** @throws Error when its thread is gone, or one of the two mailboxes */
  async compose(sender: MailboxRecord, mail: WarmupMailRecord): Promise<WarmupMessage> {
    const { counterpart, position, messageId, mailId } = mail;
    const [receiver, thread] = await Promise.all([
      this.mailboxes.find(counterpart.workspaceId, counterpart.mailboxId),
      this.#findThread(mail),
    ]);
    if (!receiver || !thread) throw new Error('The thread of a warmup mail, or its receiver, is gone');
    const [from, to] = [toParty(sender), toParty(receiver)];
    const earlier = position === 0 ? [] : await this.#listEarlier(mail);
    const { subject, text, html } = createText(thread, { from, to, position, at: this.#getWrittenAt(mail) }, earlier);
    const references = getReferences(thread, earlier);
    const inReplyTo = references.at(-1);
    const message = await composeMessage({
      from: toAddress(from),
      to: toAddress(to),
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

  /** Of the mail that comes next, not in its turn: a model takes its time. Without a script a thread is the library's. */
  async prepareScript({ mailbox, state }: Warmup, signal: AbortSignal): Promise<void> {
    const { textSource: source } = state.config;
    if (source !== 'model') return;
    const { workspaceId, _id: mailboxId } = mailbox;
    const mail = await this.mails.findNext({ workspaceId, mailboxId }, this.clock.now());
    if (mail?.position !== 0) return;
    const unwritten = { _id: mail.threadId, workspaceId, script: null };
    const thread = await this.threads.findOne(unwritten).lean<WarmupThreadRecord>();
    if (!thread) return;
    const { language, seed, day } = thread;
    const script = await this.writeScript({ workspaceId, language, seed, day, source }, signal);
    await this.threads.updateOne(unwritten, { $set: { script } });
  }

  /**
   * All mails of a thread, by one question at most. Whatever the model fails at, exceeds or does not keep to: then the
   * library writes it, so that there always is one. Keep it with the thread: asked again, a model writes another one.
   * @throws the reason of the signal, when that ended the call
   */
  async writeScript(request: ScriptRequest, signal?: AbortSignal): Promise<ThreadScript> {
    const { workspaceId, source } = request;
    const isAsked =
      source === 'model' && this.model.isConfigured && (await this.budget.reserveQuestion(workspaceId, BUDGET_SHARE));
    const written = isAsked ? await this.#askModel(request, signal) : null;
    return written ?? createLibraryScript(request);
  }

  /** It belongs to the workspace of whoever began it, which is one of the two. */
  async #findThread({ workspaceId, counterpart, threadId }: WarmupMailRecord): Promise<WarmupThreadRecord | null> {
    const of = (owner: WarmupMailRecord['workspaceId']) =>
      this.threads.findOne({ _id: threadId, workspaceId: owner }).lean<WarmupThreadRecord>();
    return (await of(workspaceId)) ?? of(counterpart.workspaceId);
  }

  /** The senders' sides of what the thread holds before it, oldest first. */
  async #listEarlier({ threadId, position }: WarmupMailRecord): Promise<WarmupMailRecord[]> {
    return this.records
      .find({ threadId, position: { $lt: position }, direction: 'sent' })
      .setOptions({ allWorkspaces: 'the two ends of a thread may be of two workspaces' })
      .sort({ position: 1 })
      .lean<WarmupMailRecord[]>();
  }

  #getWrittenAt({ claimedAt }: WarmupMailRecord): Date {
    return claimedAt ?? this.clock.now();
  }

  async #askModel(request: ScriptRequest, signal?: AbortSignal): Promise<ThreadScript | null> {
    const { workspaceId, language } = request;
    try {
      const question = createScriptQuestion(request);
      const { json, usage } = await this.model.complete({ ...question, signal });
      await this.budget.spend(workspaceId, usage);
      const script = parseModelScript(json);
      const fault = script === null ? 'another form than asked for' : findScriptFault(script, language);
      if (fault === null) return script;
      this.log.warn('The language model wrote no warmup thread that may be sent; the library does', {
        fault,
        language,
      });
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      const { reason, message } = error;
      this.log.warn('The language model wrote no warmup thread; the library does', { reason, what: message });
    }
    return null;
  }
}

/** Texts depend on nothing but what is stored, so what is quoted is written once more instead of kept. */
function createText(
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
    const mailFacts = { position: mail.position, from: writer, to: reader, at: sentAt, zone: writer.zone, previous };
    previous = { from: writer, at: sentAt, text: createThreadText({ ...request, ...mailFacts }).text };
  }
  return createThreadText({ ...request, position, from, to, at, zone: from.zone, previous });
}

/** Oldest first (RFC 5322 section 3.6.4); also one of which it came to be known only at the receiver that it was sent. */
function getReferences({ messageIds }: WarmupThreadRecord, earlier: readonly WarmupMailRecord[]): string[] {
  const sent = earlier.map(({ messageId }) => messageId).filter((messageId) => messageId !== '');
  return [...new Set([...messageIds, ...sent])];
}

function toParty({ displayName, email, timezone }: MailboxRecord): Party {
  return { displayName, address: email, zone: timezone };
}

function toAddress({ displayName, address }: Party) {
  return { name: displayName ?? '', address };
}
