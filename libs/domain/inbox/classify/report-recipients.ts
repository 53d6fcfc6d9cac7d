import { type Notification } from './notification';
import { type ParsedMail } from './parsed-mail';
import { getAddresses, addressIn, addressInReturnPath, isSameAddress, unrewritten } from './recipient-address';

/** A recipient that a report names, with the lines that belong to it. */
export interface Named {
  readonly address: string;
  /** Empty where the report has no lines of its own for it. */
  readonly text: string;
}

const MOST_RECIPIENTS = 100;

const AN_ADDRESS = String.raw`["'<([]{0,2}[^\s"'<>()[\]:;,]{1,64}@[^\s"'<>()[\]:;,]{3,255}`;

/** Where a line names a recipient, by what is said most clearly. The address is the first behind the pattern's beginning. */
const NAMING: readonly RegExp[] = [
  // The address begins its line, alone or with what is said of it behind: qmail, Exim, Postfix, Exchange, most others.
  new RegExp(
    String.raw`^\s{0,16}(?:[*•·>-]{1,3}\s{1,4})?${AN_ADDRESS}["'>)\]]{0,2}\s{0,4}(?:$|[:;,.([=-]|on\s|failed|invalid|because)`,
    'i',
  ),
  // Words in front of it that can only be about a recipient.
  new RegExp(
    String.raw`(?<![\w.@-])(?:recipients?(?: address)?|original address|rcpt to|undeliverable(?: address| to)?|deliver(?:ed|y)?(?: (?:of )?(?:message|mail|e-?mail))? (?:to|for)|(?:message|mail) to|unknown (?:user|host)|allowed size|delivery userid|error-for|address|user|for|smtp)\s{0,3}[:;=<[\s]\s{0,3}(?:(?:rfc822|smtp)[;:=]\s{0,3})?${AN_ADDRESS}`,
    'i',
  ),
  // An answer of a server that repeats it.
  /(?:^|[\s<])[45]\d\d[ -].{0,80}@|@[^\s]{3,255}>?\.{3}|\[[^\]]{3,100}\]\s*$|is full: </,
  // What is told of the returned message's header.
  new RegExp(String.raw`^\s{0,16}(?:to|rcpt to)\s{0,3}:\s{0,8}${AN_ADDRESS}`, 'i'),
];

/** Fields of the returned message, told by the report: they name the sender as well. */
const TOLD_FIELD = /^\s{0,16}(?:to|cc|from|subject|sent|date|reply-to|mail from|sender|message-id)\s{0,3}:/i;

const NOBODY = /^(?:postmaster|mailer-daemon|mail-daemon|abuse|support|helpdesk|admin|hostmaster|noreply|no-reply)@/i;

/** Whom a report is about. */
export function namedIn(mail: ParsedMail, { text, returned }: Notification): Named[] {
  const lines = text.split('\n');
  const failed = unique(getAddresses(mail.headers.getAll('x-failed-recipients').join(', ')));
  if (failed.length > 0) return withLines(failed.slice(0, MOST_RECIPIENTS), lines);
  const isOther = others(mail, returned?.from?.address ?? null);
  for (const [at, pattern] of NAMING.entries()) {
    const found = lines.map((line) => (at < 3 && TOLD_FIELD.test(line) ? null : namedBy(pattern, line)));
    const addresses = unique(found.filter((address) => address !== null)).filter(
      (each) => !isOther(each) && !NOBODY.test(each),
    );
    if (addresses.length > 0) return withLines(addresses.slice(0, MOST_RECIPIENTS), lines);
  }
  const to = returned?.to.map(({ address }) => address) ?? [];
  return withLines(guessed(mail, lines, to, isOther), lines);
}

function namedBy(pattern: RegExp, line: string): string | null {
  if (!line.includes('@')) return null;
  const short = line.slice(0, 500);
  const found = pattern.exec(short);
  return found ? addressIn(short.slice(found.index)) : null;
}

/** Addresses that are ours, or the reporting server's. */
function others(mail: ParsedMail, returnedFrom: string | null): (address: string) => boolean {
  const named = [...mail.to.map(({ address }) => address), mail.from?.address ?? '', returnedFrom ?? ''];
  const rewritten = named.map(unrewritten).filter((address) => address !== null);
  return (address) => [...named, ...rewritten].some((other) => isSameAddress(other, address));
}

/** The recipients of what was returned, the return path that we made for each, or an address that nothing else explains. */
function guessed(
  mail: ParsedMail,
  lines: readonly string[],
  to: readonly string[],
  isOther: (address: string) => boolean,
): string[] {
  const returnedTo = unique(to.filter((address) => address.includes('@'))).slice(0, MOST_RECIPIENTS);
  if (returnedTo.length === 1) return returnedTo;
  const { headers } = mail;
  const paths = [
    ...mail.to.map(({ address }) => address),
    headers.get('delivered-to') ?? '',
    headers.get('x-original-to') ?? '',
  ];
  const path = paths.map(addressInReturnPath).find((address) => address !== null);
  if (path) return [path];
  if (returnedTo.length > 1) return returnedTo;
  const mentioned = unique(getAddresses(lines.join('\n').slice(0, 8_192)));
  return mentioned.filter((each) => !isOther(each) && !NOBODY.test(each)).slice(0, 1);
}

/** What stands from the line that names a recipient to the line that names another. */
function withLines(addresses: readonly string[], lines: readonly string[]): Named[] {
  const texts = new Map<string, string[]>(addresses.map((address) => [address.toLowerCase(), []]));
  let owner: string[] | undefined;
  for (const line of lines) {
    if (line.includes('@'))
      owner =
        texts.get(
          getAddresses(line.slice(0, 500))
            .find((each) => texts.has(each.toLowerCase()))
            ?.toLowerCase() ?? '',
        ) ?? owner;
    owner?.push(line);
  }
  return addresses.map((address) => ({ address, text: texts.get(address.toLowerCase())?.join('\n') ?? '' }));
}

function unique(addresses: readonly string[]): string[] {
  const seen = new Set<string>();
  return addresses.filter((address) => {
    const key = address.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
