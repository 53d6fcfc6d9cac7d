import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { AcceptedLog, AcceptedMail } from './accepted-log.mts';
import type { HandoverLog } from './handover-log.mts';
import { toSummary } from './headers.mts';
import { mailboxFolder, MailboxNameError, type Maildirs } from './maildir.mts';
import { Attempts, recipientFault, userFault, type Fault, type Moment } from './misbehaviour.mts';
import { PLACEMENT_FOLDERS } from './placement.mts';
import type { PlacementPolicies } from './placement-policies.mts';
import { completeAuth, toConnection, decideLogin } from './smtp-auth.mts';
import type { MessageStore } from './store.mts';

export interface SmtpParts {
  log: Pick<AcceptedLog, 'append'>;
  given: Pick<HandoverLog, 'append'>;
  store: MessageStore;
  maildirs: Maildirs;
  placements: Pick<PlacementPolicies, 'place'>;
  /** Called after the sender has its answer. */
  onAccepted: (mail: AcceptedMail, raw: Buffer) => void;
}

export interface SmtpListener {
  port: number;
  close(): Promise<void>;
}

export interface Tls {
  key: Buffer;
  cert: Buffer;
}

const LARGEST_MESSAGE = 36_700_160; // 35 MB, what Exchange Online lets a client send
/** Longer than any client waits: the client ends a hanging connection. */
const IDLE_LIMIT_MS = 20 * 60_000;

class Refusal extends Error {
  readonly responseCode: number;
  constructor(code: number, text: string) {
    super(text);
    this.responseCode = code;
  }
}

type Answer = (error?: Error | null) => void;

/** A submission server: everything is accepted, logged durably and delivered, unless an address selects a fault. */
export class SmtpSandbox {
  readonly #parts: SmtpParts;
  readonly #attempts = new Attempts();

  constructor(parts: SmtpParts) {
    this.#parts = parts;
  }

  /** `implicit` is TLS from the first byte, otherwise STARTTLS is required before AUTH. Port 0 selects a free one. */
  async listen(port: number, tls: Tls, implicit: boolean): Promise<SmtpListener> {
    const server: SMTPServer = new SMTPServer({
      ...BASE,
      ...tls,
      secure: implicit,
      onConnect: (session, callback) => {
        const connection = toConnection(server, session);
        if (connection) completeAuth(connection);
        callback();
      },
      onAuth: (auth, session, callback) =>
        this.#meet(server, session, userFault(auth.username ?? ''), 'auth', (error) =>
          error ? callback(error) : callback(null, decideLogin(auth)),
        ),
      onMailFrom: (_address, session, callback) =>
        this.#meet(server, session, userFault(String(session.user)), 'mail', callback),
      onRcptTo: ({ address }, session, callback) => this.#rcpt(server, session, address, callback),
      onData: (stream, session, callback) => {
        void this.#data(server, stream, session).then(
          (text) => text !== undefined && callback(null, text),
          (error: Error) => callback(error),
        );
      },
    });
    // Clients that disconnect early are an expected case here.
    server.on('error', () => {});
    const listening = server.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    return {
      port: (listening.address() as AddressInfo).port,
      close: () => new Promise((done) => server.close(done)),
    };
  }

  /** Applies a fault at its moment, else gives the normal answer. */
  #meet(server: SMTPServer, session: SMTPServerSession, fault: Fault | undefined, at: Moment, callback: Answer): void {
    if (fault?.at !== at) return callback();
    if (fault.kind === 'answer') return callback(new Refusal(fault.code, fault.text));
    if (fault.kind === 'drop') return drop(server, session);
    if (fault.kind === 'slow') setTimeout(callback, fault.ms).unref();
  }

  #rcpt(server: SMTPServer, session: SMTPServerSession, address: string, callback: Answer): void {
    try {
      mailboxFolder(address);
    } catch (error) {
      if (!(error instanceof MailboxNameError)) throw error;
      return callback(new Refusal(553, `5.1.3 ${error.message}`));
    }
    const fault = recipientFault(address);
    const strikes = fault?.at === 'rcpt' && this.#attempts.strikes(fault, getSender(session), address);
    this.#meet(server, session, strikes ? fault : undefined, 'rcpt', callback);
  }

  /** The text of the 250; undefined when the client gets no answer. */
  async #data(
    server: SMTPServer,
    stream: AsyncIterable<Buffer> & { sizeExceeded: boolean },
    session: SMTPServerSession,
  ): Promise<string | undefined> {
    const recipients = [...new Set(session.envelope.rcptTo.map(({ address }) => address.toLowerCase()))];
    const faults = recipients.map(recipientFault);
    const at = (moment: Moment): Fault | undefined => faults.find((fault) => fault?.at === moment);
    // Before the first await: smtp-server has not yet written its 354.
    const begin = this.#begins(session, recipients, at('data'));
    if (begin?.kind === 'drop') drop(server, session);
    if (begin?.kind === 'hang') toConnection(server, session)?._socket.cork();
    const dataAt = new Date().toISOString();
    let time: string | undefined;
    const chunks: Buffer[] = [];
    let whole = false;
    try {
      for await (const chunk of stream) {
        time ??= new Date().toISOString();
        chunks.push(chunk);
        if (at('mid-data')) drop(server, session);
      }
      whole = true;
    } catch {
      // The client, or a fault above, closed the connection before the final dot.
    }
    if (time !== undefined) {
      const { messageId } = toSummary(Buffer.concat(chunks));
      await this.#parts.given.append({ dataAt, time, from: getSender(session), to: recipients, messageId, whole });
    }
    if (!whole) return undefined;
    if (begin ?? at('mid-data')) return undefined;
    if (stream.sizeExceeded) throw new Refusal(552, '5.3.4 Message too big for system');
    return this.#afterDot(server, session, recipients, Buffer.concat(chunks), at('after-dot'));
  }

  /** The fault at DATA, if it applies to this attempt. */
  #begins(session: SMTPServerSession, recipients: readonly string[], fault: Fault | undefined): Fault | undefined {
    const [recipient = ''] = recipients;
    return fault && this.#attempts.strikes(fault, getSender(session), recipient) ? fault : undefined;
  }

  async #afterDot(
    server: SMTPServer,
    session: SMTPServerSession,
    recipients: string[],
    raw: Buffer,
    fault: Fault | undefined,
  ): Promise<string | undefined> {
    if (fault?.kind === 'answer') throw new Refusal(fault.code, fault.text);
    if (fault?.kind === 'slow') await new Promise((done) => setTimeout(done, fault.ms));
    const silent = fault?.kind === 'drop' || fault?.kind === 'hang' ? fault : undefined;
    let mail: AcceptedMail | undefined;
    if (!silent || silent.stored) mail = await this.#accept(session, recipients, raw, !silent);
    if (silent?.kind === 'drop') drop(server, session);
    // Prospects answer a message once its sender can know of the acceptance.
    if (mail) setImmediate(this.#parts.onAccepted, mail, raw);
    return silent || !mail ? undefined : `2.0.0 OK: queued as ${mail.queueId}`;
  }

  /** Logs durably, delivers, and then answers. A message that could not be written at all is not logged. */
  async #accept(session: SMTPServerSession, to: string[], raw: Buffer, answered: boolean): Promise<AcceptedMail> {
    const { log, store, maildirs } = this.#parts;
    const queueId = store.newId();
    try {
      await store.write(queueId, raw);
    } catch (error) {
      throw new Refusal(452, `4.3.1 Insufficient system storage (${(error as Error).message})`);
    }
    const { messageId, subject } = toSummary(raw);
    const mail: AcceptedMail = {
      time: new Date().toISOString(),
      queueId,
      user: String(session.user),
      from: getSender(session),
      to,
      messageId,
      subject,
      size: raw.length,
      answered,
      placed: this.#placed(to, getSender(session), messageId || queueId),
    };
    try {
      await log.append(mail);
    } catch (error) {
      await store.discard(queueId);
      throw new Refusal(451, `4.3.0 The log cannot be written (${(error as Error).message})`);
    }
    const { time, from, size, placed } = mail;
    const folderOf = (address: string): string => PLACEMENT_FOLDERS[placed[address] ?? 'inbox'];
    await Promise.all(to.map((address) => maildirs.deliver(address, store.file(queueId), folderOf(address))));
    store.add({ id: queueId, origin: 'smtp', time, from, to, messageId, subject, size, placed });
    return mail;
  }

  #placed(recipients: readonly string[], from: string, messageId: string): AcceptedMail['placed'] {
    const placed: AcceptedMail['placed'] = {};
    for (const to of recipients) {
      const placement = this.#parts.placements.place({ to, from, messageId });
      if (placement !== 'inbox') placed[to] = placement;
    }
    return placed;
  }
}

const BASE: SMTPServerOptions = {
  name: 'mail.sandbox.test',
  banner: 'mail sandbox',
  authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2', 'OAUTHBEARER'],
  // The texts contain their own enhanced codes.
  hideENHANCEDSTATUSCODES: true,
  authRequiredMessage: '5.7.0 Authentication Required',
  size: LARGEST_MESSAGE,
  disableReverseLookup: true,
  socketTimeout: IDLE_LIMIT_MS,
  closeTimeout: 50,
  logger: false,
  minVersion: 'TLSv1.2',
};

function getSender(session: SMTPServerSession): string {
  const { mailFrom } = session.envelope;
  return mailFrom ? mailFrom.address.toLowerCase() : '';
}

/** Closes the connection without an answer, as a crash does. */
function drop(server: SMTPServer, session: SMTPServerSession): void {
  toConnection(server, session)?._socket.destroy();
}
