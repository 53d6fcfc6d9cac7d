import fc from 'fast-check';
import { ACTIVITY_EVENTS, type ActivityEvent } from './activity-events';
import { composeActivityText, MAX_BODY_LENGTH, MAX_TITLE_LENGTH } from './activity-phrases';

const DATA = {
  email: 'ada@example.com',
  from: 'grace@example.org',
  subject: 'A question about your roadmap',
  text: 'Tuesday at ten\nwould suit me.',
  reason: 'meeting',
  url: 'https://example.org/roadmap',
};

it.each<[ActivityEvent, object]>([
  [
    'email.sent',
    {
      kind: 'email',
      direction: 'outgoing',
      title: 'Email sent: A question about your roadmap',
      body: 'From: grace@example.org\nTo: ada@example.com\nCampaign: Autumn',
    },
  ],
  [
    'email.replied',
    {
      kind: 'email',
      direction: 'incoming',
      title: 'Reply received: A question about your roadmap',
      body: 'Tuesday at ten\nwould suit me.\nCampaign: Autumn',
    },
  ],
  [
    'email.positive_reply',
    {
      kind: 'note',
      direction: null,
      title: 'Positive reply: A question about your roadmap',
      body: 'Why it counts as positive: meeting\nCampaign: Autumn',
    },
  ],
  ['email.opened', { title: 'Email opened: A question about your roadmap', body: 'Campaign: Autumn' }],
  ['email.clicked', { body: 'Link: https://example.org/roadmap\nCampaign: Autumn' }],
  ['email.bounced', { body: 'Address: ada@example.com\nThe server said: meeting\nCampaign: Autumn' }],
  ['email.complained', { title: 'Reported as spam: A question about your roadmap' }],
  ['email.unsubscribed', { title: 'Unsubscribed: A question about your roadmap' }],
])('describes %s in one readable text for the CRM', (type, words) => {
  expect(composeActivityText(type, DATA, 'Autumn')).toMatchObject(words);
});

it.each(ACTIVITY_EVENTS)('describes %s even when the person was erased and the campaign deleted', (type) => {
  const { title, body } = composeActivityText(type, { email: null, subject: null, text: '', from: undefined }, null);
  expect(title).toMatch(/^[A-Z][a-z ]+$/u);
  expect(body).toBe('');
});

it('stays within the limits of the vendors, on one line, for any mail', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const long = fc.integer({ min: 0, max: 12_000 }).map((length) => '😀'.repeat(length));
  fc.assert(
    fc.property(fc.constantFrom(...ACTIVITY_EVENTS), text, fc.oneof(text, long), (type, subject, said) => {
      const { title, body } = composeActivityText(type, { subject, text: said, reason: said }, subject);
      expect(title.length).toBeLessThanOrEqual(MAX_TITLE_LENGTH);
      expect(body.length).toBeLessThanOrEqual(MAX_BODY_LENGTH);
      expect(title).not.toMatch(/[\r\n\0]/u);
      expect((title + body).isWellFormed()).toBe(true);
      expect(body).not.toContain('\0');
    }),
  );
});
