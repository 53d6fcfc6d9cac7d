import { type Socket } from 'node:net';
import { type FetchMessageObject, type ImapAttribute, type ImapFlow, type ImapResponse } from 'imapflow';
import { encodePath, formatMessageResponse, normalizePath } from 'imapflow/lib/tools.js';
import { type MailboxObject, type MessageStructureObject } from 'imapflow';
import { MailError } from '../port/mail.errors';
import { type UidRange, getRanges } from './uid-ranges';

/** A part of a command for imapflow's compiler. */
export type Token = string | { type: string; value?: string | Buffer; section?: Token[]; partial?: number[] } | Token[];

type Untagged = Record<string, (response: ImapResponse) => Promise<void> | void>;

/**
 * The command layer of imapflow. Its public methods convert a server's NO to `false` without the text, and cannot FETCH header fields
 * partially. This layer is internal to imapflow, so its version is pinned and the specs here check it.
 */
interface Executor {
  exec(
    command: string,
    attributes: Token[] | false,
    options?: { untagged?: Untagged },
  ): Promise<{ response: ImapResponse; next(): void }>;
}

/** A folder as it was when it was selected. */
export interface SelectedFolder {
  readonly path: string;
  readonly uidValidity: string;
  /** UIDNEXT: above all UIDs of the folder; null when the server does not report it. */
  readonly uidNext: number | null;
  readonly exists: number;
  /** null without CONDSTORE. */
  readonly modseq: bigint | null;
}

export type Fetched = FetchMessageObject;
export type Structure = MessageStructureObject;

/** IMAP commands on one connection, one at a time. Failures are imapflow's errors, which `getMailError` understands. */
export class ImapCommands {
  /** The running or last command, for messages. */
  command: string | undefined;
  /** Set before a command that must not be repeated when its response is lost. */
  committed = false;
  /** Set when the task must fail with the connection instead of restarting on another one. */
  settled = false;

  constructor(readonly client: ImapFlow) {}

  /** The hierarchy separator of paths; null when the server has one level or does not report it. */
  get separator(): string | null {
    return this.client.namespace?.delimiter ?? null;
  }

  /** Path of a folder at the top of the owner's namespace (RFC 2342): some servers have all folders below the inbox. */
  topLevel(name: string): string {
    return normalizePath(this.client, name);
  }

  has(capability: 'MOVE' | 'UIDPLUS' | 'IDLE'): boolean {
    return this.client.capabilities.has(capability);
  }

  /** Whether a folder reports vanished messages since a mod-sequence (RFC 7162). */
  get reportsVanished(): boolean {
    return this.client.enabled.has('QRESYNC');
  }

  /** Opens a folder; `read` opens it read-only. */
  async select(path: string, mode: 'read' | 'write'): Promise<SelectedFolder> {
    this.command = mode === 'read' ? 'EXAMINE' : 'SELECT';
    const box = await this.client.mailboxOpen(path, { readOnly: mode === 'read' });
    // Both are required by RFC 3501; without UIDVALIDITY no stored data of the folder is reliable.
    if (typeof box.uidValidity !== 'bigint') {
      throw new MailError({
        failure: 'temporary',
        stage: 'request',
        message: 'The IMAP server returns no UIDVALIDITY',
      });
    }
    return {
      path: box.path,
      uidValidity: box.uidValidity.toString(),
      uidNext: typeof box.uidNext === 'number' ? box.uidNext : null,
      exists: box.exists ?? 0,
      modseq: box.noModseq || !this.client.enabled.has('CONDSTORE') ? null : (box.highestModseq ?? null),
    };
  }

  /**
   * The UIDVALIDITY of a folder that is already open in a sufficient mode; null when it has to be selected. As long as a folder is selected
   * its UIDs stay what they are (RFC 3501, section 2.3.1.1), but the server may not have reported the newest messages.
   */
  opened(path: string, mode: 'read' | 'write'): string | null {
    const { mailbox } = this.client;
    if (!mailbox || mailbox.path !== path || (mode === 'write' && mailbox.readOnly)) return null;
    return typeof mailbox.uidValidity === 'bigint' ? mailbox.uidValidity.toString() : null;
  }

  async noop(): Promise<void> {
    this.command = 'NOOP';
    await this.client.noop();
  }

  /**
   * Sets the allowed silence in milliseconds, as for IDLE; null: the timeout of a pending response. Otherwise imapflow would probe a silent
   * connection at the interval of its timeout, which ends IDLE each time.
   */
  expectSilence(ms: number | null): void {
    const { socket, socketTimeout } = this.client as unknown as { socket: Socket | null; socketTimeout: number };
    socket?.setTimeout(ms ?? socketTimeout);
  }

  /** UIDs in ascending order that meet the criteria; null when the server's list could not be read. */
  async search(criteria: Token[]): Promise<number[] | null> {
    const found = new Set<number>();
    let readable = false;
    await this.run('UID SEARCH', criteria, {
      SEARCH: ({ attributes = [] }) => {
        readable = true;
        for (const attribute of attributes) {
          const uid = Number(decodeText(attribute));
          if (Number.isSafeInteger(uid) && uid > 0) found.add(uid);
          // `(MODSEQ n)` may follow where CONDSTORE is on.
          else if (!Array.isArray(attribute)) readable = false;
        }
      },
    });
    return readable ? [...found].sort((a, b) => a - b) : null;
  }

  /** Existing UIDs of a range. A lost or unreadable list is not treated as empty: then the UID of each message is requested. */
  async uidsIn(low: number, high: number, criteria: Token[] = []): Promise<number[]> {
    const range = `${low}:${high}`;
    const listed = await this.search([toAtom('UID'), toSequence(range), ...criteria]);
    const uids = listed ?? [...(await this.fetch(range, [toAtom('UID')])).keys()];
    // Some servers expect the lower end of a range first.
    return uids.filter((uid) => uid >= low && uid <= high).sort((a, b) => a - b);
  }

  /** The server's responses about messages, by UID, without missing or unreadable ones. */
  async fetch(set: string, items: Token[], options: { changedSince?: bigint } = {}): Promise<Map<number, Fetched>> {
    return (await this.fetchChanges(set, items, options)).fetched;
  }

  /** As `fetch`, with the UIDs that vanished since, where the server reports them (`reportsVanished`). */
  async fetchChanges(
    set: string,
    items: Token[],
    { changedSince }: { changedSince?: bigint } = {},
  ): Promise<{ fetched: Map<number, Fetched>; vanished: readonly UidRange[] }> {
    const fetched = new Map<number, Fetched>();
    const vanished: UidRange[] = [];
    const modifiers =
      changedSince === undefined
        ? []
        : [
            [
              toAtom('CHANGEDSINCE'),
              toAtom(String(changedSince)),
              ...(this.reportsVanished ? [toAtom('VANISHED')] : []),
            ],
          ];
    await this.run('UID FETCH', [toSequence(set), items, ...modifiers], {
      FETCH: async (response) => {
        const message = await formatMessageResponse(response, this.client.mailbox as MailboxObject);
        if (message.uid) fetched.set(message.uid, { ...fetched.get(message.uid), ...message });
      },
      VANISHED: ({ attributes = [] }) => {
        vanished.push(...getRanges(decodeText(attributes.at(-1))));
      },
    });
    return { fetched, vanished };
  }

  async fetchOne(uid: number, items: Token[]): Promise<Fetched | undefined> {
    return (await this.fetch(String(uid), items)).get(uid);
  }

  async store(uid: number, change: '+FLAGS.SILENT' | '-FLAGS.SILENT', flag: string): Promise<void> {
    await this.run('UID STORE', [toSequence(String(uid)), toAtom(change), [toAtom(flag)]]);
  }

  /** imapflow's own method would drop the server's reply to SUBSCRIBE. */
  async create(path: string): Promise<void> {
    await this.run('CREATE', [this.folder(path)]);
  }

  async subscribe(path: string): Promise<void> {
    await this.run('SUBSCRIBE', [this.folder(path)]);
  }

  /** Removes one message marked \Deleted, and no other (RFC 4315). */
  async expunge(uid: number): Promise<void> {
    await this.run('UID EXPUNGE', [toSequence(String(uid))]);
  }

  /** @returns `<uidValidity>:<uid>` of the copy where the server returns it (UIDPLUS), else null */
  async moveOrCopy(command: 'UID MOVE' | 'UID COPY', uid: number, folder: string): Promise<string | null> {
    let copy: string | null = null;
    const readCode = (response: ImapResponse): void => {
      copy ??= copyBuffer(response, uid);
    };
    const response = await this.run(command, [toSequence(String(uid)), this.folder(folder)], { OK: readCode });
    readCode(response);
    return copy;
  }

  /** @returns as `moveOrCopy` */
  async append(folder: string, raw: Buffer, flags: readonly string[]): Promise<string | null> {
    const list = flags.map((flag) => toAtom(flag));
    const { attributes } = await this.run('APPEND', [this.folder(folder), list, { type: 'LITERAL', value: raw }]);
    const [code, uidValidity, uid] = getSection(attributes?.[0]);
    return code?.toUpperCase() === 'APPENDUID' && isNumber(uidValidity) && isNumber(uid)
      ? `${uidValidity}:${uid}`
      : null;
  }

  async run(command: string, attributes: Token[], untagged: Untagged = {}): Promise<ImapResponse> {
    this.command = command;
    const answer = await (this.client as unknown as Executor).exec(command, attributes, { untagged });
    answer.next();
    return answer.response;
  }

  folder(path: string): Token {
    const encoded = encodePath(this.client, normalizePath(this.client, path));
    return { type: encoded.includes('&') ? 'STRING' : 'ATOM', value: encoded };
  }
}

export function toAtom(value: string): Token {
  return { type: 'ATOM', value };
}

export function toTextToken(value: string): Token {
  return { type: 'STRING', value };
}

function toSequence(value: string): Token {
  return { type: 'SEQUENCE', value };
}

/** `BODY.PEEK[...]`, which leaves a message unread, from a byte on. */
export function toPeekItem(section: Token[], from: number, length: number): Token {
  return { type: 'ATOM', value: 'BODY.PEEK', section, partial: [from, length] };
}

function decodeText(attribute: ImapAttribute | undefined): string {
  const value = attribute?.value;
  return value === undefined || value === null ? '' : String(value);
}

function getSection(attribute: ImapAttribute | undefined): string[] {
  return (attribute?.section ?? []).map(decodeText);
}

/** `[COPYUID uidvalidity source-uids destination-uids]`, RFC 4315. */
function copyBuffer({ attributes }: ImapResponse, uid: number): string | null {
  const [code, uidValidity, from, to] = getSection(attributes?.[0]);
  if (code?.toUpperCase() !== 'COPYUID' || from !== String(uid)) return null;
  return isNumber(uidValidity) && isNumber(to) ? `${uidValidity}:${to}` : null;
}

function isNumber(value: string | undefined): boolean {
  return value !== undefined && /^[1-9]\d{0,9}$/.test(value);
}
