import { parseFields } from './header-block';
import { findAddress } from './recipient-address';

/** What a report says of one recipient (RFC 3464, 2.3; RFC 6533). */
export interface DeliveryStatus {
  /** Empty when the report names nobody that could be written to. */
  readonly address: string;
  /** As it was given to the reporting server, before aliases and forwarding. */
  readonly originalAddress: string | null;
  readonly action: Action | null;
  /** `5.1.1`, without the comment. */
  readonly status: string | null;
  /** Without its type; with the status's comment where there is nothing else. */
  readonly diagnostic: string;
  readonly remoteMta: string | null;
}

export type Action = 'failed' | 'delayed' | 'delivered';

const MOST_RECIPIENTS = 200;

const ACTIONS: readonly [RegExp, Action][] = [
  [/^(?:fail|expired|denied|rejected|undeliver|hard|error|bounce)/i, 'failed'],
  [/^(?:delay|defer|warning|queued)/i, 'delayed'],
  [/^(?:deliver|relay|expand|success)/i, 'delivered'],
];

/** Reads the text of a report, however its groups are parted: by empty lines, by nothing, by lines that belong to no field. */
export function readDeliveryStatus(text: string): DeliveryStatus[] {
  const found: DeliveryStatus[] = [];
  for (const block of text.split(/\n[ \t]*(?:\n[ \t]*)+/, 4 * MOST_RECIPIENTS)) {
    for (const group of groupsOf(block)) {
      if (!hasRecipient(group)) continue;
      found.push(statusOf(group));
      if (found.length >= MOST_RECIPIENTS) return found;
    }
  }
  return found;
}

type Group = Map<string, string>;

/** A second Final-Recipient begins another group even where the empty line is missing. */
function groupsOf(block: string): Group[] {
  const groups: Group[] = [];
  let group: Group = new Map();
  for (const [name, value] of parseFields(block.replace(/^\s{1,99}(?=\S)/, ''))) {
    const key = name.toLowerCase();
    if (key === 'final-recipient' && group.has(key)) {
      groups.push(group);
      group = new Map();
    }
    if (!group.has(key)) group.set(key, value);
  }
  return [...groups, group];
}

function hasRecipient(group: Group): boolean {
  return (
    group.has('final-recipient') || (group.has('original-recipient') && (group.has('status') || group.has('action')))
  );
}

function statusOf(group: Group): DeliveryStatus {
  const originalAddress = findAddress(untyped(group.get('original-recipient')));
  const actual = findAddress(untyped(group.get('x-actual-recipient')));
  const final = findAddress(untyped(group.get('final-recipient')));
  const said = group.get('action') ?? '';
  const status = group.get('status') ?? '';
  const diagnostic = untyped(group.get('diagnostic-code'));
  const more = group.get('x-supplementary-info') ?? '';
  const comment = /\(([^)]{3,400})\)?/.exec(status)?.[1] ?? '';
  return {
    address: final ?? originalAddress ?? actual ?? '',
    originalAddress,
    action: ACTIONS.find(([pattern]) => pattern.test(said.trim()))?.[1] ?? null,
    status: /[245]\.\d{1,3}\.\d{1,3}/.exec(status)?.[0] ?? null,
    diagnostic: [diagnostic, more, diagnostic === '' ? comment : ''].filter((text) => text !== '').join(' '),
    remoteMta: untyped(group.get('remote-mta')).split(/\s/, 1)[0] || null,
  };
}

/** Without the type of an address, a name or a diagnostic: `rfc822;`, `dns;`, `smtp;`. */
function untyped(value: string | undefined): string {
  return (value ?? '').replace(/^\s{0,9}[\w.-]{1,24}\s{0,9};/, '').trim();
}
