import { CampaignWork } from '@domain/campaigns';
import { MailboxMail, type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { Transactions } from '@platform/database';
import { type Match, MessageMatching } from '../match/message.matching.service';
import { isOwnWriting, referencesOf } from './envelope';
import { type Incoming, type KnownMatch } from './incoming';
import { IntakeEffects } from './intake.effects.service';
import { type IntakeTask } from './intake.tasks';
import { type Judged } from './judged';
import { MessageOpening, type OpenedMessage } from './message.opening.service';

/** Finds out what one message says and writes it, once. */
@Injectable()
export class MessageIntake {
  /** The last write of each mailbox in this process, whatever became of it. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(
    private readonly mail: MailboxMail,
    private readonly opening: MessageOpening,
    private readonly matching: MessageMatching,
    private readonly campaigns: CampaignWork,
    private readonly effects: IntakeEffects,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @param byEnvelope the message could not be read often enough
   * @returns what has to follow; null when somebody else has judged it
   * @throws MailError when it cannot be read now
   */
  async judge(
    mailbox: MailboxRecord,
    message: MailboxMessageRecord,
    { byEnvelope }: { byEnvelope: boolean },
  ): Promise<IntakeTask[] | null> {
    if (isOwnWriting(message) || (await this.matching.isOurs(message))) return this.#skip(message, 'own');
    const opened = byEnvelope ? this.opening.envelopeOf(message) : await this.opening.open(mailbox, message);
    const match = await this.#match(mailbox, message, opened);
    if (match === null && (await this.#isNobodys(message, opened.judged))) return this.#skip(message, 'unrelated');
    if (match !== null && (await this.#isColleagues(message, opened.judged, match))) return this.#skip(message, 'own');
    const recipients = await this.#recipients(mailbox, opened.judged, match);
    return this.#write({ mailbox, message, ...opened, match, recipients });
  }

  /** One message of a mailbox at a time: side by side they would undo each other at the figures that all of them change. */
  async #write(incoming: Incoming): Promise<IntakeTask[] | null> {
    const mailboxId = incoming.mailbox._id.toHexString();
    const before = this.#writing.get(mailboxId) ?? Promise.resolve();
    const written = before.then(() => this.#writeNow(incoming));
    const settled = written.then(
      () => undefined,
      () => undefined,
    );
    this.#writing.set(mailboxId, settled);
    try {
      return await written;
    } finally {
      if (this.#writing.get(mailboxId) === settled) this.#writing.delete(mailboxId);
    }
  }

  async #writeNow(incoming: Incoming): Promise<IntakeTask[] | null> {
    const { message, judged } = incoming;
    return this.transactions
      .run(async () => {
        const tasks = await this.effects.apply(incoming);
        const judgement = { verdict: judged.kind, rule: judged.rule, tasks };
        // Last, and all of the above is undone if somebody else was faster.
        if (!(await this.mail.judged(message, judgement))) throw new AlreadyJudged();
        return tasks;
      })
      .catch((error: unknown) => {
        if (error instanceof AlreadyJudged) return null;
        throw error;
      });
  }

  async #skip(message: MailboxMessageRecord, rule: string): Promise<IntakeTask[] | null> {
    return (await this.mail.judged(message, { verdict: 'skipped', rule, tasks: [] })) ? [] : null;
  }

  async #match(
    mailbox: MailboxRecord,
    message: MailboxMessageRecord,
    { mail, judged, quotes }: OpenedMessage,
  ): Promise<KnownMatch | null> {
    if (judged.kind === 'reply' || judged.kind === 'auto_reply') {
      const { from, subject, threadId } = message;
      const references = [...referencesOf(message), ...mail.references];
      return this.#withCampaign(
        await this.matching.find(mailbox, { references, from: from?.address ?? null, subject, quotes, threadId }),
      );
    }
    const { originalMessageId } = judged;
    return this.#withCampaign(await this.matching.byReferences(mailbox, originalMessageId ? [originalMessageId] : []));
  }

  /** Whom the recipients are known as that a report names, where the message that came back is not. */
  async #recipients(
    mailbox: MailboxRecord,
    judged: Judged,
    match: KnownMatch | null,
  ): Promise<ReadonlyMap<string, KnownMatch>> {
    const known = new Map<string, KnownMatch>();
    if (match !== null) return known;
    for (const address of addressesOf(judged)) {
      const found = await this.#withCampaign(await this.matching.byRecipient(mailbox, address));
      if (found) known.set(address, found);
    }
    return known;
  }

  /** The leads of a deleted campaign are nobody's any more. */
  async #withCampaign(match: Match | null): Promise<KnownMatch | null> {
    if (!match) return null;
    const { workspaceId, campaignId } = match.lead;
    const campaign = await this.campaigns.find(workspaceId, campaignId);
    return campaign && !campaign.deletedAt ? { ...match, campaign } : null;
  }

  /** Mail that answers nothing is shown when a person wrote it to the inbox: no newsletters, no spam, none of our own. */
  async #isNobodys({ role, from, workspaceId }: MailboxMessageRecord, { kind }: Judged): Promise<boolean> {
    if (kind !== 'reply') return kind === 'auto_reply';
    if (role === 'junk' || role === 'promotions' || role === 'trash') return true;
    return from === null || (await this.mail.isOwn(workspaceId, from.address.toLowerCase()));
  }

  /** What one of our own mailboxes writes to a lead, with a copy to another one, is not the lead's answer. */
  async #isColleagues(
    { from, workspaceId }: MailboxMessageRecord,
    { kind }: Judged,
    { lead }: KnownMatch,
  ): Promise<boolean> {
    if (kind !== 'reply' && kind !== 'auto_reply') return false;
    const address = from?.address.toLowerCase() ?? '';
    return address !== lead.email && (await this.mail.isOwn(workspaceId, address));
  }
}

class AlreadyJudged extends Error {}

/** Each once. */
function addressesOf(judged: Judged): string[] {
  if (judged.kind === 'complaint') return [...new Set(judged.recipients)];
  if (judged.kind !== 'bounce') return [];
  return [...new Set(judged.failed.flatMap(({ address }) => address ?? []))];
}
