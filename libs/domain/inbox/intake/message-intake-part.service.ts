import { MailboxMessageRepository, type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { MessageMatchingService } from '../match/message-matching.service';
import { BounceMatchingService } from '../match/bounce-matching.service';
import { isInSideFolder, isOwnWriting, getReferences } from './envelope';
import { type Incoming } from './incoming';
import { type Found, type KnownMatch } from '../match/match';
import { type IntakeTask } from './intake-tasks';
import { type ClassifiedMessage } from './classified-message';
import { MailClaimRegistry } from './mail-claim.registry';
import { MessageWriterService } from './message-writer.service';
import { MessageIntakeService, type OpenedMessage } from './message-intake.service';

/** How a message is looked at. */
interface Look {
  /** It could not be read often enough. */
  readonly byEnvelope: boolean;
  /** We sent it ourselves. */
  readonly isOurs: boolean;
  /** Whom its envelope belongs to by name, if that is somebody. */
  readonly claimedBy: string | null;
}

/** Finds out what one message says, and has it written. */
@Injectable()
export class MessageIntakePartService {
  constructor(
    private readonly mail: MailboxMessageRepository,
    private readonly opening: MessageIntakeService,
    private readonly matching: MessageMatchingService,
    private readonly reports: BounceMatchingService,
    private readonly writing: MessageWriterService,
    private readonly claims: MailClaimRegistry,
  ) {}

  /** Those of the messages that we sent ourselves: to a mailbox of the workspace that is a lead, for example. */
  async oursAmong(mailbox: MailboxRecord, messages: readonly MailboxMessageRecord[]): Promise<ReadonlySet<string>> {
    const ids = messages.flatMap((message) => (isOwnWriting(message) ? [] : (message.messageId ?? [])));
    return this.matching.oursAmong(mailbox.workspaceId, ids);
  }

  /** Those of the messages that belong to others than the inbox, by id: their names. */
  async claimedAmong(
    mailbox: MailboxRecord,
    messages: readonly MailboxMessageRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    return this.claims.ofEnvelopes(
      mailbox,
      messages.filter((message) => !isOwnWriting(message)),
    );
  }

  /**
   * @returns what is to be written; null when that is nothing, and it is judged, by somebody else perhaps
   * @throws MailError when it cannot be read now
   */
  async read(
    mailbox: MailboxRecord,
    message: MailboxMessageRecord,
    { byEnvelope, isOurs, claimedBy }: Look,
  ): Promise<Incoming | null> {
    if (claimedBy !== null) return this.#skip(message, claimedBy);
    if (isOwnWriting(message) || isOurs) return this.#skip(message, 'own');
    const opened = byEnvelope ? this.opening.envelopeOf(message) : await this.opening.open(mailbox, message);
    const { judged, claimable } = opened;
    const claimer = claimable && (await this.claims.ofOpened(mailbox, message, claimable));
    if (claimer !== null) return this.#skip(message, claimer);
    const { match, former } = await this.#find(mailbox, message, opened);
    if (match === null && (await this.#isNobodys(message, judged, former))) return this.#skip(message, 'unrelated');
    if (match !== null && (await this.#isColleagues(message, judged, match))) return this.#skip(message, 'own');
    const recipients = match || former ? NOBODY : await this.#recipients(mailbox, message, judged);
    return { mailbox, message, ...opened, match, former, recipients };
  }

  /** Writes what was read. @returns what has to follow; null when somebody else has judged it */
  async write(incoming: Incoming): Promise<IntakeTask[] | null> {
    return this.writing.write(incoming);
  }

  async #skip(message: MailboxMessageRecord, rule: string): Promise<null> {
    await this.mail.markClassified(message, { verdict: 'skipped', rule, tasks: [] });
    return null;
  }

  async #find(
    mailbox: MailboxRecord,
    message: MailboxMessageRecord,
    { mail, judged, quotes }: OpenedMessage,
  ): Promise<Found> {
    if (judged.kind === 'reply' || judged.kind === 'auto_reply') {
      const { from, subject, threadId } = message;
      const references = [...getReferences(message), ...mail.references];
      return this.matching.find(mailbox, { references, from: from?.address ?? null, subject, quotes, threadId });
    }
    const returned = { messageId: judged.originalMessageId, quotes, anywhere: judged.kind === 'complaint' };
    return this.reports.byReturned(mailbox, returned, message.receivedAt);
  }

  /** Whom the recipients are known as that a report names, where the message that came back is not. */
  async #recipients(
    mailbox: MailboxRecord,
    { receivedAt }: MailboxMessageRecord,
    judged: ClassifiedMessage,
  ): Promise<ReadonlyMap<string, KnownMatch>> {
    const known = new Map<string, KnownMatch>();
    for (const address of addressesOf(judged)) {
      const found = await this.reports.byRecipient(mailbox, address, receivedAt);
      if (found) known.set(address, found);
    }
    return known;
  }

  /** Mail that answers nothing is shown when a person wrote it to the inbox: no newsletters, no spam, none of our own. */
  async #isNobodys(
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

  /** What one of our own mailboxes writes to a lead, with a copy to another one, is not the lead's answer. */
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

const NOBODY: ReadonlyMap<string, KnownMatch> = new Map();

/** Each once. */
function addressesOf(judged: ClassifiedMessage): string[] {
  if (judged.kind === 'complaint') return [...new Set(judged.recipients)];
  if (judged.kind !== 'bounce') return [];
  return [...new Set(judged.failed.flatMap(({ address }) => address ?? []))];
}
