import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readReply, type Reply } from '@adapters/mail';
import { type CheckedAddress } from '@platform/outbound';
import { type StepTimeout, withStepTimeout } from './timeout';
import { ProbeConnectError, ProbeFailureError } from './probe-failure.errors';
import { type Timer } from '@platform/concurrency';

/** Maximum length of a reply; a reply with all extensions has less than 2 kB. */
const MAX_REPLY_BYTES = 16 * 1024;
/** A continuation line, and the last line (RFC 5321, section 4.2). */
const REPLY_LINE = /^[2-5]\d\d(?:[ -]|$)/;
const GOING_ON = /^\d{3}-/;
/** Timeout for the disconnect after QUIT. */
const GOODBYE_MS = 2_000;

/** One connection to a mail server with one command and its reply at a time. */
export class SmtpProbeConnection {
  #socket: Socket;
  #heard = '';
  /** The reason for its end. */
  #ended: ProbeFailureError | null = null;
  #waiting: ((reply: Reply | ProbeFailureError) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen(socket);
  }

  /** @throws ConnectFailure; the signal's reason */
  static async open(address: CheckedAddress, port: number, timeout: StepTimeout): Promise<SmtpProbeConnection> {
    const socket = connect({ host: address.address, family: address.family, port, noDelay: true });
    try {
      await ready(socket, 'connect', 'a connection', timeout);
      return new SmtpProbeConnection(socket);
    } catch (error) {
      socket.destroy();
      throw error instanceof ProbeFailureError ? new ProbeConnectError(error.message) : error;
    }
  }

  /**
   * @param command without its line end; null to hear the greeting
   * @param doing a description of the step, for display
   * @throws ProbeFailure, after which the connection is closed; the signal's reason
   */
  async ask(command: string | null, doing: string, timeout: StepTimeout): Promise<Reply> {
    try {
      return await withStepTimeout<Reply>(timeout, doing, (give, fail) => {
        if (this.#ended) return fail(this.#ended);
        this.#waiting = (heard) => (heard instanceof ProbeFailureError ? fail(heard) : give(heard));
        // Data received before the command is no reply to it, except 421, with which the server ends the connection.
        const isLeaving = this.#heard.startsWith('421');
        if (command !== null && this.#heard !== '' && !isLeaving) return this.#unasked();
        if (command !== null && !isLeaving) this.#socket.write(`${command}\r\n`);
        this.#read();
      });
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.#waiting = null;
    }
  }

  /**
   * Encrypts the connection. The certificate is not verified: the probe sends no secrets and no mail, and an attacker in between could
   * strip STARTTLS anyway (RFC 7435). Old TLS versions are allowed, like no TLS.
   * @throws ProbeFailure, after which the connection is closed; the signal's reason
   */
  async encrypt(host: string, timeout: StepTimeout): Promise<void> {
    // Received before TLS: it may have been injected (RFC 3207, section 6).
    if (this.#heard !== '') this.#unasked();
    if (this.#ended) throw this.#ended;
    this.#socket.removeAllListeners('data').removeAllListeners('close');
    const secure = connectTls({
      socket: this.#socket,
      servername: isIP(host) > 0 ? '' : host,
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
    });
    try {
      await ready(secure, 'secureConnect', 'the encryption', timeout);
    } catch (error) {
      this.close();
      throw error;
    }
    this.#socket = secure;
    this.#listen(secure);
  }

  /** Nothing more can be asked. */
  get isOver(): boolean {
    return this.#ended !== null || this.#heard !== '';
  }

  /** Sends QUIT. The connection is closed when the server does not disconnect in time. */
  quit(timer: Timer): void {
    if (this.#ended) return;
    const socket = this.#socket;
    this.#ended = new ProbeFailureError('unreachable', 'the probe has ended the session');
    const cancel = timer.after(GOODBYE_MS, () => socket.destroy());
    socket.once('close', cancel).end('QUIT\r\n');
  }

  close(): void {
    this.#end(new ProbeFailureError('unreachable', 'the probe has closed the connection'));
  }

  #listen(socket: Socket): void {
    socket.on('data', (bytes: Buffer) => this.#hear(bytes));
    socket.on('error', (error) =>
      this.#end(new ProbeFailureError('unreachable', `the connection broke (${getErrorCode(error)})`)),
    );
    socket.on('close', () => this.#end(new ProbeFailureError('unreachable', 'the server closed the connection')));
  }

  #hear(bytes: Buffer): void {
    // No command follows QUIT.
    if (this.#ended) return;
    // One character per byte; a reply is decoded as a whole.
    this.#heard += bytes.toString('latin1');
    this.#read();
    if (this.#heard.length > MAX_REPLY_BYTES) this.#end(new ProbeFailureError('protocol', 'a reply has no end'));
  }

  /** Resolves the waiting command when its reply is complete. */
  #read(): void {
    if (this.#waiting === null) return;
    for (let from = 0; ;) {
      const end = this.#heard.indexOf('\n', from);
      if (end < 0) return;
      const line = this.#heard.slice(from, end);
      if (!REPLY_LINE.test(line)) return this.#end(new ProbeFailureError('protocol', 'the reply is not SMTP'));
      from = end + 1;
      if (GOING_ON.test(line)) continue;
      const text = Buffer.from(this.#heard.slice(0, end), 'latin1').toString('utf8').replaceAll('\r', '');
      this.#heard = this.#heard.slice(from);
      return this.#waiting(readReply(text));
    }
  }

  #unasked(): void {
    this.#end(new ProbeFailureError('protocol', 'the server sent a reply without a command'));
  }

  #end(failure: ProbeFailureError): void {
    if (this.#ended) return;
    this.#ended = failure;
    this.#socket.destroy();
    this.#waiting?.(failure);
  }
}

async function ready(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  doing: string,
  timeout: StepTimeout,
): Promise<void> {
  // This listener stays, because an error may occur before the next owner adds one.
  socket.on('error', () => undefined);
  await withStepTimeout<void>(timeout, doing, (give, fail) => {
    const failed = (error?: Error): void =>
      fail(new ProbeFailureError('unreachable', `${doing} failed (${getErrorCode(error)})`));
    socket
      .once(event, () => give())
      .once('error', failed)
      .once('close', () => failed());
  });
}

function getErrorCode(error: Error | undefined): string {
  return error && 'code' in error && typeof error.code === 'string' ? error.code : 'closed';
}
