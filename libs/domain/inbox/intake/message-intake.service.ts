import { MailError, type MailSession } from '@adapters/mail';
import { MailboxMessageRepository, type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { TrackingAddressesService, TrackingTokenService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { addressesIn, parseMail } from '../classify/mail-parsing';
import { type ParsedMail } from '../classify/parsed-mail';
import { type MessageAttachment } from '../schemas/conversation-message.record';
import { isOwnLink, type IsOwnLink, withoutOwnLinks } from '../text/own-links';
import { sanitiseHtml } from '../text/sanitise-html';
import { readAnswer } from '../text/visible-text';
import { classifyByEnvelope } from './envelope';
import { type ReadableMail } from './incoming';
import { type ClassifiedMessage } from './classified-message';
import { classifyMessage } from './classify-message';
import { type ClaimableMail } from './mail-claim.registry';
import { isUnreached } from './unreachable-mailbox';

/** What is in a message. */
export interface OpenedMessage {
  readonly mail: ReadableMail;
  readonly judged: ClassifiedMessage;
  /** Texts that may quote an email of ours. */
  readonly quotes: readonly (string | null)[];
  /** What whoever claims mail decides by; null where it could not be read. */
  readonly claimable: ClaimableMail | null;
}

/** Larger messages are judged by their envelope: an answer of so many bytes is its attachments. */
const MAX_BYTES = 25 * 1_048_576;

/** Fetches a message and finds out what it is. */
@Injectable()
export class MessageIntakeService {
  constructor(
    private readonly mail: MailboxMessageRepository,
    private readonly addresses: TrackingAddressesService,
    private readonly tokens: TrackingTokenService,
  ) {}

  /** @throws MailError when it cannot be fetched now */
  async open(mailbox: MailboxRecord, message: MailboxMessageRecord): Promise<OpenedMessage> {
    if (message.size > MAX_BYTES) return this.envelopeOf(message);
    try {
      return await this.mail.withSession(mailbox, async (session) => {
        const parsed = await parseMail(await session.fetchRaw(message.ref, { maxBytes: MAX_BYTES }));
        const attachments = await attachmentsOf(session, message, parsed);
        const trackingHosts = await this.addresses.hostsOf(mailbox.workspaceId);
        const isOurs: IsOwnLink = (kind, token) => this.tokens.read(kind, token) !== null;
        return opened(message, parsed, attachments, { trackingHosts, isOurs });
      });
    } catch (error) {
      // Gone, or larger than it said: what is known of it has to do.
      if (isForGood(error)) return this.#gone(message);
      throw error;
    }
  }

  /** As much as was kept when it came in. */
  envelopeOf(message: MailboxMessageRecord): OpenedMessage {
    const { from, to, subject, references } = message;
    const unknown = { cc: [], replyTo: [], text: '', fullText: '', html: null, attachments: [] };
    const mail = { from, to, subject, references, ...unknown };
    return { mail, judged: classifyByEnvelope(message), quotes: [], claimable: null };
  }

  /** It may only have been moved: then it is where the mailbox's next reading finds it. */
  async #gone(message: MailboxMessageRecord): Promise<OpenedMessage> {
    const now = await this.mail.peek(message);
    if (now && now.place !== message.place) {
      throw new MailError({ failure: 'temporary', stage: 'request', message: 'The message was moved' });
    }
    return this.envelopeOf(message);
  }
}

function opened(
  message: MailboxMessageRecord,
  parsed: ParsedMail,
  attachments: readonly MessageAttachment[],
  { trackingHosts, isOurs }: { trackingHosts: readonly string[]; isOurs: IsOwnLink },
): OpenedMessage {
  const shown = (said: string) => withoutOwnLinks(said, isOurs);
  const isOwn = (url: string) => isOwnLink(url, isOurs);
  const { from, to, subject, references, text, html } = parsed;
  const answer = readAnswer({ text, html });
  const mail = {
    from: from ?? message.from,
    to: to.length > 0 ? to : message.to,
    cc: addressesIn(parsed.headers.getAll('cc').join(', ')),
    replyTo: addressesIn(parsed.headers.get('reply-to')),
    subject,
    references,
    text: shown(answer.text),
    ...(answer.sure !== undefined && { sure: shown(answer.sure) }),
    ...(answer.above !== undefined && { above: shown(answer.above) }),
    fullText: shown(text),
    html: html === null ? null : shown(sanitiseHtml(html, { trackingHosts, isOurs: isOwn })),
    attachments,
  };
  const judged = classifyMessage(parsed);
  const returned = returnedTexts(parsed);
  return { mail, judged, quotes: [text, html, ...returned], claimable: { judged, headers: parsed.headers, returned } };
}

/** What is given back of other messages: an email of ours is known by its links, too. */
function returnedTexts({ parts }: ParsedMail): string[] {
  return parts.flatMap(({ contentType, text }) => (text !== null && /rfc822|global/.test(contentType) ? [text] : []));
}

/** As the server counts them: what is asked for later is asked for by its number there. */
async function attachmentsOf(
  session: MailSession,
  { ref }: MailboxMessageRecord,
  { parts }: ParsedMail,
): Promise<MessageAttachment[]> {
  if (parts.length === 0) return [];
  try {
    const listed = await session.listAttachments(ref);
    return listed.map(({ index, name, contentType, size }) => ({ index, name, contentType, size }));
  } catch (error) {
    // What it says is known, whatever the server makes of its structure.
    if (isForGood(error)) return [];
    throw error;
  }
}

/** It will never be read, and the reason is the message's. */
function isForGood(error: unknown): boolean {
  return error instanceof MailError && error.failure === 'permanent' && !isUnreached(error);
}
