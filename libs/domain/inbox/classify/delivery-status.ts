import { parseFields } from './header-block';
import { findAddress } from './recipient-address';

/** The status of one recipient in a report (RFC 3464, 2.3; RFC 6533). */
export interface DeliveryStatus {
  /** Empty when the report names no valid address. */
  readonly address: string;
  /** As submitted to the reporting server, before aliases and forwarding. */
  readonly originalAddress: string | null;
  readonly action: Action | null;
  /** `5.1.1`, without the comment. */
  readonly status: string | null;
  /** Without its type; falls back to the comment of the status. */
  readonly diagnostic: string;
  readonly remoteMta: string | null;
}

export type Action = 'failed' | 'delayed' | 'delivered';

const MAX_RECIPIENTS = 200;

const ACTIONS: readonly [RegExp, Action][] = [
  [/^(?:fail|expired|denied|rejected|undeliver|hard|error|bounce)/i, 'failed'],
  [/^(?:delay|defer|warning|queued)/i, 'delayed'],
  [/^(?:deliver|relay|expand|success)/i, 'delivered'],
];

/** Reads a report; tolerates missing empty lines and stray lines between its groups. */
export function readDeliveryStatus(text: string): DeliveryStatus[] {
  const found: DeliveryStatus[] = [];
  for (const block of text.split(/\n[ \t]*(?:\n[ \t]*)+/, 4 * MAX_RECIPIENTS)) {
    for (const group of splitGroups(block)) {
      if (!hasRecipient(group)) continue;
      found.push(toStatus(group));
      if (found.length >= MAX_RECIPIENTS) return found;
    }
  }
  return found;
}

type Group = Map<string, string>;

/** A second Final-Recipient begins a new group even without an empty line. */
function splitGroups(block: string): Group[] {
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

function toStatus(group: Group): DeliveryStatus {
  const originalAddress = findAddress(removeType(group.get('original-recipient')));
  const actual = findAddress(removeType(group.get('x-actual-recipient')));
  const final = findAddress(removeType(group.get('final-recipient')));
  const actionText = group.get('action') ?? '';
  const status = group.get('status') ?? '';
  const diagnostic = removeType(group.get('diagnostic-code'));
  const more = group.get('x-supplementary-info') ?? '';
  const comment = /\(([^)]{3,400})\)?/.exec(status)?.[1] ?? '';
  return {
    address: final ?? originalAddress ?? actual ?? '',
    originalAddress,
    action: ACTIONS.find(([pattern]) => pattern.test(actionText.trim()))?.[1] ?? null,
    status: /[245]\.\d{1,3}\.\d{1,3}/.exec(status)?.[0] ?? null,
    diagnostic: [diagnostic, more, diagnostic === '' ? comment : ''].filter((text) => text !== '').join(' '),
    remoteMta: removeType(group.get('remote-mta')).split(/\s/, 1)[0] || null,
  };
}

/** Removes the type of an address, a name or a diagnostic: `rfc822;`, `dns;`, `smtp;`. */
function removeType(value: string | undefined): string {
  return (value ?? '').replace(/^\s{0,9}[\w.-]{1,24}\s{0,9};/, '').trim();
}
