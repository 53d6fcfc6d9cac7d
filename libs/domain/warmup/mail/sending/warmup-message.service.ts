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

/** A mail that is ready for its handover. */
export interface WarmupMessage {
  readonly message: ComposedMessage;
  readonly subject: string;
}

/** A correspondent and their time zone. */
interface Party extends Correspondent {
  readonly zone: string;
}

/** Warmup's share of a workspace's daily model budget: the other half is for urgent work such as reply labels. */
const BUDGET_SHARE = 0.5;

/** A requested thread. */
export interface ScriptRequest extends ThreadSeed {
  /** The workspace whose budget pays: that of the mailbox that opens the thread. */
  readonly workspaceId: Types.ObjectId;
  readonly source: WarmupTextSource;
}

/**
 * Composes warmup messages: everyday mail with the signed header, without tracking and without unsubscribe links. Texts come from
 * the language model, where the mailbox wants it, or from the library.
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

  /** @throws Error when the thread or one of the two mailboxes was deleted */
  async compose(sender: MailboxRecord, mail: WarmupMailRecord): Promise<WarmupMessage> {
    const { counterpart, position, messageId, mailId } = mail;
    const [receiver, thread] = await Promise.all([
      this.mailboxes.find(counterpart.workspaceId, counterpart.mailboxId),
      this.#findThread(mail),
    ]);
    if (!receiver || !thread) throw new Error('The thread of a warmup mail, or its receiver, was deleted');
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

  /**
   * Writes the script of the next opening before the mailbox lease is acquired, because a model call takes seconds. Without a
   * script the thread uses the library.
   */
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
   * Writes all mails of a thread with at most one model call. Falls back to the library if the model fails or breaks a rule.
   * Store the result: a second call returns another text.
   * @throws the reason of the signal, when that ended the call
   */
  async writeScript(request: ScriptRequest, signal?: AbortSignal): Promise<ThreadScript> {
    const { workspaceId, source } = request;
    const usesModel =
      source === 'model' && this.model.isConfigured && (await this.budget.reserveQuestion(workspaceId, BUDGET_SHARE));
    const written = usesModel ? await this.#askModel(request, signal) : null;
    return written ?? createLibraryScript(request);
  }

  /** A thread belongs to the workspace that opened it, which is one of the two. */
  async #findThread({ workspaceId, counterpart, threadId }: WarmupMailRecord): Promise<WarmupThreadRecord | null> {
    const of = (owner: WarmupMailRecord['workspaceId']) =>
      this.threads.findOne({ _id: threadId, workspaceId: owner }).lean<WarmupThreadRecord>();
    return (await of(workspaceId)) ?? of(counterpart.workspaceId);
  }

  /** The senders' sides of earlier mails of the thread, oldest first. */
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
      const fault = script === null ? 'the answer does not have the requested form' : findScriptFault(script, language);
      if (fault === null) return script;
      this.log.warn('The language model wrote a warmup thread that must not be sent; the library is used', {
        fault,
        language,
      });
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      const { reason, message } = error;
      this.log.warn('The language model wrote no warmup thread; the library is used', { reason, what: message });
    }
    return null;
  }
}

/** Texts depend on stored data only, so quoted mails are composed again instead of stored. */
function createText(
  { language, seed, day, script }: WarmupThreadRecord,
  { from, to, position, at }: { from: Party; to: Party; position: number; at: Date },
  earlier: readonly WarmupMailRecord[],
): ThreadText {
  let previous: PreviousMail | undefined;
  const request = { language, seed, day, script };
  for (const mail of earlier) {
    // The two correspondents of a thread alternate.
    const isOwn = (position - mail.position) % 2 === 0;
    const [writer, reader] = isOwn ? [from, to] : [to, from];
    const sentAt = mail.claimedAt ?? at;
    const mailFacts = { position: mail.position, from: writer, to: reader, at: sentAt, zone: writer.zone, previous };
    previous = { from: writer, at: sentAt, text: createThreadText({ ...request, ...mailFacts }).text };
  }
  return createThreadText({ ...request, position, from, to, at, zone: from.zone, previous });
}

/** Oldest first (RFC 5322 section 3.6.4), including mails that only their receiver confirmed as sent. */
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
