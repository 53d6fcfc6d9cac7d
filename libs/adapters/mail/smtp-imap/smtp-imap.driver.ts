import { type OutboundAddressService } from '@platform/outbound';
import { ImapLogin } from '../imap/imap-login';
import { ImapMailbox } from '../imap/imap-mailbox';
import { type ImapOptions } from '../imap/imap-options';
import { type SmtpImapAccount } from '../port/account';
import { type MailDriver } from '../port/driver';
import { type MailSession } from '../port/session';
import { type SmtpLimits } from '../smtp/smtp-limits';
import { SmtpSender } from '../smtp/smtp-sender';
import { SmtpImapSession } from './smtp-imap-session';

export interface SmtpImapOptions {
  readonly guard: OutboundAddressService;
  /** The EHLO name of this machine: a host name, or an address in brackets. */
  readonly ehloName: string;
  /** Whether the operator allows passwords for servers without encryption. */
  readonly allowPlaintext: boolean;
  /** PEM certificates to trust instead of the built-in ones, for tests; operators have NODE_EXTRA_CA_CERTS. */
  readonly ca?: string;
  /** Concurrent connections of a mailbox to its SMTP server. */
  readonly maxSmtpConnections?: number;
  readonly smtpLimits?: Partial<SmtpLimits>;
  readonly imapTimes?: Pick<ImapOptions, 'timeoutMs' | 'keepMs' | 'pollMs' | 'idleMs'>;
}

/** Uses SMTP and IMAP with the servers of the account. */
export class SmtpImapDriver implements MailDriver<'smtp_imap'> {
  readonly kind = 'smtp_imap';
  readonly #imap: ImapOptions;
  readonly #login: ImapLogin;

  constructor(private readonly options: SmtpImapOptions) {
    const { guard, allowPlaintext, ca, imapTimes } = options;
    this.#imap = { guard, allowPlaintext, ...(ca === undefined ? {} : { ca }), ...imapTimes };
    this.#login = new ImapLogin(this.#imap);
  }

  open({ smtp, imap }: SmtpImapAccount): MailSession {
    const { guard, ehloName, allowPlaintext, ca, maxSmtpConnections, smtpLimits } = this.options;
    const sender = new SmtpSender({
      smtp,
      ehloName,
      guard,
      allowPlaintext,
      ...(ca === undefined ? {} : { ca }),
      ...(maxSmtpConnections === undefined ? {} : { maxConnections: maxSmtpConnections }),
      ...(smtpLimits === undefined ? {} : { limits: smtpLimits }),
    });
    return new SmtpImapSession(sender, new ImapMailbox(this.#login, imap, this.#imap));
  }
}
