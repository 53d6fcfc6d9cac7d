/** The settings of a mailbox for its driver. Credentials are functions, so that they are decrypted only for a new connection. */
export type MailAccount = SmtpImapAccount | GmailAccount | GraphAccount | FakeAccount;

interface AccountBase {
  /** Id of the mailbox, the key of the session pool. */
  readonly id: string;
  /** Changes with the settings or credentials: a session of an older revision is closed. */
  readonly revision: string;
  /** The mailbox's own address. */
  readonly email: string;
}

/** Address of a mail server. */
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
 * Returns the login for one connection.
 * @param refused the access token that the server has just refused, to be replaced; ignored for passwords.
 * @throws MailError `needs-human` when no login is left.
 */
export type LoginSource = (refused?: string) => Promise<Login>;

/**
 * Returns an access token that is valid for at least another minute.
 * @param refused the token that the vendor has just refused (401), to be replaced.
 * @throws MailError `needs-human` when the grant is revoked, `temporary` when the token server cannot be reached.
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

/** A mailbox of the fake driver, for tests. */
export interface FakeAccount extends AccountBase {
  readonly kind: 'fake';
}

export type MailAccountKind = MailAccount['kind'];
