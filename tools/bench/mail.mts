import pLimit from 'p-limit';
import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import type { Workspace } from './fixture.mts';
import type { Server } from './processes.mts';

/** Concurrent deliveries. */
const DELIVERIES = 16;
/** Mailboxes that are connected concurrently: they count against the limit of one workspace, so they wait for each other. */
const CONNECTING = 4;
/** The host name in the sandbox's certificate, resolved like that of any other server. */
const HOST = 'localhost';

/** A message in a mailbox, and the time at which its delivery started. */
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

  /** @throws the reason when there is no sandbox */
  static given(): MailSandbox {
    const given = JSON.parse(process.env['MAIL_SANDBOX'] ?? '{"off":"MAIL_SANDBOX is not set"}') as
      | MailSandboxAddresses
      | { off: string };
    if ('off' in given) throw new Error(`Mail cannot be measured without the mail sandbox: ${given.off}`);
    return new MailSandbox(given);
  }

  /** Environment of a process that uses the sandbox. */
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

  /** Delivers one message to each mailbox, as fast as possible, or one after the other with a pause. */
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

/** A person's message of some hundred words. */
function createMessage(email: string, messageId: string): string {
  const lines = Array.from({ length: 20 }, (_, line) => `Line ${line} of a message that a person wrote by hand.`);
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
