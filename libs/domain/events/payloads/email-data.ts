import { count, day, flag, id, instant, nullable, object, choice, text } from './shape';

const OF_EMAIL = {
  email: text('Address of the lead.', 'ada@example.com'),
  subject: text('Subject of the email as sent.', 'A question about your roadmap'),
  step: count('Position of its step in the sequence, from 0.', 0),
  stepId: id('Its step.', '6740a1b2c3d4e5f60718293a'),
  variantId: id('Its variant.', '6740a1b2c3d4e5f60718293b'),
  messageId: text('Its Message-ID, with angle brackets.', '<6740a1b2c3d4e5f60718293c@mail.example.org>'),
  sendId: id('Id of the send; equal in all events about this email.', '6740a1b2c3d4e5f60718293c'),
};

/** Incoming mail can be assigned to a lead without being assigned to one of the emails sent to it. */
const OF_EMAIL_IF_KNOWN = {
  ...OF_EMAIL,
  subject: nullable(OF_EMAIL.subject),
  step: nullable(OF_EMAIL.step),
  stepId: nullable(OF_EMAIL.stepId),
  variantId: nullable(OF_EMAIL.variantId),
  messageId: nullable(OF_EMAIL.messageId),
  sendId: nullable(OF_EMAIL.sendId),
};

const firstOfLead = flag('Whether it is the first event of this type for the lead.', true);
const CONVERSATION = id('Its conversation, through which it can be read and answered.', '6740a1b2c3d4e5f60718293d');
const CODE = 'SMTP reply code or HTTP status of the provider.';
const ENHANCED_CODE = 'Enhanced status code (RFC 3463).';

const ENGAGEMENT = {
  ...OF_EMAIL,
  firstOfLead,
  rule: text('Rule by which it counts as a person (docs/users/tracking.md).', 'browser'),
};

export const EMAIL_DATA = {
  'email.sent': object('A mail server accepted an email, or the email counts as sent.', {
    ...OF_EMAIL,
    from: nullable(text('Sender address; null if the mailbox was deleted since.', 'grace@example.org')),
    firstOfLead,
    unconfirmed: flag('True if no proof of sending was found within six hours; the email still counts as sent.', false),
  }),
  'email.failed': object(
    'An email was rejected permanently for a reason other than its recipient, or failed five times.',
    {
      ...OF_EMAIL,
      reason: text('The reason as a sentence, with the reply of the server.', '552 5.3.4 Message too large'),
      code: nullable(text(CODE, '552')),
      enhancedCode: nullable(text(ENHANCED_CODE, '5.3.4')),
    },
  ),
  'email.opened': object('A person opened an email or clicked a link in it, for the first time for this email.', {
    ...ENGAGEMENT,
    link: nullable(count('Number of the clicked link, from 0; null if no link was clicked.', 0)),
    url: nullable(text('Target of the link; null if no link was clicked.', 'https://example.org/roadmap')),
  }),
  'email.clicked': object('A person clicked a link, for the first time for this email.', {
    ...ENGAGEMENT,
    link: nullable(count('Number of the link in the email, from 0.', 0)),
    url: nullable(text('Target of the link.', 'https://example.org/roadmap')),
  }),
  'email.replied': object('A person replied; recorded for each reply.', {
    ...OF_EMAIL_IF_KNOWN,
    from: nullable(text('Sender address of the reply.', 'ada@example.com')),
    subject: text('Subject of the reply.', 'Re: A question about your roadmap'),
    text: text(
      'New text of the reply without quoted text; at most 65 536 characters.',
      'Tuesday at ten would suit me.',
    ),
    matchedBy: choice('How the reply was matched to the lead.', [
      'references',
      'token',
      'thread',
      'address',
      'company',
      'person',
    ]),
    label: choice('Label given by the rules; a language model or a person may change it later.', [
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
  'email.positive_reply': object('A reply was labelled positive; once for each lead.', {
    ...OF_EMAIL_IF_KNOWN,
    labelledBy: choice('What set the label.', ['rules', 'llm', 'person']),
    reason: text('Reason: a rule or one sentence.', 'meeting'),
    conversationId: nullable(CONVERSATION),
    firstOfLead,
  }),
  'email.auto_replied': object('An automatic reply was received.', {
    ...OF_EMAIL_IF_KNOWN,
    from: nullable(text('Sender address of the automatic reply.', 'ada@example.com')),
    rule: text('Rule that recognised it.', 'header/auto-submitted'),
    outOfOffice: flag('Whether it is an out-of-office reply.', true),
    returnsOn: nullable(day('Return date stated in the reply.', '2026-12-01')),
    resumesAt: nullable(instant('When the lead resumes automatically.', '2026-12-02T09:00:00.000Z')),
  }),
  'email.bounced': object('An email bounced: its recipient address was rejected, or a bounce message was received.', {
    ...OF_EMAIL_IF_KNOWN,
    verdict: choice('`soft`: the third consecutive soft bounce within seven days, which counts as hard.', [
      'hard',
      'soft',
    ]),
    reason: nullable(text('Reply of the receiving server.', '550 5.1.1 The email account does not exist')),
    code: nullable(text(CODE, '550')),
    enhancedCode: nullable(text(ENHANCED_CODE, '5.1.1')),
    rule: nullable(
      text(
        'Rule that recognised it; null if the server rejected the email during the SMTP session.',
        'dsn/unknown-user',
      ),
    ),
    inSession: flag('Whether the server rejected it during the SMTP session.', false),
    softLimit: flag('Whether it reached the limit of soft bounces.', false),
  }),
  'email.complained': object('An email was reported as spam.', {
    ...OF_EMAIL_IF_KNOWN,
    rule: text('Rule that recognised it.', 'arf/abuse'),
  }),
  'email.unsubscribed': object('A lead unsubscribed, once for each email.', {
    ...OF_EMAIL,
    firstOfLead,
    how: choice('How: by the button of the unsubscribe page, by a mail client (RFC 8058) or by a reply.', [
      'page',
      'one_click',
      'reply',
    ]),
  }),
};
