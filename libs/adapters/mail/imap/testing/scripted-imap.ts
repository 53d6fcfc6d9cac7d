import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { fetchLine, ScriptedFolder } from './scripted-folder';

/** A command of the client: tag, name and arguments. */
export interface Asked {
  readonly tag: string;
  /** Upper case, with its UID: `UID FETCH`. */
  readonly command: string;
  readonly args: string;
  readonly connection: ScriptedConnection;
}

/** Intercepts a command. @returns whether it was handled */
export type Intercept = (asked: Asked) => boolean;

/** Sends untagged responses for a command without ever completing it. */
export function dripping(command: string): Intercept {
  return (asked) => {
    if (asked.command !== command) return false;
    const drip = setInterval(() => asked.connection.say('* OK Still at it'), 5);
    asked.connection.socket.once('close', () => clearInterval(drip));
    return true;
  };
}

const EVERYTHING = ['IMAP4rev1', 'IDLE', 'UIDPLUS', 'MOVE', 'ENABLE', 'SPECIAL-USE'];

/**
 * An IMAP server without encryption that a test scripts: missing extensions, invalid replies, lost connections. It handles all other
 * commands correctly.
 */
export class ScriptedImap {
  readonly folders = new Map(['INBOX', 'Junk', 'Sent'].map((path) => [path, new ScriptedFolder(path)]));
  readonly connections = new Set<ScriptedConnection>();
  /** All commands, without their tags. */
  readonly asked: string[] = [];
  capabilities: string[] = EVERYTHING;
  /** The reply to NAMESPACE: personal, other users' and shared namespaces. */
  namespaces = '(("" "/")) NIL NIL';
  readonly subscribed = new Set<string>();
  greeting: string | null = '* OK ready';
  intercept: Intercept = () => false;
  /** Number of connections so far. */
  connected = 0;
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<ScriptedImap> {
    const scripted = new ScriptedImap();
    const server = createServer((socket) => {
      scripted.connected += 1;
      const connection = new ScriptedConnection(scripted, socket);
      scripted.connections.add(connection);
      socket.on('close', () => scripted.connections.delete(connection));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    scripted.#server = server;
    scripted.#port = (server.address() as AddressInfo).port;
    return scripted;
  }

  get port(): number {
    return this.#port;
  }

  get inbox(): ScriptedFolder {
    return this.folder('INBOX');
  }

  folder(path: string): ScriptedFolder {
    const folder = this.folders.get(path);
    if (!folder) throw new Error(`The script has no folder ${path}`);
    return folder;
  }

  /** The number of times a command was received. */
  count(command: string): number {
    return this.asked.filter((line) => line.startsWith(command)).length;
  }

  cut(): void {
    for (const { socket } of this.connections) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server?.close();
    if (this.#server?.listening) await once(this.#server, 'close');
  }
}

export class ScriptedConnection {
  selected: ScriptedFolder | undefined;
  #buffer = Buffer.alloc(0);
  #literal: { line: string; missing: number } | undefined;
  #idleTag: string | undefined;

  constructor(
    private readonly script: ScriptedImap,
    readonly socket: Socket,
  ) {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    if (script.greeting !== null) this.say(script.greeting);
  }

  get isIdle(): boolean {
    return this.#idleTag !== undefined;
  }

  say(...lines: string[]): void {
    this.socket.write(lines.map((line) => `${line}\r\n`).join(''));
  }

  /** Sends the remaining text and disconnects. */
  end(text: string | Buffer): void {
    this.socket.end(text);
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      if (this.#literal) {
        const { line, missing } = this.#literal;
        if (this.#buffer.length < missing) return;
        const content = this.#buffer.subarray(0, missing).toString('latin1');
        this.#buffer = this.#buffer.subarray(missing);
        this.#literal = undefined;
        this.#line(line + content);
        continue;
      }
      const end = this.#buffer.indexOf('\r\n');
      if (end < 0) return;
      const line = this.#buffer.subarray(0, end).toString('latin1');
      this.#buffer = this.#buffer.subarray(end + 2);
      this.#line(line);
    }
  }

  #line(line: string): void {
    const literal = /\{(\d+)(\+?)\}$/.exec(line);
    if (literal) {
      this.#literal = { line: line.slice(0, literal.index), missing: Number(literal[1]) };
      if (literal[2] === '') this.say('+ go on');
      return;
    }
    if (this.#idleTag !== undefined && line.toUpperCase() === 'DONE') {
      this.say(`${this.#idleTag} OK IDLE ended`);
      this.#idleTag = undefined;
      return;
    }
    const [tag = '', first = '', ...rest] = line.split(' ');
    if (tag === '') return;
    const isUid = first.toUpperCase() === 'UID';
    const command = (isUid ? `UID ${rest.shift() ?? ''}` : first).toUpperCase();
    const args = rest.join(' ');
    this.script.asked.push(`${command} ${args}`.trim());
    const asked = { tag, command, args, connection: this };
    if (!this.script.intercept(asked)) this.#answer(asked);
  }

  #answer(asked: Asked): void {
    const { tag, command } = asked;
    const known = ANSWERS[command];
    if (command === 'IDLE') {
      this.#idleTag = tag;
      this.say('+ idling');
    } else if (known) {
      known(asked, this.script);
    } else {
      this.say(`${tag} BAD Unknown command`);
    }
  }
}

type Answer = (asked: Asked, script: ScriptedImap) => void;

const ok: Answer = ({ tag, connection, command }) => connection.say(`${tag} OK ${command} done`);

const select: Answer = (asked, script) => {
  const { tag, args, connection, command } = asked;
  const folder = script.folders.get(args.replaceAll('"', ''));
  connection.selected = folder;
  if (!folder) return connection.say(`${tag} NO [NONEXISTENT] There is no such folder`);
  connection.say(
    '* FLAGS (\\Seen \\Answered \\Flagged \\Deleted \\Draft)',
    '* OK [PERMANENTFLAGS (\\Seen \\Answered \\Flagged \\Deleted \\Draft \\*)] ok',
    `* ${folder.messages.length} EXISTS`,
    `* OK [UIDVALIDITY ${folder.uidValidity}] ok`,
    `* OK [UIDNEXT ${folder.uidNext}] ok`,
    `${tag} OK [${command === 'EXAMINE' ? 'READ-ONLY' : 'READ-WRITE'}] done`,
  );
};

const fetch: Answer = ({ tag, args, connection }) => {
  const [set = '', ...items] = args.split(' ');
  const folder = connection.selected;
  for (const message of folder?.inSet(set) ?? []) {
    connection.socket.write(fetchLine(folder as ScriptedFolder, message, items.join(' ')));
  }
  connection.say(`${tag} OK done`);
};

const search: Answer = ({ tag, args, connection }) => {
  const uid = /^UID (\S+)/.exec(args)?.[1] ?? '1:*';
  const id = /HEADER MESSAGE-ID "?(<[^"]*>)"?/.exec(args)?.[1];
  const found = (connection.selected?.inSet(uid) ?? []).filter(
    ({ raw, flags }) => (id === undefined || raw.includes(id)) && (!args.includes('DELETED') || flags.has('\\Deleted')),
  );
  connection.say(`* SEARCH ${found.map((message) => message.uid).join(' ')}`.trimEnd(), `${tag} OK done`);
};

const store: Answer = (asked) => {
  const [set = '', change = '', flags = ''] = asked.args.split(' ');
  for (const message of asked.connection.selected?.inSet(set) ?? []) {
    for (const flag of flags.replaceAll(/[()]/g, '').split(' ')) {
      if (change.startsWith('+')) message.flags.add(flag);
      else message.flags.delete(flag);
    }
  }
  ok(asked, undefined as never);
};

const place =
  (isMove: boolean): Answer =>
  ({ tag, args, connection }, script) => {
    const [set = '', path = ''] = args.split(' ');
    const folder = script.folders.get(path.replaceAll('"', ''));
    if (!folder) return connection.say(`${tag} NO [TRYCREATE] There is no such folder`);
    const pairs = (connection.selected?.inSet(set) ?? []).map(({ uid, raw }) => [uid, folder.add(raw).uid] as const);
    const [from, to] = [pairs.map(([uid]) => uid).join(','), pairs.map(([, uid]) => uid).join(',')];
    const code = script.capabilities.includes('UIDPLUS') ? `[COPYUID ${folder.uidValidity} ${from} ${to}] ` : '';
    for (const [uid] of isMove ? pairs : []) connection.selected?.remove(uid);
    connection.say(`${tag} OK ${code}done`);
  };

const expunge: Answer = (asked) => {
  const { selected } = asked.connection;
  const set = asked.command === 'EXPUNGE' ? '1:*' : asked.args;
  for (const { uid, flags } of selected?.inSet(set) ?? []) if (flags.has('\\Deleted')) selected?.remove(uid);
  ok(asked, undefined as never);
};

const append: Answer = ({ tag, args, connection }, script) => {
  const [, path = '', flags = '', raw = ''] = /^(\S+) (?:\(([^)]*)\) )?([^]*)$/.exec(args) ?? [];
  const folder = script.folder(path.replaceAll('"', ''));
  const { uid } = folder.add(Buffer.from(raw, 'latin1'), { flags: flags.split(' ') });
  const code = script.capabilities.includes('UIDPLUS') ? `[APPENDUID ${folder.uidValidity} ${uid}] ` : '';
  connection.say(`${tag} OK ${code}done`);
};

const create: Answer = ({ tag, args, connection }, { folders }) => {
  const path = args.replaceAll('"', '');
  if (folders.has(path)) return connection.say(`${tag} NO [ALREADYEXISTS] It is there already`);
  folders.set(path, new ScriptedFolder(path));
  connection.say(`${tag} OK done`);
};

const list: Answer = ({ tag, args, connection }, { folders, namespaces }) => {
  const pattern = args.split(' ').at(-1)?.replaceAll('"', '') ?? '';
  const separator = /^\(\("[^"]*" ("[^"]*"|NIL)/.exec(namespaces)?.[1] ?? 'NIL';
  const paths = [...folders.keys()].filter((path) => pattern.endsWith('*') || pattern === path);
  const lines = paths.map((path) => `* LIST (${path === 'INBOX' ? '' : `\\${path}`}) ${separator} ${path}`);
  connection.say(...(pattern === '' ? ['* LIST (\\Noselect) "/" ""'] : lines), `${tag} OK done`);
};

const ANSWERS: Readonly<Record<string, Answer>> = {
  CAPABILITY: ({ tag, connection }, { capabilities }) =>
    connection.say(`* CAPABILITY ${capabilities.join(' ')}`, `${tag} OK done`),
  LOGIN: ok,
  NAMESPACE: ({ tag, connection }, { namespaces }) => connection.say(`* NAMESPACE ${namespaces}`, `${tag} OK done`),
  ENABLE: ok,
  NOOP: ok,
  CHECK: ok,
  STATUS: ok,
  LIST: list,
  CREATE: create,
  SUBSCRIBE: (asked, { subscribed }) => (subscribed.add(asked.args.replaceAll('"', '')), ok(asked, undefined as never)),
  LSUB: ok,
  SELECT: select,
  EXAMINE: select,
  'UID FETCH': fetch,
  'UID SEARCH': search,
  'UID STORE': store,
  'UID COPY': place(false),
  'UID MOVE': place(true),
  EXPUNGE: expunge,
  'UID EXPUNGE': expunge,
  APPEND: append,
  LOGOUT: ({ tag, connection }) => connection.end(`* BYE bye\r\n${tag} OK done\r\n`),
};
