import { count, day, flag, id, instant, nullable, object, getOne, text } from './shape';

const OF_EMAIL = {
  email: text('Address of the lead.', 'ada@example.com'),
  subject: text('Subject of the email, as it was sent.', 'A question about your roadmap'),
  step: count('Place of its step in the sequence, from 0.', 0),
  stepId: id('Its step.', '6740a1b2c3d4e5f60718293a'),
  variantId: id('Its variant.', '6740a1b2c3d4e5f60718293b'),
  messageId: text('Its Message-ID, with angle brackets.', '<6740a1b2c3d4e5f60718293c@mail.example.org>'),
  sendId: id('The same for all events about this email.', '6740a1b2c3d4e5f60718293c'),
};

/** Mail that comes in can be about a lead without saying which of the emails to it is meant. */
const OF_EMAIL_IF_KNOWN = {
  ...OF_EMAIL,
  subject: nullable(OF_EMAIL.subject),
  step: nullable(OF_EMAIL.step),
  stepId: nullable(OF_EMAIL.stepId),
  variantId: nullable(OF_EMAIL.variantId),
  messageId: nullable(OF_EMAIL.messageId),
  sendId: nullable(OF_EMAIL.sendId),
};

const firstOfLead = flag('Whether it is the first of its kind for the lead.', true);
const CONVERSATION = id('Its conversation, by which it can be read and answered.', '6740a1b2c3d4e5f60718293d');
const CODE = 'Reply code of SMTP, or the HTTP status of a vendor.';
const ENHANCED_CODE = 'Enhanced status code (RFC 3463).';

const ENGAGEMENT = {
  ...OF_EMAIL,
  firstOfLead,
  rule: text('Why it counts as a person: docs/users/tracking.md.', 'browser'),
};

export const EMAIL_DATA = {
  'email.sent': object('The server accepted an email, or it counts as sent.', {
    ...OF_EMAIL,
    from: nullable(
      text('Address that it was sent from; null when the mailbox was deleted since.', 'grace@example.org'),
    ),
    firstOfLead,
    unconfirmed: flag('No proof was found within six hours: it counts as sent all the same.', false),
  }),
  'email.failed': object(
    'An email was refused for good, not because of its recipient; or given up after five attempts.',
    {
      ...OF_EMAIL,
      reason: text('One sentence, with the words of the server.', '552 5.3.4 Message too large'),
      code: nullable(text(CODE, '552')),
      enhancedCode: nullable(text(ENHANCED_CODE, '5.3.4')),
    },
  ),
  'email.opened': object('A person opened an email, or followed a link in it, the first time for this email.', {
    ...ENGAGEMENT,
    link: nullable(count('Number of the link that was followed, from 0; null when none was.', 0)),
    url: nullable(text('Where it leads; null when none was followed.', 'https://example.org/roadmap')),
  }),
  'email.clicked': object('A person followed a link, the first time for this email.', {
    ...ENGAGEMENT,
    link: nullable(count('Number of the link in the email, from 0.', 0)),
    url: nullable(text('Where it leads.', 'https://example.org/roadmap')),
  }),
  'email.replied': object('A person answered; each answer.', {
    ...OF_EMAIL_IF_KNOWN,
    from: nullable(text('Address of who answered.', 'ada@example.com')),
    subject: text('Subject of the answer.', 'Re: A question about your roadmap'),
    text: text('What was newly written, without quotes; at most 65 536 characters.', 'Tuesday at ten would suit me.'),
    matchedBy: getOne('How it was found out whose answer it is.', [
      'references',
      'token',
      'thread',
      'address',
      'company',
      'person',
    ]),
    label: getOne('What it wants, by rules; models and persons may say otherwise later.', [
      'positive',
      'neutral',
      'negative',
      'out_of_office',
      'unsubscribe_request',
      'other',
    ]),
    conversationId: nullable(CONVERSATION),
    firstOfLead,
  }),
  'email.positive_reply': object('An answer was labelled positive, once for each lead.', {
    ...OF_EMAIL_IF_KNOWN,
    labelledBy: getOne('Who labelled it.', ['rules', 'llm', 'person']),
    reason: text('Why: a rule, or one sentence.', 'meeting'),
    conversationId: nullable(CONVERSATION),
    firstOfLead,
  }),
  'email.auto_replied': object('An automatic answer came.', {
    ...OF_EMAIL_IF_KNOWN,
    from: nullable(text('Address that it came from.', 'ada@example.com')),
    rule: text('What gave it away.', 'header/auto-submitted'),
    outOfOffice: flag('Whether it says that somebody is away.', true),
    returnsOn: nullable(day('First day back, as it says.', '2026-12-01')),
    resumesAt: nullable(instant('When the lead goes on by itself.', '2026-12-02T09:00:00.000Z')),
  }),
  'email.bounced': object('An email was refused, or came back: nobody is at the address.', {
    ...OF_EMAIL_IF_KNOWN,
    verdict: getOne('`soft`: the third one in a row within seven days, which counts as hard.', ['hard', 'soft']),
    reason: nullable(text('What the server of the other side said.', '550 5.1.1 The email account does not exist')),
    code: nullable(text(CODE, '550')),
    enhancedCode: nullable(text(ENHANCED_CODE, '5.1.1')),
    rule: nullable(text('What it was recognised by; null where the server refused it at once.', 'dsn/unknown-user')),
    inSession: flag('Whether the server refused it at once.', false),
    softLimit: flag('Whether it is one soft bounce too many.', false),
  }),
  'email.complained': object('An email was reported as spam.', {
    ...OF_EMAIL_IF_KNOWN,
    rule: text('What it was recognised by.', 'arf/abuse'),
  }),
  'email.unsubscribed': object('A lead unsubscribed, once for each email.', {
    ...OF_EMAIL,
    firstOfLead,
    how: getOne('By the button of the page, by a mail program (RFC 8058), or in the words of an answer.', [
      'page',
      'one_click',
      'reply',
    ]),
  }),
};
