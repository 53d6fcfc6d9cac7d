/** A message of the scripted server. */
export interface ScriptedMessage {
  readonly uid: number;
  readonly raw: Buffer;
  readonly flags: Set<string>;
  readonly receivedAt: Date;
}

/** A folder of the scripted server: a list of messages that tests can change. */
export class ScriptedFolder {
  uidValidity = 7;
  uidNext = 1;
  messages: ScriptedMessage[] = [];

  constructor(readonly path: string) {}

  add(raw: Buffer | string, options: { flags?: string[]; receivedAt?: Date } = {}): ScriptedMessage {
    const { flags = [], receivedAt = new Date('2026-11-20T10:00:00Z') } = options;
    const message = { uid: this.uidNext++, raw: Buffer.from(raw), flags: new Set(flags), receivedAt };
    this.messages.push(message);
    return message;
  }

  remove(uid: number): void {
    this.messages = this.messages.filter((message) => message.uid !== uid);
  }

  /** Messages of a sequence set of UIDs; `n:*` includes the last message for any n (RFC 3501, 6.4.8). */
  inSet(set: string): ScriptedMessage[] {
    const last = this.messages.at(-1)?.uid ?? 0;
    const ranges = set.split(',').map((part) => {
      const ends = part.split(':').map((end) => (end === '*' ? last : Number(end)));
      return [Math.min(...ends), Math.max(...ends)] as const;
    });
    return this.messages.filter(({ uid }) => ranges.some(([low, high]) => uid >= low && uid <= high));
  }

  sequenceOf(uid: number): number {
    return this.messages.findIndex((message) => message.uid === uid) + 1;
  }
}

/** One FETCH response about a message, with the requested items. */
export function fetchLine(folder: ScriptedFolder, message: ScriptedMessage, items: string): Buffer {
  const parts: Buffer[] = [Buffer.from(`* ${folder.sequenceOf(message.uid)} FETCH (UID ${message.uid}`)];
  const say = (text: string) => parts.push(Buffer.from(text));
  if (items.includes('FLAGS')) say(` FLAGS (${[...message.flags].join(' ')})`);
  if (items.includes('INTERNALDATE')) say(` INTERNALDATE "${internalDate(message.receivedAt)}"`);
  if (items.includes('RFC822.SIZE')) say(` RFC822.SIZE ${message.raw.length}`);
  if (items.includes('BODYSTRUCTURE')) say(' BODYSTRUCTURE ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 10 1 NIL NIL NIL NIL)');
  const section = /BODY\.PEEK\[([^\]]*)\](?:<(\d+)\.(\d+)>)?/.exec(items);
  if (section) {
    const [, name = '', from = '0', length = String(message.raw.length)] = section;
    const whole = name.startsWith('HEADER') ? headerOf(message.raw) : message.raw;
    const content = whole.subarray(Number(from), Number(from) + Number(length));
    say(` BODY[${name}]<${from}> {${content.length}}\r\n`);
    parts.push(content);
  }
  say(')\r\n');
  return Buffer.concat(parts);
}

function headerOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  return end < 0 ? raw : raw.subarray(0, end + 4);
}

function internalDate(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(/,? /);
  return `${day}-${month}-${year} ${time} +0000`;
}
