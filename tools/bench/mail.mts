import pLimit from 'p-limit';
import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import type { Workspace } from './fixture.mts';
import type { Server } from './processes.mts';

/** Messages that are delivered at a time. */
const DELIVERIES = 16;
/** Mailboxes that are connected at a time: they count against the limit of one workspace, so they wait for each other. */
const CONNECTING = 4;
/** The certificate of the sandbox is for it, and it is resolved as the name of any other server is. */
const HOST = 'localhost';

/** A message that was put into a mailbox, and when that was begun. */
export interface Delivered {
  email: string;
  messageId: string;
  at: number;
}

/** The mail sandbox that `npm run bench` starts beside the services. */
export class MailSandbox {
  readonly imapPort: number;
  readonly password: string;
  readonly #addresses: MailSandboxAddresses;
  #delivered = 0;

  constructor(addresses: MailSandboxAddresses) {
    this.#addresses = addresses;
    this.imapPort = addresses.imap.tlsPort;
    this.password = addresses.password;
  }

  /** @throws when there is none, saying why */
  static given(): MailSandbox {
    const given = JSON.parse(process.env['MAIL_SANDBOX'] ?? '{"off":"MAIL_SANDBOX is not set"}') as
      | MailSandboxAddresses
      | { off: string };
    if ('off' in given) throw new Error(`Mail cannot be measured without the mail sandbox: ${given.off}`);
    return new MailSandbox(given);
  }

  /** What a process needs to talk to it. */
  get trust(): Record<string, string> {
    return { NODE_EXTRA_CA_CERTS: this.#addresses.caFile, OUTBOUND_ALLOW_PRIVATE: 'true' };
  }

  /** Connects mailboxes through the API, which logs in to both servers of each. */
  async connect(api: Server, { key }: Workspace, emails: string[]): Promise<void> {
    const { smtp, password } = this.#addresses;
    const servers = {
      smtpHost: HOST,
      smtpPort: smtp.tlsPort,
      smtpSecure: true,
      smtpPassword: password,
      imapHost: HOST,
      imapPort: this.imapPort,
      imapSecure: true,
    };
    await each(emails, CONNECTING, async (email) => {
      const answer = await fetch(`${api.url}/v1/mailboxes`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ email, ...servers }),
      });
      const text = await answer.text();
      if (answer.status !== 201) throw new Error(`${email} could not be connected: ${answer.status} ${text}`);
    });
  }

  /** One message into each mailbox, as fast as it goes, or one after the other with a pause. */
  async deliver(emails: string[], pauseMs = 0): Promise<Delivered[]> {
    return each(emails, pauseMs > 0 ? 1 : DELIVERIES, async (email) => {
      const messageId = `<bench.${process.pid}.${++this.#delivered}@elsewhere.test>`;
      const url = new URL(`/api/deliver?${new URLSearchParams({ to: email }).toString()}`, this.#addresses.webUrl);
      const at = Date.now();
      const answer = await fetch(url, { method: 'POST', body: createMessage(email, messageId) });
      await answer.body?.cancel();
      if (answer.status !== 201) throw new Error(`Delivery to ${email}: ${answer.status}`);
      if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
      return { email, messageId, at };
    });
  }
}

async function each<T, R>(all: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const limit = pLimit(atOnce);
  return Promise.all(all.map((one) => limit(() => work(one))));
}

/** What a person writes: some hundred words. */
function createMessage(email: string, messageId: string): string {
  const lines = Array.from({ length: 20 }, (_, line) => `Line ${line} of a message that somebody has written by hand.`);
  return [
    'From: Ada Lovelace <ada@elsewhere.test>',
    `To: <${email}>`,
    'Subject: Re: A question',
    `Message-ID: ${messageId}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...lines,
    '',
  ].join('\r\n');
}
