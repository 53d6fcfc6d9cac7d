import { rounds } from '@testing';
import { type AcceptedMail } from '../harness';

type Figure =
  | 'opened'
  | 'clicked'
  | 'replied'
  | 'positiveReplied'
  | 'bounced'
  | 'unsubscribed'
  | 'autoReplied'
  | 'complained';

/** A lead of the campaign, and its expected final state. */
export interface Part {
  /** Local part of the address; it selects the sandbox’s behaviour at prospects.test (tools/mail-sandbox/README.md). */
  name: string;
  domain: 'people.test' | 'prospects.test';
  /** Number of the campaign’s emails that the server accepts for the lead. */
  emails: number;
  status: string;
  stopReason: string;
  /** Figures of the lead besides emails, and their step (from 1) if steps count them. */
  counts?: Partial<Record<Figure, 1>>;
  step?: number;
  machines?: { opened: 1; clicked: 1 };
  label?: string;
  /** Messages of the conversation besides the campaign’s emails. */
  said?: string[];
  suppressed?: 'bounce' | 'complaint' | 'unsubscribe';
}

const FINISHED = { emails: 3, status: 'completed', stopReason: 'finished' } as const;
const ANSWERED = { emails: 1, status: 'completed', stopReason: 'replied', said: ['reply'] };
const BOUNCED = {
  status: 'bounced',
  stopReason: 'bounced_hard',
  counts: { bounced: 1 },
  step: 1,
  suppressed: 'bounce',
} as const;
const OPTED_OUT = { emails: 1, status: 'completed', stopReason: 'unsubscribed', suppressed: 'unsubscribe' } as const;
const LOVES_IT = { replied: 1, positiveReplied: 1 } as const;

export const CAST: readonly Part[] = [
  { name: 'opens', domain: 'people.test', ...FINISHED, counts: { opened: 1 }, step: 1 },
  { name: 'clicks', domain: 'people.test', ...FINISHED, counts: { opened: 1, clicked: 1 }, step: 1 },
  { name: 'scans', domain: 'people.test', ...FINISHED, machines: { opened: 1, clicked: 1 } },
  {
    name: 'reply-positive-gmail',
    domain: 'prospects.test',
    ...ANSWERED,
    counts: LOVES_IT,
    label: 'positive',
    said: ['manual', 'reply'],
  },
  { name: 'reply-negative-outlook', domain: 'prospects.test', ...ANSWERED, counts: { replied: 1 }, label: 'negative' },
  { name: 'reply-neutral-outlook', domain: 'prospects.test', ...ANSWERED, counts: { replied: 1 }, label: 'neutral' },
  { name: 'german', domain: 'people.test', ...ANSWERED, counts: LOVES_IT, label: 'positive' },
  { name: 'french', domain: 'people.test', ...ANSWERED, counts: { replied: 1 }, label: 'negative' },
  { name: 'alias', domain: 'people.test', ...ANSWERED, counts: { replied: 1 }, label: 'neutral' },
  {
    name: 'spanish',
    domain: 'people.test',
    ...OPTED_OUT,
    counts: { replied: 1, unsubscribed: 1 },
    label: 'unsubscribe_request',
    said: ['reply'],
  },
  {
    name: 'reply-unsubscribe-apple',
    domain: 'prospects.test',
    ...OPTED_OUT,
    counts: { replied: 1, unsubscribed: 1 },
    label: 'unsubscribe_request',
    said: ['reply'],
  },
  { name: 'late', domain: 'people.test', ...ANSWERED, emails: 2, counts: LOVES_IT, label: 'positive' },
  {
    name: 'ooo-de',
    domain: 'prospects.test',
    ...FINISHED,
    counts: { autoReplied: 1 },
    label: 'out_of_office',
    said: ['auto_reply'],
  },
  { name: 'delayed-gmail', domain: 'prospects.test', ...FINISHED },
  // The mailbox is full: each of its emails bounces within a minute of real time, which counts as one.
  { name: 'bounce-exchange-full', domain: 'prospects.test', ...FINISHED },
  // Enough leads that two bounces are within the limit (docs/users/mailboxes.md).
  ...Array.from({ length: rounds(85, 10) }, (_, at): Part => ({
    name: `silent${at}`,
    domain: 'people.test',
    ...FINISHED,
  })),
  {
    name: 'bounce-postfix-unknown',
    domain: 'prospects.test',
    ...BOUNCED,
    emails: 1,
  },
  { name: 'rcpt-550', domain: 'prospects.test', ...BOUNCED, emails: 0 },
  {
    name: 'complain',
    domain: 'prospects.test',
    emails: 1,
    status: 'completed',
    stopReason: 'complained',
    counts: { complained: 1 },
    suppressed: 'complaint',
  },
  { name: 'page', domain: 'people.test', ...OPTED_OUT, counts: { unsubscribed: 1 } },
  { name: 'one-click', domain: 'people.test', ...OPTED_OUT, counts: { unsubscribed: 1 } },
];

export function sumOf(count: (part: Part) => number): number {
  return CAST.reduce((sum, part) => sum + count(part), 0);
}

const WORDS: Readonly<Record<string, { type: 'plain' | 'html'; text: string }>> = {
  german: {
    type: 'html',
    text:
      '<html><body><div>Guten Tag,</div><div>das klingt sehr interessant. Rufen Sie mich bitte morgen an.</div>' +
      '<div><br></div><div class="gmail_quote"><div class="gmail_attr">Am Mo., 1. Nov. 2027 schrieb Grace:<br></div>' +
      '<blockquote class="gmail_quote"><p>Bitte tragen Sie mich aus der Liste aus.</p></blockquote></div></body></html>',
  },
  french: {
    type: 'plain',
    text: 'Bonjour,\n\nMerci, mais nous ne sommes pas intéressés.\n\nLe lun. 1 nov. 2027, Grace a écrit :\n> Oui',
  },
  spanish: { type: 'plain', text: 'Por favor, denme de baja de su lista.' },
  alias: { type: 'plain', text: 'Who else in our industry uses it?' },
  late: { type: 'plain', text: 'Olá,\n\nSim, tenho interesse. Podemos falar na quinta-feira?' },
};

/** Stores a reply of a person at people.test to an email. */
export function answerTo({ messageId, subject, from }: AcceptedMail, name: string, address: string): string {
  const { type, text } = WORDS[name]!;
  const headers = [
    `From: ${name} <${address}>`,
    `To: ${from}`,
    `Subject: Re: ${subject.replace(/^Re: /, '')}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <answer.${address}>`,
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    'MIME-Version: 1.0',
    `Content-Type: text/${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
  ];
  const body = Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return `${headers.join('\r\n')}\r\n\r\n${body}\r\n`;
}
