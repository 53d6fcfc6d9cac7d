import { type Notification } from './notification';
import { type ParsedMail } from './parsed-mail';
import {
  listAddresses,
  findAddress,
  findReturnPathRecipient,
  isSameAddress,
  parseSrsAddress,
} from './recipient-address';

/** A recipient in a report, with its lines. */
export interface NamedRecipient {
  readonly address: string;
  /** Empty when the report has no lines of its own for it. */
  readonly text: string;
}

const MAX_RECIPIENTS = 100;

const AN_ADDRESS = String.raw`["'<([]{0,2}[^\s"'<>()[\]:;,]{1,64}@[^\s"'<>()[\]:;,]{3,255}`;

/** Lines that name a recipient, the clearest forms first. The address is the first after the start of the match. */
const NAMING: readonly RegExp[] = [
  // The address begins its line, alone or before an explanation: qmail, Exim, Postfix, Exchange, most others.
  new RegExp(
    String.raw`^\s{0,16}(?:[*•·>-]{1,3}\s{1,4})?${AN_ADDRESS}["'>)\]]{0,2}\s{0,4}(?:$|[:;,.([=-]|on\s|failed|invalid|because)`,
    'i',
  ),
  // A phrase that can only introduce a recipient.
  new RegExp(
    String.raw`(?<![\w.@-])(?:recipients?(?: address)?|original address|rcpt to|undeliverable(?: address| to)?|deliver(?:ed|y)?(?: (?:of )?(?:message|mail|e-?mail))? (?:to|for)|(?:message|mail) to|unknown (?:user|host)|allowed size|delivery userid|error-for|address|user|for|smtp)\s{0,3}[:;=<[\s]\s{0,3}(?:(?:rfc822|smtp)[;:=]\s{0,3})?${AN_ADDRESS}`,
    'i',
  ),
  // A server's answer that repeats the address.
  /(?:^|[\s<])[45]\d\d[ -].{0,80}@|@[^\s]{3,255}>?\.{3}|\[[^\]]{3,100}\]\s*$|is full: </,
  // Copied header of the returned message.
  new RegExp(String.raw`^\s{0,16}(?:to|rcpt to)\s{0,3}:\s{0,8}${AN_ADDRESS}`, 'i'),
];

/** Header fields that the report copies from the returned message: they name the sender as well. */
const COPIED_FIELD = /^\s{0,16}(?:to|cc|from|subject|sent|date|reply-to|mail from|sender|message-id)\s{0,3}:/i;

const NO_RECIPIENT =
  /^(?:postmaster|mailer-daemon|mail-daemon|abuse|support|helpdesk|admin|hostmaster|noreply|no-reply)@/i;

/** Lists the recipients that a report is about. */
export function listNamedRecipients(mail: ParsedMail, { text, returned }: Notification): NamedRecipient[] {
  const lines = text.split('\n');
  const failed = unique(listAddresses(mail.headers.getAll('x-failed-recipients').join(', ')));
  if (failed.length > 0) return withLines(failed.slice(0, MAX_RECIPIENTS), lines);
  const isOther = createOwnAddressTest(mail, returned?.from?.address ?? null);
  for (const [at, pattern] of NAMING.entries()) {
    const found = lines.map((line) => (at < 3 && COPIED_FIELD.test(line) ? null : findNamed(pattern, line)));
    const addresses = unique(found.filter((address) => address !== null)).filter(
      (each) => !isOther(each) && !NO_RECIPIENT.test(each),
    );
    if (addresses.length > 0) return withLines(addresses.slice(0, MAX_RECIPIENTS), lines);
  }
  const to = returned?.to.map(({ address }) => address) ?? [];
  return withLines(guessRecipients(mail, lines, to, isOther), lines);
}

function findNamed(pattern: RegExp, line: string): string | null {
  if (!line.includes('@')) return null;
  const short = line.slice(0, 500);
  const found = pattern.exec(short);
  return found ? findAddress(short.slice(found.index)) : null;
}

/** Recognises own addresses and those of the reporting server. */
function createOwnAddressTest(mail: ParsedMail, returnedFrom: string | null): (address: string) => boolean {
  const named = [...mail.to.map(({ address }) => address), mail.from?.address ?? '', returnedFrom ?? ''];
  const rewritten = named.map(parseSrsAddress).filter((address) => address !== null);
  return (address) => [...named, ...rewritten].some((other) => isSameAddress(other, address));
}

/** Guesses by the recipients of the returned message, by our VERP return path, or by a mentioned address. */
function guessRecipients(
  mail: ParsedMail,
  lines: readonly string[],
  to: readonly string[],
  isOther: (address: string) => boolean,
): string[] {
  const returnedTo = unique(to.filter((address) => address.includes('@'))).slice(0, MAX_RECIPIENTS);
  if (returnedTo.length === 1) return returnedTo;
  const { headers } = mail;
  const paths = [
    ...mail.to.map(({ address }) => address),
    headers.get('delivered-to') ?? '',
    headers.get('x-original-to') ?? '',
  ];
  const path = paths.map(findReturnPathRecipient).find((address) => address !== null);
  if (path) return [path];
  if (returnedTo.length > 1) return returnedTo;
  const mentioned = unique(listAddresses(lines.join('\n').slice(0, 8_192)));
  return mentioned.filter((each) => !isOther(each) && !NO_RECIPIENT.test(each)).slice(0, 1);
}

/** Assigns to each recipient the lines from the one that names it to the next named recipient. */
function withLines(addresses: readonly string[], lines: readonly string[]): NamedRecipient[] {
  const texts = new Map<string, string[]>(addresses.map((address) => [address.toLowerCase(), []]));
  let owner: string[] | undefined;
  for (const line of lines) {
    if (line.includes('@'))
      owner =
        texts.get(
          listAddresses(line.slice(0, 500))
            .find((each) => texts.has(each.toLowerCase()))
            ?.toLowerCase() ?? '',
        ) ?? owner;
    owner?.push(line);
  }
  return addresses.map((address) => ({ address, text: texts.get(address.toLowerCase())?.join('\n') ?? '' }));
}

function unique(addresses: readonly string[]): string[] {
  const keys = new Set<string>();
  return addresses.filter((address) => {
    const key = address.toLowerCase();
    return !keys.has(key) && keys.add(key);
  });
}
