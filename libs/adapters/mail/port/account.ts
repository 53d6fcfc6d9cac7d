/** What a driver needs to open a mailbox. Credentials are functions: they are decrypted where a connection is opened. */
export type MailAccount = SmtpImapAccount | GmailAccount | GraphAccount | FakeAccount;

interface AccountBase {
  /** The mailbox's id: sessions are pooled by it. */
  readonly id: string;
  /** Another value means other settings or credentials: a session that was opened with the old ones is closed. */
  readonly revision: string;
  /** The mailbox's own address. */
  readonly email: string;
}

/** Where a server listens. */
export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS, which is required unless the operator allows plain text. */
  readonly secure: boolean;
}

/** A password, or an OAuth 2.0 access token for SASL XOAUTH2 (Google's and Microsoft's mail servers). */
export type Login =
  | { readonly method: 'password'; readonly user: string; readonly password: string }
  | { readonly method: 'xoauth2'; readonly user: string; readonly accessToken: string };

/**
 * Gives the login for one connection.
 * @param refused the access token that the server has just refused: give another one. Without meaning for passwords.
 * @throws MailError `needs-human` when there is none any more.
 */
export type LoginSource = (refused?: string) => Promise<Login>;

/**
 * Gives an access token that is valid for at least another minute.
 * @param refused the token that the vendor has just refused (401): give another one.
 * @throws MailError `needs-human` when the grant is gone, `temporary` when the token server cannot be reached.
 */
export type TokenSource = (refused?: string) => Promise<string>;

export interface SmtpImapAccount extends AccountBase {
  readonly kind: 'smtp_imap';
  readonly smtp: ServerSettings & { readonly login: LoginSource };
  readonly imap: ServerSettings & { readonly login: LoginSource };
}

export interface GmailAccount extends AccountBase {
  readonly kind: 'gmail';
  readonly token: TokenSource;
}

export interface GraphAccount extends AccountBase {
  readonly kind: 'graph';
  readonly token: TokenSource;
}

/** A mailbox of the fake, for tests of whoever uses the port. */
export interface FakeAccount extends AccountBase {
  readonly kind: 'fake';
}

export type MailAccountKind = MailAccount['kind'];
