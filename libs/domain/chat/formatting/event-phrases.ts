import { type ChatRun } from '@adapters/chat';
import { type ChatEvent } from '../chat-events';

/** The text of a field; null when it is missing or erased. */
export type LeadEvent = (field: string) => string | null;

export interface EventPhrases {
  /** Singular: heading and count. */
  readonly one: string;
  readonly many: string;
  /** One sentence without a full stop. */
  readonly line: (told: LeadEvent) => readonly ChatRun[];
  /** The field with quoted text. */
  readonly quotes?: string;
}

const SOMEBODY = 'Somebody';

/** The person's address, in bold. */
const who = (told: LeadEvent, field = 'email'): ChatRun => ({ bold: told(field) ?? SOMEBODY });
const about = (told: LeadEvent): ChatRun => {
  const subject = told('subject');
  return subject === null ? '' : ` (“${subject}”)`;
};
const because = (told: LeadEvent, field = 'reason'): ChatRun => {
  const reason = told(field);
  return reason === null ? '' : `: ${reason}`;
};
const named = (told: LeadEvent): ChatRun => ({ bold: told('name') ?? 'Without a name' });

/** The title and sentence of each event; the compiler checks completeness. */
export const EVENT_PHRASES: Readonly<Record<ChatEvent, EventPhrases>> = {
  'mailbox.connected': {
    one: 'Mailbox connected',
    many: 'mailboxes connected',
    line: (told) => [who(told), ' was connected'],
  },
  'mailbox.disconnected': {
    one: 'Mailbox disconnected',
    many: 'mailboxes disconnected',
    line: (told) => [who(told), ' can no longer be reached', DISCONNECTED[told('reason') ?? ''] ?? ''],
  },
  'mailbox.reconnected': {
    one: 'Mailbox is back',
    many: 'mailboxes are back',
    line: (told) => [who(told), ' can be reached again'],
  },
  'mailbox.health_changed': {
    one: 'Mailbox health changed',
    many: 'changes of mailbox health',
    line: (told) => [
      { bold: told('domain') ?? SOMEBODY },
      `: ${(told('check') ?? 'a check').toUpperCase()} went from ${told('from') ?? '?'} to ${told('to') ?? '?'}`,
    ],
  },
  'mailbox.blacklisted': {
    one: 'Mailbox blacklisted',
    many: 'mailboxes blacklisted',
    line: (told) => [who(told), ' is in a blacklist', because(told, 'zones')],
  },
  'mailbox.deleted': {
    one: 'Mailbox deleted',
    many: 'mailboxes deleted',
    line: (told) => [who(told), ' was deleted'],
  },
  'mailbox.sending_stopped': {
    one: 'Mailbox stopped sending',
    many: 'mailboxes stopped sending',
    line: (told) => ['A mailbox sends nothing more until a person resumes it', because(told)],
  },
  'campaign.started': {
    one: 'Campaign started',
    many: 'campaigns started',
    line: (told) => [named(told), ' was started'],
  },
  'campaign.paused': {
    one: 'Campaign paused',
    many: 'campaigns paused',
    line: (told) => [named(told), ' was paused', because(told, 'message')],
  },
  'campaign.resumed': {
    one: 'Campaign resumed',
    many: 'campaigns resumed',
    line: (told) => [named(told), ' goes on', because(told)],
  },
  'campaign.completed': {
    one: 'Campaign completed',
    many: 'campaigns completed',
    line: (told) => [named(told), ' has no lead left to write to'],
  },
  'email.failed': {
    one: 'Email failed',
    many: 'emails failed',
    line: (told) => ['An email to ', who(told), ' failed', because(told)],
  },
  'email.opened': {
    one: 'Email opened',
    many: 'emails opened',
    line: (told) => [who(told), ' opened an email', about(told)],
  },
  'email.clicked': {
    one: 'Link followed',
    many: 'links followed',
    line: (told) => [who(told), ' followed a link', about(told)],
  },
  'email.replied': {
    one: 'Reply',
    many: 'replies',
    line: (told) => [who(told), ' replied', about(told)],
    quotes: 'text',
  },
  'email.positive_reply': {
    one: 'Positive reply',
    many: 'positive replies',
    line: (told) => [who(told), ' replied positively', about(told)],
    quotes: 'text',
  },
  'email.auto_replied': {
    one: 'Automatic reply',
    many: 'automatic replies',
    line: (told) => ['An automatic reply of ', who(told), about(told)],
  },
  'email.bounced': {
    one: 'Bounce',
    many: 'bounces',
    line: (told) => ['An email to ', who(told), ' bounced', because(told)],
  },
  'email.complained': {
    one: 'Spam complaint',
    many: 'spam complaints',
    line: (told) => [who(told), ' reported an email as spam', about(told)],
  },
  'email.unsubscribed': {
    one: 'Unsubscribed',
    many: 'people unsubscribed',
    line: (told) => [who(told), ' unsubscribed'],
  },
  'blacklist.completed': {
    one: 'Blacklist test done',
    many: 'blacklist tests done',
    line: (told) => [
      { bold: told('testName') ?? 'A blacklist test' },
      `: ${told('blacklisted') ?? '0'} of ${told('totalChecked') ?? '0'} mailboxes are in a blacklist`,
    ],
  },
  'enrichment.completed': {
    one: 'Enrichment job done',
    many: 'enrichment jobs done',
    line: (told) => [`Found data on ${told('successCount') ?? '0'} of ${told('totalItems') ?? '0'} addresses`],
  },
  'agent.trained': {
    one: 'Agent trained',
    many: 'agents trained',
    line: (told) => [`${told('pages') ?? '0'} pages were read`, because(told, 'url')],
  },
  'webhook.disabled': {
    one: 'Webhook disabled',
    many: 'webhooks disabled',
    line: (told) => [named(told), ' was made inactive: its receiver ', RECEIVER[told('reason') ?? ''] ?? 'failed'],
  },
  'integration.disconnected': {
    one: 'Integration disconnected',
    many: 'integrations disconnected',
    line: (told) => [named(told), ' has to be connected again', because(told)],
  },
  'crm.sync_completed': {
    one: 'CRM sync done',
    many: 'CRM syncs done',
    line: (told) => [
      `${told('dryRun') === null ? 'A sync' : 'A dry run'} ${told('jobType') === 'push' ? 'to ' : 'from '}`,
      { bold: told('crmType') ?? 'a CRM' },
      ` is done: ${SYNC_RESULTS.map(([field, name]) => `${told(field) ?? '0'} ${name}`).join(', ')}`,
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
