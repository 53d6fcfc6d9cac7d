import { Types } from 'mongoose';
import { type InboxReplyRecord } from '../schemas/inbox-reply.record';
import { composeReply, MAX_CONTENT, toThreading, parseReplyContent } from './reply-message';

const CONVERSATION = { subject: 'Your roadmap' };
const answered = { messageId: '<b@x.test>', references: ['<a@x.test>'], subject: 'AW: Your roadmap' };
const NOW = new Date('2026-11-25T12:00:00.000Z');

describe('the content of a reply', () => {
  it('has a plain-text part made from its HTML', () => {
    expect(parseReplyContent({ body: '<p>Hi <b>Ada</b></p><p>Tuesday?</p>' })).toEqual({
      html: '<p>Hi <b>Ada</b></p><p>Tuesday?</p>',
      text: 'Hi Ada\n\nTuesday?',
    });
  });

  it('keeps the given text next to the HTML, and text alone', () => {
    expect(parseReplyContent({ body: '<p>Hi</p>', text: 'Hello' })).toEqual({ html: '<p>Hi</p>', text: 'Hello' });
    expect(parseReplyContent({ text: 'Line\nLine' })).toEqual({ html: null, text: 'Line\nLine' });
  });

  it('shows the line breaks of a body that is no HTML', () => {
    expect(parseReplyContent({ body: 'Hi\nAda' })).toEqual({ html: 'Hi<br>\nAda', text: 'Hi\nAda' });
  });

  it('may be an image alone', () => {
    expect(parseReplyContent({ body: '<img src="https://example.com/a.png">' }).text).toBe('');
  });

  it.each([{}, { body: '' }, { body: ' ', text: '\n' }, { body: '<p></p>' }, { body: '<p>\u200b&nbsp;</p>' }])(
    'is refused when it is empty: %j',
    (request) => expect(() => parseReplyContent(request)).toThrow('body or text must say something'),
  );

  it('is refused above 200 kB in total', () => {
    expect(parseReplyContent({ text: 'x'.repeat(MAX_CONTENT) }).text).toHaveLength(MAX_CONTENT);
    expect(() => parseReplyContent({ body: 'x', text: 'x'.repeat(MAX_CONTENT) })).toThrow('at most 200 kB');
    expect(() => parseReplyContent({ text: 'ä'.repeat(MAX_CONTENT / 2 + 1) })).toThrow('at most 200 kB');
  });
});

describe('the thread of a reply', () => {
  it('follows the answered message, with its subject', () => {
    expect(toThreading('', CONVERSATION, answered)).toEqual({
      subject: 'Re: Your roadmap',
      inReplyTo: '<b@x.test>',
      references: ['<a@x.test>', '<b@x.test>'],
    });
  });

  it('has the person’s own subject if given, in the same thread', () => {
    expect(toThreading('Tuesday', CONVERSATION, answered)).toMatchObject({
      subject: 'Tuesday',
      inReplyTo: '<b@x.test>',
    });
  });

  it('is new when no earlier message is known', () => {
    expect(toThreading('', { subject: '' }, null)).toEqual({ subject: 'Re:', inReplyTo: null, references: [] });
    expect(toThreading('', CONVERSATION, { ...answered, messageId: null })).toMatchObject({
      inReplyTo: null,
      references: [],
    });
  });

  it('names the first message and the newest ones of a long thread', () => {
    const ids = Array.from({ length: 40 }, (_, index) => `<${index}@x.test>`);
    const { references } = toThreading('', CONVERSATION, { ...answered, references: ids });
    expect(references).toHaveLength(20);
    expect([references[0], references.at(-1), references.at(-2)]).toEqual(['<0@x.test>', '<b@x.test>', '<39@x.test>']);
  });
});

describe('the message of a reply', () => {
  const fields = {
    _id: new Types.ObjectId(),
    from: { name: 'Grace\r\nHopper', address: 'grace@senders.test' },
    to: { name: '=?utf-8?q?x?=', address: 'ada@acme.test' },
    subject: 'Re: Your roadmap',
    html: '<p>Hi</p>',
    text: 'Hi',
    messageId: '<r@senders.test>',
    inReplyTo: '<b@x.test>',
    references: ['<b@x.test>'],
  };
  const reply = fields as unknown as InboxReplyRecord;

  it('has the written content and the thread headers, and no other headers', () => {
    expect(composeReply(reply, NOW)).toEqual({
      from: { name: 'Grace Hopper', address: 'grace@senders.test' },
      to: { name: '', address: 'ada@acme.test' },
      subject: 'Re: Your roadmap',
      messageId: '<r@senders.test>',
      date: NOW,
      html: '<p>Hi</p>',
      text: 'Hi',
      inReplyTo: '<b@x.test>',
      references: ['<b@x.test>'],
    });
  });

  it('has no HTML when none was written', () => {
    const plain = { ...fields, html: null, inReplyTo: null, references: [] } as unknown as InboxReplyRecord;
    expect(composeReply(plain, NOW)).not.toHaveProperty('html');
  });
});
