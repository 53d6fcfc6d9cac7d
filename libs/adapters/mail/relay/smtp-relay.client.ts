import { type OnModuleDestroy } from '@nestjs/common';
import { OutboundAddressService } from '@platform/outbound';
import { type ServerSettings } from '../port/account';
import { type ComposedMessage, type SendOptions, type SendOutcome } from '../port/send';
import type { SmtpSender } from '../smtp/smtp-sender';

export interface SmtpRelayOptions {
  /** `smtp://user:password@host:port` (STARTTLS) or `smtps://` (TLS); empty: there is none. */
  readonly url: string;
  /** Address that its messages come from. */
  readonly from: string;
  /** How this machine names itself. */
  readonly ehloName: string;
  /** Whether the operator lets passwords go to servers that offer no encryption. */
  readonly allowPlaintext: boolean;
}

const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/**
 * The operator's own mail server, for messages of the installation itself: it only sends, has no mailbox to look into, and may
 * lie in a private network. Its password is in no message of a failure (`SecretMask`).
 */
export class SmtpRelayClient implements OnModuleDestroy {
  #sender: SmtpSender | undefined;

  /** @throws Error for a server without an address to write from */
  constructor(private readonly options: SmtpRelayOptions) {
    if (options.url !== '' && options.from === '') throw new Error('REPORT_SMTP_URL needs REPORT_FROM');
  }

  /** The address that its messages come from; null when there is no such server. */
  get from(): string | null {
    return this.options.url === '' ? null : this.options.from;
  }

  /** As a mailbox's session does. @throws Error when there is no such server */
  send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome> {
    this.#sender ??= this.#opened();
    return this.#sender.send(message, options);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#sender?.close();
  }

  /** The code is loaded when the first message is sent: most processes send none. */
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
