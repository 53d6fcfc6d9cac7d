import { type ChatRun } from '@adapters/chat';
import { type ChatEvent } from '../chat-events';

/** The text of a field; null when it is missing or erased. */
export type LeadEvent = (field: string) => string | null;

export interface EventPhrases {
  /** Singular: heading and count. */
  readonly one: string;
  readonly many: string;
  /** One sentence without a full stop. */
  readonly line: (read: LeadEvent) => readonly ChatRun[];
  /** The field with quoted text. */
  readonly quotes?: string;
}

const SOMEBODY = 'Somebody';

/** The person's address, in bold. */
const who = (read: LeadEvent, field = 'email'): ChatRun => ({ bold: read(field) ?? SOMEBODY });
const about = (read: LeadEvent): ChatRun => {
  const subject = read('subject');
  return subject === null ? '' : ` (“${subject}”)`;
};
const because = (read: LeadEvent, field = 'reason'): ChatRun => {
  const reason = read(field);
  return reason === null ? '' : `: ${reason}`;
};
const named = (read: LeadEvent): ChatRun => ({ bold: read('name') ?? 'Without a name' });

/** The title and sentence of each event; the compiler checks completeness. */
export const EVENT_PHRASES: Readonly<Record<ChatEvent, EventPhrases>> = {
  'mailbox.connected': {
    one: 'Mailbox connected',
    many: 'mailboxes connected',
    line: (read) => [who(read), ' was connected'],
  },
  'mailbox.disconnected': {
    one: 'Mailbox disconnected',
    many: 'mailboxes disconnected',
    line: (read) => [who(read), ' can no longer be reached', DISCONNECTED[read('reason') ?? ''] ?? ''],
  },
  'mailbox.reconnected': {
    one: 'Mailbox is back',
    many: 'mailboxes are back',
    line: (read) => [who(read), ' can be reached again'],
  },
  'mailbox.health_changed': {
    one: 'Mailbox health changed',
    many: 'changes of mailbox health',
    line: (read) => [
      { bold: read('domain') ?? SOMEBODY },
      `: ${(read('check') ?? 'a check').toUpperCase()} went from ${read('from') ?? '?'} to ${read('to') ?? '?'}`,
    ],
  },
  'mailbox.blacklisted': {
    one: 'Mailbox blacklisted',
    many: 'mailboxes blacklisted',
    line: (read) => [who(read), ' is in a blacklist', because(read, 'zones')],
  },
  'mailbox.deleted': {
    one: 'Mailbox deleted',
    many: 'mailboxes deleted',
    line: (read) => [who(read), ' was deleted'],
  },
  'mailbox.sending_stopped': {
    one: 'Mailbox stopped sending',
    many: 'mailboxes stopped sending',
    line: (read) => ['A mailbox sends nothing more until a person resumes it', because(read)],
  },
  'campaign.started': {
    one: 'Campaign started',
    many: 'campaigns started',
    line: (read) => [named(read), ' was started'],
  },
  'campaign.paused': {
    one: 'Campaign paused',
    many: 'campaigns paused',
    line: (read) => [named(read), ' was paused', because(read, 'message')],
  },
  'campaign.resumed': {
    one: 'Campaign resumed',
    many: 'campaigns resumed',
    line: (read) => [named(read), ' goes on', because(read)],
  },
  'campaign.completed': {
    one: 'Campaign completed',
    many: 'campaigns completed',
    line: (read) => [named(read), ' has no lead left to write to'],
  },
  'email.failed': {
    one: 'Email failed',
    many: 'emails failed',
    line: (read) => ['An email to ', who(read), ' failed', because(read)],
  },
  'email.opened': {
    one: 'Email opened',
    many: 'emails opened',
    line: (read) => [who(read), ' opened an email', about(read)],
  },
  'email.clicked': {
    one: 'Link followed',
    many: 'links followed',
    line: (read) => [who(read), ' followed a link', about(read)],
  },
  'email.replied': {
    one: 'Reply',
    many: 'replies',
    line: (read) => [who(read), ' replied', about(read)],
    quotes: 'text',
  },
  'email.positive_reply': {
    one: 'Positive reply',
    many: 'positive replies',
    line: (read) => [who(read), ' replied positively', about(read)],
    quotes: 'text',
  },
  'email.auto_replied': {
    one: 'Automatic reply',
    many: 'automatic replies',
    line: (read) => ['An automatic reply of ', who(read), about(read)],
  },
  'email.bounced': {
    one: 'Bounce',
    many: 'bounces',
    line: (read) => ['An email to ', who(read), ' bounced', because(read)],
  },
  'email.complained': {
    one: 'Spam complaint',
    many: 'spam complaints',
    line: (read) => [who(read), ' reported an email as spam', about(read)],
  },
  'email.unsubscribed': {
    one: 'Unsubscribed',
    many: 'people unsubscribed',
    line: (read) => [who(read), ' unsubscribed'],
  },
  'blacklist.completed': {
    one: 'Blacklist test done',
    many: 'blacklist tests done',
    line: (read) => [
      { bold: read('testName') ?? 'A blacklist test' },
      `: ${read('blacklisted') ?? '0'} of ${read('totalChecked') ?? '0'} mailboxes are in a blacklist`,
    ],
  },
  'enrichment.completed': {
    one: 'Enrichment job done',
    many: 'enrichment jobs done',
    line: (read) => [`Found data on ${read('successCount') ?? '0'} of ${read('totalItems') ?? '0'} addresses`],
  },
  'agent.trained': {
    one: 'Agent trained',
    many: 'agents trained',
    line: (read) => [`${read('pages') ?? '0'} pages were read`, because(read, 'url')],
  },
  'webhook.disabled': {
    one: 'Webhook disabled',
    many: 'webhooks disabled',
    line: (read) => [named(read), ' was made inactive: its receiver ', RECEIVER[read('reason') ?? ''] ?? 'failed'],
  },
  'integration.disconnected': {
    one: 'Integration disconnected',
    many: 'integrations disconnected',
    line: (read) => [named(read), ' has to be connected again', because(read)],
  },
  'crm.sync_completed': {
    one: 'CRM sync done',
    many: 'CRM syncs done',
    line: (read) => [
      `${read('dryRun') === null ? 'A sync' : 'A dry run'} ${read('jobType') === 'push' ? 'to ' : 'from '}`,
      { bold: read('crmType') ?? 'a CRM' },
      ` is done: ${SYNC_RESULTS.map(([field, name]) => `${read(field) ?? '0'} ${name}`).join(', ')}`,
    ],
  },
};

/** Result counts of the event. */
const SYNC_RESULTS = [
  ['created', 'created'],
  ['updated', 'updated'],
  ['unchanged', 'unchanged'],
  ['conflicts', 'in conflict'],
  ['skipped', 'skipped'],
  ['failed', 'failed'],
] as const;

const DISCONNECTED: Readonly<Record<string, string>> = {
  unreachable: '; it is retried automatically',
  login_refused: ': its server refuses the login',
  authorisation_gone: ': a person has to authorise it again',
};

const RECEIVER: Readonly<Record<string, string>> = {
  failing: 'failed for days',
  gone: 'says that it is gone',
};
