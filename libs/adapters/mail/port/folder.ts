/**
 * What a folder is for (RFC 6154 special use; Gmail's system labels and Graph's well-known folders mean the same).
 * `promotions` is a category of Gmail; over IMAP it is a folder of that name, if there is one. `all` is the archive that holds everything.
 */
export type FolderRole = 'inbox' | 'promotions' | 'junk' | 'sent' | 'drafts' | 'trash' | 'archive' | 'all';

export interface MailFolder {
  /** What the other calls of the port take: IMAP path, Gmail label id, Graph folder id. */
  readonly id: string;
  /** As people see it. */
  readonly name: string;
  /** null for a folder of the mailbox's owner. */
  readonly role: FolderRole | null;
}
