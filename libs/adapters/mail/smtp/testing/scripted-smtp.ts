import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

/** Self-signed, for mail.test, localhost, 127.0.0.1 and ::1; trusted by nothing but these tests. */
export const MAIL_CA = readFileSync(join(__dirname, 'server.cert.pem'), 'utf8');
const KEY = readFileSync(join(__dirname, 'server.key.pem'), 'utf8');

/** The events that a script handles: a connection, a command, a line of a login, a message with its final dot. */
export type Cue =
  | 'CONNECT'
  | 'EHLO'
  | 'HELO'
  | 'STARTTLS'
  | 'AUTH'
  | 'SASL'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'MESSAGE'
  | 'RSET'
  | 'QUIT';

/** Sends text (line ends are added), then continues, disconnects, stays silent, or stops reading (`stall`). */
export interface Act {
  readonly say?: string;
  /** Raw bytes, sent with the reply in one packet. */
  readonly raw?: string;
  readonly next?: 'drop' | 'reset' | 'hang' | 'stall';
}

export interface SmtpScript {
  /** Overrides the normal behaviour; `undefined` from a function means the normal behaviour. */
  readonly on?: Partial<Record<Cue, Act | ((seen: Engagement, line: string) => Act | undefined)>>;
  /** EHLO lines; default PIPELINING, SIZE, AUTH and, in plain text, STARTTLS. */
  readonly capabilities?: readonly string[];
  /** TLS from the first byte. */
  readonly secure?: boolean;
  /** Disconnects after so many received bytes of commands and message. */
  readonly cutAfter?: number;
  /** Calls the function once after so many received bytes of a message, and continues to read. */
  readonly inMessage?: { readonly after: number; readonly act: Act };
  /** Writes one byte at a time. */
  readonly drip?: boolean;
  /** Listens on this address instead of 127.0.0.1. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
}

/** The record of one connection. */
export interface Engagement {
  /** Index among the connections, from 0. */
  readonly index: number;
  readonly commands: string[];
  /** Finished messages, without dot-stuffing. */
  readonly messages: string[];
  encrypted: boolean;
  closed: boolean;
}

/** A server with a script for each stage of a conversation, which records everything it receives. */
export class ScriptedSmtp {
  readonly seen: Engagement[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private script: SmtpScript,
  ) {}

  static async start(script: SmtpScript = {}): Promise<ScriptedSmtp> {
    const server = createServer({ noDelay: true });
    const scripted = new ScriptedSmtp(server, script);
    server.on('connection', (socket) => scripted.#accept(socket));
    await new Promise<void>((done) => server.listen(script.port ?? 0, script.host ?? '127.0.0.1', done));
    return scripted;
  }

  get secure(): boolean {
    return this.script.secure === true;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Messages of all connections whose final dot was received. */
  get messages(): string[] {
    return this.seen.flatMap(({ messages }) => messages);
  }

  get commands(): string[] {
    return this.seen.flatMap(({ commands }) => commands);
  }

  get open(): number {
    return this.seen.filter(({ closed }) => !closed).length;
  }

  /** Replaces the script. */
  follow(script: SmtpScript): void {
    this.script = script;
  }

  /** Sends text on all connections. */
  shout(line: string): void {
    for (const socket of this.#sockets) socket.write(`${line}\r\n`);
  }

  dropAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): Promise<void> {
    this.dropAll();
    return new Promise((done) => {
      this.server.close(() => done());
    });
  }

  #accept(socket: Socket): void {
    const seen: Engagement = { index: this.seen.length, commands: [], messages: [], encrypted: false, closed: false };
    this.seen.push(seen);
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      seen.closed = true;
      this.#sockets.delete(socket);
    });
    const conversation = new Conversation(seen, () => this.script);
    conversation.listen(socket);
    if (this.script.secure) conversation.encrypt();
    conversation.cue('CONNECT', '');
  }
}

const ORDINARY: Record<Exclude<Cue, 'EHLO'>, string> = {
  CONNECT: '220 mail.test ESMTP',
  HELO: '250 mail.test',
  STARTTLS: '220 2.0.0 go ahead',
  AUTH: '235 2.7.0 welcome',
  SASL: '235 2.7.0 welcome',
  MAIL: '250 2.1.0 sender ok',
  RCPT: '250 2.1.5 recipient ok',
  DATA: '354 go on',
  MESSAGE: '250 2.0.0 queued as 4711',
  RSET: '250 2.0.0 reset',
  QUIT: '221 2.0.0 bye',
};

class Conversation {
  #socket!: Socket;
  #wire!: Socket;
  #received = 0;
  #interrupted = false;
  #buffer = Buffer.alloc(0);
  #mode: 'command' | 'sasl' | 'message' | 'deaf' = 'command';

  constructor(
    private readonly seen: Engagement,
    private readonly script: () => SmtpScript,
  ) {}

  listen(socket: Socket): void {
    this.#socket = socket;
    this.#wire ??= socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#hear(chunk));
  }

  encrypt(): void {
    const socket = this.#socket;
    this.#wire = socket;
    socket.removeAllListeners('data');
    this.seen.encrypted = true;
    this.#buffer = Buffer.alloc(0);
    this.listen(new TLSSocket(socket, { isServer: true, cert: MAIL_CA, key: KEY }));
  }

  cue(cue: Cue, line: string): void {
    const scripted = this.script().on?.[cue];
    const act = (typeof scripted === 'function' ? scripted(this.seen, line) : scripted) ?? { say: this.#ordinary(cue) };
    const said = act.say === undefined ? '' : `${act.say.replaceAll('\n', '\r\n')}\r\n`;
    this.#say(said + (act.raw ?? ''));
    if (act.next) this.#leave(act.next);
    else if (cue === 'QUIT') this.#leave('drop');
    else if (cue === 'STARTTLS' && act.say?.startsWith('2') !== false) this.encrypt();
    else if (cue === 'DATA' && said.startsWith('3')) this.#mode = 'message';
    else if (cue === 'AUTH' || cue === 'SASL') this.#mode = said.startsWith('334') ? 'sasl' : 'command';
  }

  #ordinary(cue: Cue): string {
    if (cue !== 'EHLO') return ORDINARY[cue];
    const lines = this.script().capabilities ?? [
      'PIPELINING',
      'SIZE 20000000',
      'AUTH PLAIN LOGIN XOAUTH2',
      ...(this.seen.encrypted ? [] : ['STARTTLS']),
    ];
    return ['mail.test', ...lines].map((line, at) => `250${at === lines.length ? ' ' : '-'}${line}`).join('\n');
  }

  #hear(chunk: Buffer): void {
    const { cutAfter = Infinity } = this.script();
    const taken = chunk.subarray(0, Math.max(0, cutAfter - this.#received));
    this.#received += chunk.length;
    this.#buffer = Buffer.concat([this.#buffer, taken]);
    while (this.#mode !== 'deaf' && this.#next());
    if (this.#received >= cutAfter) this.#leave('drop');
  }

  #next(): boolean {
    return this.#mode === 'message' ? this.#message() : this.#line();
  }

  #line(): boolean {
    const end = this.#buffer.indexOf('\r\n');
    if (end < 0) return false;
    const line = this.#buffer.toString('utf8', 0, end);
    this.#buffer = this.#buffer.subarray(end + 2);
    if (this.#mode === 'sasl') this.cue('SASL', line);
    else {
      this.seen.commands.push(line);
      const verb = line.split(' ', 1)[0] as Cue;
      if (verb in ORDINARY || verb === 'EHLO') this.cue(verb, line);
      else this.#say('500 5.5.1 what?\r\n');
    }
    return true;
  }

  #message(): boolean {
    const { inMessage } = this.script();
    if (inMessage && !this.#interrupted && this.#buffer.length >= inMessage.after) {
      this.#interrupted = true;
      if (inMessage.act.say !== undefined) this.#say(`${inMessage.act.say}\r\n`);
      if (inMessage.act.next) this.#leave(inMessage.act.next);
    }
    // An empty message is only a dot.
    const empty = this.#buffer.indexOf('.\r\n') === 0;
    const end = empty ? 0 : this.#buffer.indexOf('\r\n.\r\n');
    if (end < 0 || this.#mode === 'deaf') return false;
    if (!empty) this.seen.messages.push(this.#buffer.toString('latin1', 0, end + 2).replace(/^\./gm, ''));
    this.#buffer = this.#buffer.subarray(end + (empty ? 3 : 5));
    this.#mode = 'command';
    this.cue('MESSAGE', '');
    return true;
  }

  #say(text: string): void {
    if (text === '' || this.#socket.destroyed) return;
    if (!this.script().drip) this.#socket.write(text);
    else for (const byte of Buffer.from(text)) this.#socket.write(Buffer.of(byte));
  }

  #leave(how: NonNullable<Act['next']>): void {
    this.#mode = 'deaf';
    if (how === 'stall') this.#socket.pause();
    if (how === 'drop') this.#socket.end(() => this.#socket.destroy());
    else if (how === 'reset') this.#wire.destroy();
  }
}
