import { type CrmActivity } from '@adapters/crm';
import { type EventRecord } from '@domain/events';
import { type ActivityEvent } from './activity-events';

export type ActivityText = Pick<CrmActivity, 'kind' | 'direction' | 'title' | 'body'>;

/** Maximum characters: what the vendors' subjects hold, and far less than their bodies hold. */
export const MAX_TITLE_LENGTH = 250;
export const MAX_BODY_LENGTH = 10_000;

/** Reads a text field of an event; null when it is missing or erased. */
type FieldReader = (field: string) => string | null;

interface Template {
  readonly kind: CrmActivity['kind'];
  readonly direction: CrmActivity['direction'];
  /** Followed by the subject, if any. */
  readonly title: string;
  /** null lines are omitted. */
  readonly lines: (read: FieldReader) => readonly (string | null)[];
}

const TEMPLATES: Record<ActivityEvent, Template> = {
  'email.sent': {
    kind: 'email',
    direction: 'outgoing',
    title: 'Email sent',
    lines: (read) => [toLine('From', read('from')), toLine('To', read('email'))],
  },
  'email.replied': {
    kind: 'email',
    direction: 'incoming',
    title: 'Reply received',
    lines: (read) => [read('text')],
  },
  'email.positive_reply': {
    kind: 'note',
    direction: null,
    title: 'Positive reply',
    lines: (read) => [toLine('Why it counts as positive', read('reason'))],
  },
  'email.opened': { kind: 'note', direction: null, title: 'Email opened', lines: () => [] },
  'email.clicked': {
    kind: 'note',
    direction: null,
    title: 'Link followed',
    lines: (read) => [toLine('Link', read('url'))],
  },
  'email.bounced': {
    kind: 'note',
    direction: null,
    title: 'Email bounced',
    lines: (read) => [toLine('Address', read('email')), toLine('The server said', read('reason'))],
  },
  'email.complained': {
    kind: 'note',
    direction: null,
    title: 'Reported as spam',
    lines: (read) => [toLine('Address', read('email'))],
  },
  'email.unsubscribed': {
    kind: 'note',
    direction: null,
    title: 'Unsubscribed',
    lines: (read) => [toLine('Address', read('email'))],
  },
};

/**
 * Composes the text of an event for a CRM timeline. Pure.
 * @param campaign name of the campaign; null when it was deleted
 */
export function composeActivityText(
  type: ActivityEvent,
  data: EventRecord['data'],
  campaign: string | null,
): ActivityText {
  const read: FieldReader = (field) => {
    const value = data[field];
    return typeof value === 'string' && value.trim() !== '' ? value : null;
  };
  const { kind, direction, title, lines } = TEMPLATES[type];
  const subject = read('subject');
  return {
    kind,
    direction,
    title: truncate(toOneLine(subject === null ? title : `${title}: ${subject}`), MAX_TITLE_LENGTH),
    body: truncate(
      [...lines(read), toLine('Campaign', campaign)].filter((one) => one !== null).join('\n'),
      MAX_BODY_LENGTH,
    ),
  };
}

function toLine(label: string, value: string | null): string | null {
  return value === null ? null : `${label}: ${value}`;
}

function toOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Never splits a surrogate pair. */
function truncate(text: string, most: number): string {
  const plain = text.replaceAll('\0', '').toWellFormed();
  if (plain.length <= most) return plain;
  return `${plain.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
