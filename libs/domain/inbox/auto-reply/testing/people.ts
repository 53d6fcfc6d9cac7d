import { type Written } from './mail';

/** Mails from people, some of them on holiday. */
export const BY_PEOPLE: ReadonlyArray<readonly [why: string, mail: Written]> = [
  [
    'a holiday that is over',
    { text: 'Hi Tom, sorry for the delay, I was on vacation last week. Can we talk on Tuesday?' },
  ],
  ['a holiday to come', { text: "Sounds interesting. I'm out of the office until Monday, could you call me then?" }],
  [
    'interest and a holiday',
    { text: 'Thanks for your email. I am on vacation until Monday but would love to talk after that.' },
  ],
  ['a German holiday to come', { text: 'Klingt gut. Ich bin bis Freitag im Urlaub, können wir danach sprechen?' }],
  ['a short answer', { text: 'No thanks.' }],
  ['thanks', { text: 'Thank you for your message. We will get back to you shortly with questions. Who else uses it?' }],
  ['X-Auto-Response-Suppress alone', { text: 'Sure, Tuesday works.', headers: { 'X-Auto-Response-Suppress': 'All' } }],
  ['Auto-Submitted: no', { text: 'Sure, Tuesday works.', headers: { 'Auto-Submitted': 'no' } }],
  ['Precedence: bulk alone', { text: 'Sure, Tuesday works.', headers: { Precedence: 'bulk' } }],
  [
    'an answer over a list',
    { text: 'Sure, Tuesday works.', headers: { 'List-Id': 'sales', 'List-Unsubscribe': '<mailto:x@y.z>' } },
  ],
  [
    'an invitation',
    {
      subject: 'Invitation: Demo',
      text: 'Let us meet',
      parts: [{ contentType: 'text/calendar', text: 'BEGIN:VCALENDAR\nMETHOD:REQUEST\n' }],
    },
  ],
  ['an answer to an automatic answer', { subject: 'Re: Automatic reply: Hello', text: 'Now I am back. Tell me more.' }],
  ['a subject about holidays', { subject: 'Out of office signs', text: 'Do you sell signs?' }],
  [
    'a quote of an automatic answer',
    {
      text: 'Yes.\n\nOn Mon, 16 Nov 2026 at 10:00, Tom <t@x.y> wrote:\n> This is an automated response. I am out of the office.',
    },
  ],
  ['an empty mail', { subject: '', text: '' }],
  [
    'the writer of a ticket',
    { subject: '[#4711] Offer', text: 'Your ticket arrived at my desk. We have no need, thanks.' },
  ],
];
