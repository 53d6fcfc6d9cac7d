import { createSecureContext, type SecureContext } from 'node:tls';
import { type LookupFunction, type Socket } from 'node:net';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { type CheckedAddress } from '@platform/outbound';
import { type Login, type SmtpImapAccount } from '../port/account';
import { MailError, type MailStage, toServerReply } from '../port/mail.errors';
import { maskFor, type SecretMask } from '../smtp/secret-mask';
import { allowsPrivate, hostName } from '../smtp/smtp-dial';
import { isTooLate } from '../concurrency/joined-signal';
import { getMailError } from './imap.errors';
import { DEFAULTS, type ImapOptions } from './imap-options';

const PORTS: ReadonlySet<number> = new Set([143, 993]);
const MEGABYTE = 1024 * 1024;

/** Timeout of a connection with TLS, and from that to the greeting (some servers resolve names first). */
const OPENING_MS = 20_000;

/** Opens logged-in connections to a mailbox's IMAP server. */
export class ImapLogin {
  readonly #context: SecureContext;

  constructor(private readonly options: ImapOptions) {
    // Shared by all connections: a separate context costs some hundred kilobytes each.
    this.#context = createSecureContext({
      minVersion: 'TLSv1.2',
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
  }

  /**
   * Connects and logs in; an access token that is refused is renewed once.
   * @throws MailError
   */
  async open(server: SmtpImapAccount['imap'], signal?: AbortSignal): Promise<ImapFlow> {
    const { host, port } = server;
    if (!PORTS.has(port) && !allowsPrivate(this.options.guard)) {
      const message = `Port ${port} is not one of the IMAP ports ${[...PORTS].join(', ')}`;
      throw new MailError({ failure: 'needs-human', stage: 'address', message });
    }
    const addresses = await this.options.guard.resolve(hostName(host)).catch((error: unknown) => {
      throw getMailError(error, { stage: 'resolve' });
    });
    const login = await toLogin(server);
    try {
      return await this.#connect(server, addresses, login, signal);
    } catch (error) {
      const isRefused = error instanceof MailError && error.failure === 'needs-human' && error.lastReply !== null;
      if (login.method !== 'xoauth2' || !isRefused) throw error;
      return this.#connect(server, addresses, await toLogin(server, login.accessToken), signal);
    }
  }

  async #connect(
    server: SmtpImapAccount['imap'],
    addresses: readonly CheckedAddress[],
    login: Login,
    signal?: AbortSignal,
  ): Promise<ImapFlow> {
    const client = new ImapFlow(this.#settings(server, addresses, login));
    const mask = maskFor(login);
    // An 'error' event without a listener ends the process; the running command fails with the same error.
    client.on('error', () => undefined);
    const stop = () => client.close();
    signal?.addEventListener('abort', stop, { once: true });
    const progress = { stage: 'connect' as MailStage, foreign: null as MailError | null };
    try {
      signal?.throwIfAborted();
      const connecting = client.connect();
      follow(client, server.secure, progress, mask);
      await connecting;
      return client;
    } catch (error) {
      client.close();
      if (signal?.aborted) throw createStoppedError(signal, progress.stage);
      const command = login.method === 'password' ? 'LOGIN' : 'AUTHENTICATE';
      throw progress.foreign ?? getMailError(error, { stage: progress.stage, command, plain: !server.secure, mask });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  #settings(
    { host, port, secure }: SmtpImapAccount['imap'],
    addresses: readonly CheckedAddress[],
    login: Login,
  ): ImapFlowOptions {
    const { timeoutMs = DEFAULTS.timeoutMs, allowPlaintext = false } = this.options;
    // imapflow passes all of `tls` to net.connect and tls.connect.
    const dial = { lookup: answering(addresses), autoSelectFamily: true, secureContext: this.#context };
    return {
      host: hostName(host),
      port,
      secure,
      ...(secure || allowPlaintext ? {} : { doSTARTTLS: true }),
      auth:
        login.method === 'password'
          ? { user: login.user, pass: login.password }
          : { user: login.user, accessToken: login.accessToken },
      tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...dial },
      logger: false,
      clientInfo: { name: 'IMAP client', version: false, vendor: false, 'support-url': false },
      // The deflate and inflate windows of one connection take a third of a megabyte.
      disableCompression: true,
      disableAutoIdle: true,
      qresync: true,
      connectionTimeout: Math.min(timeoutMs, OPENING_MS),
      greetingTimeout: Math.min(timeoutMs, OPENING_MS),
      socketTimeout: timeoutMs,
      maxLineLength: 16 * MEGABYTE,
      maxLiteralSize: 128 * MEGABYTE,
      maxResponseSize: 160 * MEGABYTE,
    };
  }
}

async function toLogin({ login }: SmtpImapAccount['imap'], refused?: string): Promise<Login> {
  try {
    return await login(refused);
  } catch (error) {
    if (error instanceof MailError) throw error;
    // The text of an unknown error is untrusted.
    const message = 'The credentials of the mailbox could not be read';
    throw new MailError({ failure: 'temporary', stage: 'login', message });
  }
}

/** The call was aborted, or the session was closed. */
export function createStoppedError(signal: AbortSignal | undefined, stage: MailStage = 'request'): MailError {
  if (isTooLate(signal)) {
    return new MailError({ failure: 'temporary', stage, message: 'The IMAP server did not answer in time' });
  }
  return new MailError({ failure: 'temporary', stage: 'request', message: 'The task was stopped before its end' });
}

/** Returns the checked addresses for any name: a second lookup could answer differently. */
function answering(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all)
      callback(
        null,
        addresses.map((address) => ({ ...address })),
      );
    else callback(null, first?.address ?? '', first?.family);
  };
}

/**
 * Records the progress of a connection, and closes it at once when the first bytes are not IMAP: imapflow would wait for a greeting and
 * discard the received text. Only observes the socket, which imapflow owns.
 */
function follow(
  client: ImapFlow,
  secure: boolean,
  progress: { stage: MailStage; foreign: MailError | null },
  mask: SecretMask,
): void {
  const { socket } = client as unknown as { socket: Socket | false | null };
  if (!socket) return;
  socket.once('connect', () => (progress.stage = secure ? 'tls' : 'greeting'));
  socket.once('secureConnect', () => (progress.stage = 'greeting'));
  socket.once('data', (chunk: Buffer) => {
    const said = chunk.toString('latin1');
    if (/^\0*\*/.test(said)) {
      progress.stage = 'login';
      return;
    }
    const lastReply = toServerReply({ code: null, command: null, response: mask.apply(said.trimEnd()) });
    const message = 'The service on this port is not IMAP';
    progress.foreign = new MailError({ failure: 'needs-human', stage: 'greeting', message, lastReply });
    client.close();
  });
}
