import { MailError, type MailSession } from '@adapters/mail';
import { MailboxMessageRepository, type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { TrackingTokenService, TrackingUrlsService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { HookRegistry } from '@platform/hooks';
import { parseAddresses, parseMail } from '../classify/mail-parsing';
import { type ParsedMail } from '../classify/parsed-mail';
import { BounceMatchingService } from '../match/bounce-matching.service';
import { type Found, type KnownMatch } from '../match/match';
import { MessageMatchingService } from '../match/message-matching.service';
import { type MessageAttachment } from '../schemas/conversation-message.record';
import { isOwnLink, type IsOwnLink, removeOwnLinks } from '../text/own-links';
import { sanitiseHtml } from '../text/sanitise-html';
import { readMailAnswer } from '../text/visible-text';
import { type ClassifiedMessage } from './classified-message';
import { classifyMessage } from './classify-message';
import { classifyByEnvelope, isInSideFolder, isOwnWriting, getReferences } from './envelope';
import { type Incoming, type ReadableMail } from './incoming';
import { type ClaimableMail, MAIL_CLAIMERS, claimEnvelopes, claimOpened } from './mail-claims';
import { isUnreached } from './unreachable-mailbox';

interface ReadOptions {
  /** Classifies by the envelope alone, after repeated failures to fetch the message. */
  readonly byEnvelope: boolean;
  /** The workspace sent the message. */
  readonly isOurs: boolean;
  /** Name of the claimer of the envelope, if any. */
  readonly claimedBy: string | null;
}

/** The content of a message, and its classification. */
export interface OpenedMessage {
  readonly mail: ReadableMail;
  readonly classified: ClassifiedMessage;
  /** Texts that may quote an email of ours. */
  readonly quotes: readonly (string | null)[];
  /** Input for claimers; null when the message could not be fetched. */
  readonly claimable: ClaimableMail | null;
}

/** Larger messages are classified by their envelope: their size is that of their attachments. */
const MAX_BYTES = 25 * 1_048_576;
const NO_RECIPIENTS: ReadonlyMap<string, KnownMatch> = new Map();

/** Fetches, classifies and matches one message. */
@Injectable()
export class MessageIntakeService {
  constructor(
    private readonly mail: MailboxMessageRepository,
    private readonly urls: TrackingUrlsService,
    private readonly tokens: TrackingTokenService,
    private readonly matching: MessageMatchingService,
    private readonly reports: BounceMatchingService,
    private readonly hooks: HookRegistry,
  ) {}

  /** Returns the Message-IDs that the workspace itself sent, for example to a lead that is one of its mailboxes. */
  async listOurs(mailbox: MailboxRecord, messages: readonly MailboxMessageRecord[]): Promise<ReadonlySet<string>> {
    const ids = messages.flatMap((message) => (isOwnWriting(message) ? [] : (message.messageId ?? [])));
    return this.matching.listOurs(mailbox.workspaceId, ids);
  }

  /** Returns the claimers of messages, by id of the message. */
  async listClaimed(
    mailbox: MailboxRecord,
    messages: readonly MailboxMessageRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    const received = messages.filter((message) => !isOwnWriting(message));
    return claimEnvelopes(this.hooks.list(MAIL_CLAIMERS), mailbox, received);
  }

  /**
   * @returns the message to write; null when it is skipped and marked as such
   * @throws MailError when it cannot be fetched now
   */
  async read(
    mailbox: MailboxRecord,
    message: MailboxMessageRecord,
    { byEnvelope, isOurs, claimedBy }: ReadOptions,
  ): Promise<Incoming | null> {
    if (claimedBy !== null) return this.#skip(message, claimedBy);
    if (isOwnWriting(message) || isOurs) return this.#skip(message, 'own');
    const opened = byEnvelope ? openEnvelope(message) : await this.open(mailbox, message);
    const { mail, classified, claimable } = opened;
    const claimer = claimable && (await claimOpened(this.hooks.list(MAIL_CLAIMERS), mailbox, message, claimable));
    if (claimer !== null) return this.#skip(message, claimer);
    const { match, former } = await this.#match(mailbox, message, opened);
    if (match === null && (await this.#isUnrelated(message, classified, former))) {
      return this.#skip(message, 'unrelated');
    }
    if (match !== null && (await this.#isColleagues(message, classified, match))) return this.#skip(message, 'own');
    const recipients = match || former ? NO_RECIPIENTS : await this.#matchRecipients(mailbox, message, classified);
    return { mailbox, message, mail, classified, match, former, recipients };
  }

  /** @throws MailError when it cannot be fetched now */
  async open(mailbox: MailboxRecord, message: MailboxMessageRecord): Promise<OpenedMessage> {
    if (message.size > MAX_BYTES) return openEnvelope(message);
    try {
      return await this.mail.withSession(mailbox, async (session) => {
        const parsed = await parseMail(await session.fetchRaw(message.ref, { maxBytes: MAX_BYTES }));
        const attachments = await listAttachments(session, message, parsed);
        const trackingHosts = await this.urls.hostsOf(mailbox.workspaceId);
        const isOurs: IsOwnLink = (kind, token) => this.tokens.read(kind, token) !== null;
        return openParsed(message, parsed, attachments, { trackingHosts, isOurs });
      });
    } catch (error) {
      // The message is deleted, or larger than its stated size: only its envelope is available.
      if (isPermanent(error)) return this.#openMissing(message);
      throw error;
    }
  }

  /** A moved message is found at its new place when the mailbox is next read. */
  async #openMissing(message: MailboxMessageRecord): Promise<OpenedMessage> {
    const now = await this.mail.peek(message);
    if (now && now.place !== message.place) {
      throw new MailError({ failure: 'temporary', stage: 'request', message: 'The message was moved' });
    }
    return openEnvelope(message);
  }

  async #skip(message: MailboxMessageRecord, rule: string): Promise<null> {
    await this.mail.markClassified(message, { verdict: 'skipped', rule, tasks: [] });
    return null;
  }

  async #match(
    mailbox: MailboxRecord,
    message: MailboxMessageRecord,
    { mail, classified, quotes }: OpenedMessage,
  ): Promise<Found> {
    if (classified.kind === 'reply' || classified.kind === 'auto_reply') {
      const { from, subject, threadId } = message;
      const references = [...getReferences(message), ...mail.references];
      return this.matching.find(mailbox, { references, from: from?.address ?? null, subject, quotes, threadId });
    }
    const returned = { messageId: classified.originalMessageId, quotes, anywhere: classified.kind === 'complaint' };
    return this.reports.findByReturned(mailbox, returned, message.receivedAt);
  }

  /** Finds the leads of the recipients that a report names, for a report whose original message is unknown. */
  async #matchRecipients(
    mailbox: MailboxRecord,
    { receivedAt }: MailboxMessageRecord,
    classified: ClassifiedMessage,
  ): Promise<ReadonlyMap<string, KnownMatch>> {
    const known = new Map<string, KnownMatch>();
    for (const address of listRecipients(classified)) {
      const found = await this.reports.findByRecipient(mailbox, address, receivedAt);
      if (found) known.set(address, found);
    }
    return known;
  }

  /** The inbox shows unmatched mail only when a person wrote it: no newsletters, no spam, no mail of our own. */
  async #isUnrelated(
    { role, from, workspaceId }: MailboxMessageRecord,
    { kind }: ClassifiedMessage,
    former: SendRecord | null,
  ): Promise<boolean> {
    if (kind !== 'reply') return kind === 'auto_reply';
    if (former === null && isInSideFolder(role)) return true;
    const address = from?.address.toLowerCase() ?? null;
    if (address === null) return former === null;
    return address !== former?.email && (await this.mail.isOwn(workspaceId, address));
  }

  /** A mail from one of our mailboxes to a lead, with a copy to another one, is no reply of the lead. */
  async #isColleagues(
    { from, workspaceId }: MailboxMessageRecord,
    { kind }: ClassifiedMessage,
    { lead }: KnownMatch,
  ): Promise<boolean> {
    if (kind !== 'reply' && kind !== 'auto_reply') return false;
    const address = from?.address.toLowerCase() ?? '';
    return address !== lead.email && (await this.mail.isOwn(workspaceId, address));
  }
}

/** Uses the stored envelope only. */
function openEnvelope(message: MailboxMessageRecord): OpenedMessage {
  const { from, to, subject, references } = message;
  const unknown = { cc: [], replyTo: [], text: '', fullText: '', html: null, attachments: [] };
  const mail = { from, to, subject, references, ...unknown };
  return { mail, classified: classifyByEnvelope(message), quotes: [], claimable: null };
}

function openParsed(
  message: MailboxMessageRecord,
  parsed: ParsedMail,
  attachments: readonly MessageAttachment[],
  { trackingHosts, isOurs }: { trackingHosts: readonly string[]; isOurs: IsOwnLink },
): OpenedMessage {
  const toShown = (text: string) => removeOwnLinks(text, isOurs);
  const isOwn = (url: string) => isOwnLink(url, isOurs);
  const { from, to, subject, references, text, html } = parsed;
  const answer = readMailAnswer({ text, html });
  const mail = {
    from: from ?? message.from,
    to: to.length > 0 ? to : message.to,
    cc: parseAddresses(parsed.headers.getAll('cc').join(', ')),
    replyTo: parseAddresses(parsed.headers.get('reply-to')),
    subject,
    references,
    text: toShown(answer.text),
    ...(answer.certainText !== undefined && { certainText: toShown(answer.certainText) }),
    ...(answer.textAboveQuote !== undefined && { textAboveQuote: toShown(answer.textAboveQuote) }),
    fullText: toShown(text),
    html: html === null ? null : toShown(sanitiseHtml(html, { trackingHosts, isOurs: isOwn })),
    attachments,
  };
  const classified = classifyMessage(parsed);
  const returned = listReturnedTexts(parsed);
  const claimable = { classified, headers: parsed.headers, returned };
  return { mail, classified, quotes: [text, html, ...returned], claimable };
}

/** Lists the returned parts of other messages: the links in them identify an email of ours. */
function listReturnedTexts({ parts }: ParsedMail): string[] {
  return parts.flatMap(({ contentType, text }) => (text !== null && /rfc822|global/.test(contentType) ? [text] : []));
}

/** Uses the numbering of the server: attachments are fetched by number later. */
async function listAttachments(
  session: MailSession,
  { ref }: MailboxMessageRecord,
  { parts }: ParsedMail,
): Promise<MessageAttachment[]> {
  if (parts.length === 0) return [];
  try {
    const listed = await session.listAttachments(ref);
    return listed.map(({ index, name, contentType, size }) => ({ index, name, contentType, size }));
  } catch (error) {
    // The text is readable even when the server cannot list the structure.
    if (isPermanent(error)) return [];
    throw error;
  }
}

/** Whether the message itself is the reason, so that a retry cannot help. */
function isPermanent(error: unknown): boolean {
  return error instanceof MailError && error.failure === 'permanent' && !isUnreached(error);
}

/** Lists the recipients that a report names, without duplicates. */
function listRecipients(classified: ClassifiedMessage): string[] {
  if (classified.kind === 'complaint') return [...new Set(classified.recipients)];
  if (classified.kind !== 'bounce') return [];
  return [...new Set(classified.failed.flatMap(({ address }) => address ?? []))];
}
