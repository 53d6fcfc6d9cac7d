/**
 * The role of a folder (RFC 6154 special use; Gmail's system labels and Graph's well-known folders mean the same). `promotions` is a
 * category of Gmail; over IMAP it is a folder of that name, if there is one. `all` is the archive of all mail.
 */
export type FolderRole = 'inbox' | 'promotions' | 'junk' | 'sent' | 'drafts' | 'trash' | 'archive' | 'all';

export interface MailFolder {
  /** The id for the other calls of the port: IMAP path, Gmail label id, Graph folder id. */
  readonly id: string;
  /** The name as shown to users. */
  readonly name: string;
  /** null for a user's folder. */
  readonly role: FolderRole | null;
}
