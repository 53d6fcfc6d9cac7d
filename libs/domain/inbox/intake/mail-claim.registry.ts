import { type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { type MailHeaders } from '../classify/parsed-mail';
import { type ClassifiedMessage } from './classified-message';

/** What a claimer sees of a message that was fetched. */
export interface ClaimableMail {
  readonly judged: ClassifiedMessage;
  readonly headers: MailHeaders;
  /** What the message gives back of others, as text: their headers at least. */
  readonly returned: readonly string[];
}

/**
 * A domain above the inbox whose own mail comes into the same mailboxes. What it claims is for nobody else: it is judged
 * `skipped` with the claimer's name as rule, begins no conversation, and changes no lead, figure or suppression.
 */
export interface MailClaimer {
  /** Rule of the judgement. */
  readonly name: string;

  /**
   * Of messages of a mailbox, as their envelopes tell, the ids (hex) of those that are its own. All that follows from them has
   * been done when it returns; the same message may be asked about again.
   */
  claimEnvelopes(mailbox: MailboxRecord, messages: readonly MailboxMessageRecord[]): Promise<ReadonlySet<string>>;

  /** Whether a message that no envelope told of is its own after all. As above. */
  claimOpened(mailbox: MailboxRecord, message: MailboxMessageRecord, opened: ClaimableMail): Promise<boolean>;
}

/** Where higher domains tell at the start of the process that some of the mail is theirs: they are not known down here. */
@Injectable()
export class MailClaimRegistry {
  readonly #claimers = new Set<MailClaimer>();

  /** Call it once, when the module starts. */
  register(claimer: MailClaimer): void {
    this.#claimers.add(claimer);
  }

  /** By id (hex) of the message, the name of whoever it belongs to. */
  async ofEnvelopes(
    mailbox: MailboxRecord,
    messages: readonly MailboxMessageRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    const claimed = new Map<string, string>();
    for (const claimer of this.#claimers) {
      const left = messages.filter(({ _id }) => !claimed.has(_id.toHexString()));
      if (left.length === 0) break;
      for (const id of await claimer.claimEnvelopes(mailbox, left)) claimed.set(id, claimer.name);
    }
    return claimed;
  }

  /** The name of whoever it belongs to, null when that is nobody. */
  async ofOpened(mailbox: MailboxRecord, message: MailboxMessageRecord, opened: ClaimableMail): Promise<string | null> {
    for (const claimer of this.#claimers) {
      if (await claimer.claimOpened(mailbox, message, opened)) return claimer.name;
    }
    return null;
  }
}
