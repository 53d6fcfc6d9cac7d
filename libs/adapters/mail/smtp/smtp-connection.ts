import { isAscii } from 'node:buffer';
import { type Socket } from 'node:net';
import { type ConnectionOptions } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Login } from '../port/account';
import { type MailStage } from '../port/mail.errors';
import { type ComposedMessage } from '../port/send';
import { HandoverStream } from './handover-stream';
import { exchange, type Mechanism, MECHANISMS } from './sasl-exchange';
import { maskFor, SecretMask } from './secret-mask';
import { type Capabilities, SmtpConversation } from './smtp-conversation';
import { toSocketErrorCode } from './smtp-dial';
import { type Ending } from './smtp-outcomes';
import { type SmtpLimits } from './smtp-limits';
import { parseSmtpReply, type Reply } from './smtp-reply';

export interface SmtpConnectionOptions {
  readonly host: string;
  /** TLS is already established. */
  readonly secured: boolean;
  readonly allowPlaintext: boolean;
  readonly ehloName: string;
  readonly tls: ConnectionOptions;
  readonly limits: SmtpLimits;
}

/** The used part of nodemailer's authentication handlers. */
interface Sasl {
  sendCommand(line: string): Promise<{ response: string }>;
}

/** The outcome of a command: the server's reply, or the end of the connection. */
export type SmtpReply =
  | { readonly stage: MailStage; readonly reply: Reply }
  | { readonly ending: Ending; readonly stage: MailStage };

/** The server's response to a message. */
export interface Transmitted {
  readonly heard: SmtpReply;
  /** The complete message with its final dot was written: the server may have it. */
  readonly complete: boolean;
}

/** Longer than all limits: nodemailer's timers do not distinguish the stages, so ours fire first. */
const NEVER_MS = 24 * 3_600_000;

/** Maximum length of a reply. */
const MAX_REPLY_BYTES = 64 * 1024;

/**
 * One SMTP connection over nodemailer's. It returns replies without classifying them, never rejects, and every method respects its timeout.
 * A closed connection stays closed.
 */
export class SmtpConnection {
  /** Messages attempted on it. */
  uses = 0;
  /** Called once when it has ended. */
  onOver: (() => void) | null = null;

  readonly #options: SmtpConnectionOptions;
  readonly #socket: Socket;
  readonly #client: SMTPConnection;
  readonly #conversation: SmtpConversation;
  #mask = new SecretMask();
  #login: ((ask: (line: string) => Promise<string>) => Promise<void>) | null = null;
  #ending: Ending | null = null;
  #waiting: ((heard: SmtpReply) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stream: HandoverStream | null = null;
  /** A transaction is incomplete: RSET is needed before the next. */
  #dirty = false;

  constructor(socket: Socket, options: SmtpConnectionOptions) {
    this.#options = options;
    this.#socket = socket;
    this.#conversation = new SmtpConversation(() => {
      if (this.#timer !== undefined) this.#allow(options.limits.commandMs);
    });
    const { host, secured, allowPlaintext, ehloName, tls } = options;
    this.#client = new SMTPConnection({
      host,
      connection: socket,
      secure: secured,
      secured,
      // Otherwise STARTTLS is still used when offered, with certificate verification.
      requireTLS: !secured && !allowPlaintext,
      name: ehloName,
      tls,
      logger: this.#conversation.logger,
      transactionLog: true,
      customAuth: Object.fromEntries(
        MECHANISMS.map((mechanism) => [
          mechanism,
          (sasl: Sasl) => this.#login?.(async (line) => (await sasl.sendCommand(line)).response),
        ]),
      ),
      connectionTimeout: NEVER_MS,
      greetingTimeout: NEVER_MS,
      socketTimeout: NEVER_MS,
      socketCloseTimeout: 0,
      maxResponseSize: MAX_REPLY_BYTES,
    });
    this.#client.on('error', (error: unknown) => this.end(this.#endingOf(error)));
    // A callback with the reason, or a reply in a pending promise, may still arrive in this tick.
    this.#client.on('end', () => setImmediate(() => this.end({ how: 'lost' })));
    socket.once('close', () => setImmediate(() => this.end({ how: 'lost' })));
  }

  get over(): Ending | null {
    return this.#ending;
  }

  /** Of the last EHLO: the plain-text one until another follows. */
  get capabilities(): Capabilities {
    return this.#conversation.capabilities;
  }

  /** Greeting, EHLO, STARTTLS. */
  greet(): Promise<SmtpReply> {
    return this.#ask(this.#options.limits.greetingMs, (heard) => {
      this.#client.connect((error) => {
        if (error) this.end(this.#endingOf(error));
        else heard(this.#conversation.lastReply);
      });
    });
  }

  authenticate(login: Login, mechanism: Mechanism): Promise<SmtpReply> {
    this.#mask = maskFor(login);
    return this.#ask(this.#options.limits.commandMs, (heard) => {
      // nodemailer never sees the credentials, so that none can get into its errors and logs.
      this.#login = async (ask) => heard(await exchange(login, mechanism, ask));
      this.#client.login({ method: mechanism }, (error) => {
        if (error) this.end(this.#endingOf(error));
      });
      this.#login = null;
    });
  }

  /**
   * Submits one message. `onReady` is called when the server is ready for it. Nothing is sent before `start` is called; `end` guarantees
   * that nothing is ever sent. A server may process a message only when it has seen the end of the mail data (RFC 5321, 4.1.1.4), and a
   * connection that closes before counts as RSET (4.1.1.5, 3.8): `complete` false is proof that nothing was sent. Once the server has
   * answered the final dot with 250 the message is its responsibility (4.2.5), and until that answer arrives the outcome is ambiguous.
   */
  async transmit({ envelope, raw }: ComposedMessage, onReady: (start: () => void) => void): Promise<Transmitted> {
    this.uses++;
    if (this.#dirty) await this.#reset();
    const stream = new HandoverStream(raw, {
      onReady: (start) => this.#acceptsMessage(start, onReady),
      onProgress: (complete) => this.#allow(complete ? this.#options.limits.answerMs : this.#options.limits.dataMs),
    });
    this.#stream = stream;
    const heard = await this.#ask(this.#options.limits.commandMs, (heard) => {
      const { from, to } = envelope;
      const parameters = { from, to: [to], size: raw.length, use8BitMime: !isAscii(raw) };
      this.#client.send(parameters, stream, (error, info) => {
        const reply = error ? error.response : info?.response;
        if (reply === undefined) this.end({ how: 'lost' });
        else heard(reply, stream.isStarted ? 'handover' : (getStage(error?.command) ?? undefined));
        // The server answered before the end of the message: stop here, or the server could still accept it.
        if (stream.isStarted && !stream.complete) this.end({ how: 'stopped' });
      });
    });
    // An idle connection does not keep the last message in memory.
    this.#stream = null;
    this.#dirty = !stream.complete;
    return { heard, complete: stream.complete };
  }

  /** A connection whose RSET fails counts as lost. */
  async #reset(): Promise<void> {
    const heard = await this.#ask(this.#options.limits.commandMs, (heard) => {
      this.#client.reset((error) => heard(error?.response ?? this.#conversation.lastReply));
    });
    if ('reply' in heard && !isKeyword(heard.reply, 2)) this.end({ how: 'lost' });
  }

  /** Sends QUIT and waits briefly for the end. */
  async quit(): Promise<void> {
    await this.#ask(this.#options.limits.quitMs, () => this.#client.quit());
    this.end({ how: 'stopped' });
  }

  /** Closes the connection at once; unwritten bytes are never sent. */
  end(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    const stage = this.#conversation.stage;
    this.#allow(null);
    this.#stream?.stop();
    this.#client.close();
    this.#socket.destroy();
    this.#waiting?.({ ending, stage });
    this.onOver?.();
  }

  #acceptsMessage(start: () => void, onReady: (start: () => void) => void): void {
    const reply = this.#reply(this.#conversation.lastReply);
    // nodemailer accepts 2xx instead of 354 too. An out-of-step reply of a server could then look like an acceptance.
    if (!isKeyword(reply, 3)) {
      this.end({ how: 'reply', stage: 'data', reply });
      return;
    }
    // The caller may now take time.
    this.#allow(null);
    const ready = () => {
      if (this.#ending !== null) return;
      onReady(() => {
        if (this.#ending !== null) return;
        this.#conversation.messageBegins();
        this.#allow(this.#options.limits.dataMs);
        start();
      });
    };
    // A reply in the same packet as 354 does not answer the message: nodemailer reads it one tick later.
    setImmediate(() => setImmediate(ready));
  }

  /** Waits for the reply to `begin` or for the end of the connection. One command at a time. */
  #ask(limitMs: number, begin: (heard: (reply: string, stage?: MailStage) => void) => void): Promise<SmtpReply> {
    if (this.#ending !== null) return Promise.resolve({ ending: this.#ending, stage: 'request' });
    return new Promise((resolve) => {
      const settle = (heard: SmtpReply) => {
        if (this.#waiting !== settle) return;
        this.#waiting = null;
        this.#allow(null);
        resolve(heard);
      };
      this.#waiting = settle;
      this.#allow(limitMs);
      begin((text, stage) => {
        const reply = this.#reply(text);
        settle({ reply, stage: stage ?? this.#conversation.answeredStage });
        // The server disconnects after it (RFC 5321, 3.8): this connection cannot be used again.
        if (reply.code === 421) this.end({ how: 'lost' });
      });
    });
  }

  /** The timeout from now on. */
  #allow(ms: number | null): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (ms !== null && this.#ending === null) {
      this.#timer = setTimeout(() => this.end({ how: 'timeout', afterMs: ms }), ms);
    }
  }

  #endingOf(error: unknown): Ending {
    const response = getField(error, 'response');
    if (response !== '') return { how: 'reply', stage: this.#stageOfError(error), reply: this.#reply(response) };
    const code = toSocketErrorCode(error);
    // nodemailer's own names are not meaningful.
    const detail = /^(?:ECONNECTION|ESOCKET|ETLS|EPROTOCOL|unknown)$/.test(code) ? '' : code;
    return { how: 'lost', ...(detail && { detail }) };
  }

  #stageOfError(error: unknown): MailStage {
    const command = getField(error, 'command');
    return getStage(command) ?? this.#conversation.answeredStage;
  }

  #reply(text: string): Reply {
    return parseSmtpReply(this.#mask.apply(text));
  }
}

/** The commands in nodemailer's errors. CONN refers to the last command. */
function getStage(command: string | undefined): MailStage | null {
  if (command === 'MAIL FROM') return 'sender';
  return command === 'RCPT TO' ? 'recipient' : null;
}

function isKeyword(reply: Reply, firstDigit: number): boolean {
  return reply.code !== null && Math.floor(reply.code / 100) === firstDigit;
}

function getField(error: unknown, field: 'response' | 'command'): string {
  if (typeof error !== 'object' || error === null || !(field in error)) return '';
  const value = (error as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : '';
}
