import { type OnModuleDestroy } from '@nestjs/common';
import { OutboundAddressService } from '@platform/outbound';
import { type ServerSettings } from '../port/account';
import { type ComposedMessage, type SendOptions, type SendOutcome } from '../port/send';
import type { SmtpSender } from '../smtp/smtp-sender';

export interface SmtpRelayOptions {
  /** `smtp://user:password@host:port` (STARTTLS) or `smtps://` (TLS); empty: not configured. */
  readonly url: string;
  /** Sender address of its messages. */
  readonly from: string;
  /** The EHLO name of this machine. */
  readonly ehloName: string;
  /** Whether the operator allows passwords for servers without encryption. */
  readonly allowPlaintext: boolean;
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/**
 * The operator's own mail server, for messages of the installation itself: it only sends, has no mailbox, and may be in a private network.
 * Error messages never contain its password (`SecretMask`).
 */
export class SmtpRelayClient implements OnModuleDestroy {
  #sender: SmtpSender | undefined;

  /** @throws Error for a server without an address to write from */
  constructor(private readonly options: SmtpRelayOptions) {
    if (options.url !== '' && options.from === '') throw new Error('REPORT_SMTP_URL needs REPORT_FROM');
  }

  /** The sender address of its messages; null without a configured server. */
  get from(): string | null {
    return this.options.url === '' ? null : this.options.from;
  }

  /** Sends like the session of a mailbox. @throws Error without a configured server */
  send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome> {
    this.#sender ??= this.#opened();
    return this.#sender.send(message, options);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#sender?.close();
  }

  /** The code is loaded with the first message, because most processes send none. */
  #opened(): SmtpSender {
    const { url, ehloName, allowPlaintext } = this.options;
    if (url === '') throw new Error('There is no mail server of the operator');
    const { username, password } = new URL(url);
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    const login = () => Promise.resolve({ method: 'password', user, password: secret } as const);
    const { SmtpSender: Sender } = require('../smtp/smtp-sender') as typeof import('../smtp/smtp-sender');
    const guard = new OutboundAddressService({ allowPrivate: true });
    return new Sender({ smtp: { ...parseServer(url), login }, ehloName, guard, allowPlaintext });
  }
}

function parseServer(address: string): ServerSettings {
  const { protocol, hostname, port } = new URL(address);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port) || (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT), secure };
}
