import { createSecureContext } from 'node:tls';
import { ImapFlow } from 'imapflow';
import pLimit from 'p-limit';
import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import type { Server, Workspace } from './harness.mts';

/** Mailboxes that are connected concurrently: they count against the limit of one workspace, so they wait for each other. */
const CONNECTING = 4;
/** Connections that deliver mail to a mailbox. */
const APPENDING = 4;
/** The host name in the sandbox's certificate, resolved like that of any other server. */
const HOST = 'localhost';

/** The mail sandbox that `npm run bench` starts beside the services. */
export class MailSandbox {
  readonly imapPort: number;
  readonly password: string;
  readonly #addresses: MailSandboxAddresses;

  /** @throws the reason when there is no sandbox */
  constructor() {
    const addresses = JSON.parse(process.env['MAIL_SANDBOX'] ?? '{"off":"MAIL_SANDBOX is not set"}') as
      | MailSandboxAddresses
      | { off: string };
    if ('off' in addresses) throw new Error(`Mail cannot be measured without the mail sandbox: ${addresses.off}`);
    this.#addresses = addresses;
    this.imapPort = addresses.imap.tlsPort;
    this.password = addresses.password;
  }

  /** Environment of a process that uses the sandbox. */
  get trust(): Record<string, string> {
    return { NODE_EXTRA_CA_CERTS: this.#addresses.caFile, OUTBOUND_ALLOW_PRIVATE: 'true' };
  }

  /** Environment of a child that reads its mailboxes. */
  get access(): Record<string, string> {
    return { ...this.trust, IMAP_PORT: String(this.imapPort), PASSWORD: this.password };
  }

  /** Connects mailboxes through the API, which logs in to both servers of each. */
  async connect(api: Server, { key }: Workspace, emails: string[]): Promise<void> {
    const { smtp, password } = this.#addresses;
    const outgoing = { smtpHost: HOST, smtpPort: smtp.tlsPort, smtpSecure: true, smtpPassword: password };
    const servers = { ...outgoing, imapHost: HOST, imapPort: this.imapPort, imapSecure: true };
    const limit = pLimit(CONNECTING);
    const connect = (email: string) => api.call(key, 'POST', '/v1/mailboxes', { email, ...servers });
    await Promise.all(emails.map((email) => limit(() => connect(email))));
  }

  /** Delivers messages to the inbox of a mailbox, several at a time. */
  async append(mailbox: string, messages: readonly string[]): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      const client = createImapClient(mailbox, String(this.imapPort), this.password);
      await client.connect();
      for (let message = messages[next++]; message !== undefined; message = messages[next++]) {
        await client.append('INBOX', Buffer.from(message));
      }
      await client.logout();
    };
    await Promise.all(Array.from({ length: Math.min(APPENDING, messages.length) }, work));
  }
}

/** With the settings of the platform that save memory: one TLS context, no compression. */
const secureContext = createSecureContext();
export function createImapClient(user: string, port = '0', pass = ''): ImapFlow {
  const lean = { disableCompression: true, tls: { secureContext } };
  return new ImapFlow({ host: HOST, port: Number(port), secure: true, auth: { user, pass }, logger: false, ...lean });
}

/** A person's message of some sentences, above the email that it answers. */
export function createMessage(mail: { from: string; to: string; messageId: string; inReplyTo?: string }): string {
  return [
    `From: Ada Lovelace <${mail.from}>`,
    `To: <${mail.to}>`,
    'Subject: Re: A question, Ada',
    `Message-ID: ${mail.messageId}`,
    ...(mail.inReplyTo ? [`In-Reply-To: ${mail.inReplyTo}`, `References: ${mail.inReplyTo}`] : []),
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'thank you for your message. I have passed it on to a colleague, who will look at it in the course of the month.',
    '',
    'On Tuesday you wrote:',
    ...Array.from({ length: 12 }, () => '> a sentence of an email that a person wrote by hand.'),
    '',
  ].join('\r\n');
}
