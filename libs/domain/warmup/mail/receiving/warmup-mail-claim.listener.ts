import { type ClaimableMail, type MailClaimer, MAIL_CLAIMERS } from '@domain/inbox';
import { type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { Listens } from '@platform/hooks';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WARMUP_HEADER, WarmupHeaderService } from '../../warmup-header.service';
import { type FoundMail, isAddressed } from './found-mail';
import { isReport, listReturnedTokens } from './returned-mail';
import { WarmupMailLookupRepository } from './warmup-mail-lookup.repository';
import { WarmupReceiptService } from './warmup-receipt.service';

/**
 * Claims warmup mail, and reports about it, before the inbox reads them: by Message-ID or, where a server has replaced it, by the
 * signed header. Mail that people write is never claimed.
 */
@Injectable()
@Listens(MAIL_CLAIMERS)
export class WarmupMailClaimListener implements MailClaimer {
  readonly name = 'warmup';

  constructor(
    private readonly lookup: WarmupMailLookupRepository,
    private readonly header: WarmupHeaderService,
    private readonly receipts: WarmupReceiptService,
  ) {}

  async claimEnvelopes(
    mailbox: MailboxRecord,
    messages: readonly MailboxMessageRecord[],
  ): Promise<ReadonlySet<string>> {
    const known = await this.lookup.findByMessageIds(messages.flatMap(({ messageId }) => messageId ?? []));
    const named = messages.flatMap((message): FoundMail[] => {
      const mail = known.get(message.messageId ?? '');
      return mail ? [{ message, mail }] : [];
    });
    const ours = await this.#selectSentHere(mailbox, named);
    if (ours.length > 0) await this.receipts.recordReceived(mailbox, ours);
    return new Set(ours.map(({ message }) => message._id.toHexString()));
  }

  async claimOpened(
    mailbox: MailboxRecord,
    message: MailboxMessageRecord,
    { classified, headers, returned }: ClaimableMail,
  ): Promise<boolean> {
    if (await this.#claimSigned(mailbox, message, headers.getAll(WARMUP_HEADER))) return true;
    if (isReport(classified)) {
      const mail = await this.#findReported(mailbox, classified, returned);
      if (mail) await this.receipts.recordReturned(mail, classified);
      return mail !== null;
    }
    return classified.kind === 'auto_reply' && (await this.#isAnswerToOurs(mailbox, message));
  }

  /**
   * Claims a signed mail. There is nothing to record if it was written to another mailbox of the same address, or if its sender
   * was deleted.
   */
  async #claimSigned(
    mailbox: MailboxRecord,
    message: MailboxMessageRecord,
    values: readonly string[],
  ): Promise<boolean> {
    const ends = { from: message.from?.address ?? '', to: mailbox.email };
    const mailId = values.map((value) => this.header.verify(value, ends)).find((id) => id !== null);
    if (mailId === undefined) return false;
    const mail = await this.lookup.find(mailId);
    if (!mail?.counterpart.mailboxId.equals(mailbox._id)) return true;
    const ours = await this.#selectFirst(mailbox, [{ message, mail }]);
    if (ours.length > 0) await this.receipts.recordReceived(mailbox, ours);
    return ours.length > 0;
  }

  /** Selects mails that their senders wrote to this mailbox. */
  async #selectSentHere(mailbox: MailboxRecord, named: readonly FoundMail[]): Promise<FoundMail[]> {
    const senders = await this.lookup.findSenderAddresses(named.map(({ mail }) => mail));
    const sent = named.filter((one) => isAddressed(one, senders));
    return sent.length === 0 ? [] : this.#selectFirst(mailbox, sent);
  }

  /** Selects mails that are not recorded with another message: marks of a warmup mail can be copied. */
  async #selectFirst(mailbox: MailboxRecord, named: readonly FoundMail[]): Promise<FoundMail[]> {
    const recorded = await this.lookup.findRecorded(
      mailbox,
      named.map(({ mail }) => mail),
    );
    const firstIds = new Map(recorded);
    return named.filter(({ message, mail }) => {
      const [mailId, messageId] = [mail._id.toHexString(), message._id.toHexString()];
      const first = firstIds.get(mailId) ?? messageId;
      firstIds.set(mailId, first);
      return first === messageId;
    });
  }

  /** Finds the mail of this mailbox that a report is about. */
  async #findReported(
    mailbox: MailboxRecord,
    classified: Parameters<WarmupReceiptService['recordReturned']>[1],
    returned: readonly string[],
  ): Promise<WarmupMailRecord | null> {
    const isOurs = (mail: WarmupMailRecord | null | undefined) => mail?.mailboxId.equals(mailbox._id) ?? false;
    const { originalMessageId } = classified;
    const named = (await this.lookup.findByMessageIds([originalMessageId ?? ''])).get(originalMessageId ?? '');
    if (named && isOurs(named)) return named;
    for (const token of listReturnedTokens(returned)) {
      const mailId = this.header.findMailId(token);
      const mail = mailId === null ? null : await this.lookup.find(mailId);
      if (mail && isOurs(mail)) return mail;
    }
    if (originalMessageId !== null || classified.kind !== 'bounce') return null;
    return this.lookup.findLastTo(
      mailbox,
      classified.failed.flatMap(({ address }) => address ?? []),
    );
  }

  async #isAnswerToOurs(mailbox: MailboxRecord, { inReplyTo, references }: MailboxMessageRecord): Promise<boolean> {
    const answered = await this.lookup.findByMessageIds([inReplyTo ?? '', ...references]);
    return [...answered.values()].some(({ mailboxId }) => mailboxId.equals(mailbox._id));
  }
}
