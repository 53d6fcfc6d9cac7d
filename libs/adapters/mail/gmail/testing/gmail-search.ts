import { type GmailMailbox, toMessageId, type StoredMessage } from './gmail-mailbox';
import { GmailRefusal, refusals } from './gmail-refusals';

const PLACES: Readonly<Record<string, string>> = {
  inbox: 'INBOX',
  sent: 'SENT',
  spam: 'SPAM',
  trash: 'TRASH',
  draft: 'DRAFT',
  drafts: 'DRAFT',
};

export interface Search {
  readonly q: string;
  readonly labelIds: readonly string[];
  readonly includeSpamTrash: boolean;
}

/** The supported part of Gmail's search, newest first. Other terms are refused, so that no test relies on them. */
export function searched(mailbox: GmailMailbox, { q, labelIds, includeSpamTrash }: Search): StoredMessage[] {
  const lastReply = q.split(/\s+/).filter((word) => word !== '');
  for (const label of labelIds) mailbox.checkLabel(label);
  const places = lastReply.filter((word) => word.startsWith('in:')).map((word) => word.slice(3));
  const isAnywhere = includeSpamTrash || places.includes('anywhere');
  const wanted = new Set([...labelIds, ...places.map((place) => PLACES[place] ?? '')]);
  return [...mailbox.messages.values()]
    .filter(({ labels }) => isAnywhere || ['SPAM', 'TRASH'].every((label) => !labels.has(label) || wanted.has(label)))
    .filter(({ labels }) => labelIds.every((label) => labels.has(label)))
    .filter((message) => lastReply.every((word) => matches(message, word)))
    .toSorted((a, b) => b.internalDate - a.internalDate || (a.id < b.id ? 1 : -1));
}

function matches({ tree, labels, internalDate }: StoredMessage, word: string): boolean {
  const colon = word.indexOf(':');
  const [operator, value] = [word.slice(0, colon), word.slice(colon + 1)];
  if (operator === 'rfc822msgid') return toMessageId(tree) === value.replaceAll(/[<>]/g, '');
  if (operator === 'after') return internalDate >= Number(value) * 1_000;
  if (operator === 'before') return internalDate < Number(value) * 1_000;
  if (operator === 'in') return value === 'anywhere' || labels.has(PLACES[value] ?? '');
  throw new GmailRefusal(refusals.invalid(`The local server does not know the search ${word}`));
}
