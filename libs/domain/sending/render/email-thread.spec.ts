import { type StoredThread, placeInThread, threadAfter } from './email-thread';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `<${index}@x.test>`);

describe('placeInThread', () => {
  it('begins a thread with the first email, and with every email that has a subject', () => {
    expect(placeInThread(' Hello ', { messageIds: [], subject: null })).toEqual({
      subject: 'Hello',
      startsThread: true,
    });
    expect(placeInThread('', { messageIds: [], subject: null })).toEqual({ subject: '', startsThread: true });
    expect(placeInThread('News', { messageIds: ids(2), subject: 'Hello' })).toEqual({
      subject: 'News',
      startsThread: true,
    });
  });

  it('replies to the last email if there is no subject', () => {
    expect(placeInThread(' ', { messageIds: ids(3), subject: 'Hello' })).toEqual({
      subject: 'Re: Hello',
      startsThread: false,
      inReplyTo: '<2@x.test>',
      references: ids(3),
    });
  });

  it.each([
    ['Hello', 'Re: Hello'],
    ['Re: Hello', 'Re: Hello'],
    ['RE : re:Re:  Hello', 'Re: Hello'],
    ['Regarding: Hello', 'Re: Regarding: Hello'],
    ['', 'Re:'],
    [null, 'Re:'],
  ])('replies to the subject %j with %j', (subject, expected) => {
    expect(placeInThread('', { messageIds: ids(1), subject }).subject).toBe(expected);
  });

  it('refers to at most twenty emails: the first and the latest ones', () => {
    expect(placeInThread('', { messageIds: ids(20), subject: 'x' }).references).toEqual(ids(20));
    const { references } = placeInThread('', { messageIds: ids(50), subject: 'x' });
    expect(references).toEqual(['<0@x.test>', ...ids(50).slice(31)]);
    expect(references).toHaveLength(20);
  });

  it('cuts a very long subject without splitting a character', () => {
    expect(placeInThread('a'.repeat(501), { messageIds: [], subject: null }).subject).toBe('a'.repeat(500));
    expect(placeInThread(`${'a'.repeat(499)}😀`, { messageIds: [], subject: null }).subject).toBe('a'.repeat(499));
    expect(placeInThread('', { messageIds: ids(1), subject: 'a'.repeat(500) }).subject).toBe(`Re: ${'a'.repeat(496)}`);
  });
});

describe('the stored thread', () => {
  const kept: StoredThread = { messageIds: ['<1@x.test>'], subject: 'Hello', providerThreadId: 't1' };
  const sent = (subject: string, providerThreadId: string | null = null) => ({
    subject,
    messageId: '<2@x.test>',
    providerThreadId,
  });

  it('begins with the first email', () => {
    expect(threadAfter(null, sent('Hello', 't2'))).toEqual({
      messageIds: ['<2@x.test>'],
      subject: 'Hello',
      providerThreadId: 't2',
    });
    const empty = { messageIds: [], subject: 'Old', providerThreadId: 't1' };
    expect(threadAfter(empty, sent('Re: Old'))).toEqual({
      messageIds: ['<2@x.test>'],
      subject: 'Re: Old',
      providerThreadId: null,
    });
  });

  it('continues with an email that replies to it, under its first subject', () => {
    expect(threadAfter(kept, sent('Re: Hello'))).toEqual({
      messageIds: ['<1@x.test>', '<2@x.test>'],
      subject: 'Hello',
      providerThreadId: 't1',
    });
    expect(threadAfter(kept, sent('Re: Hello', 't2')).providerThreadId).toBe('t2');
  });

  it('begins again with an email that has a subject', () => {
    expect(threadAfter(kept, sent('Another matter'))).toEqual({
      messageIds: ['<2@x.test>'],
      subject: 'Another matter',
      providerThreadId: null,
    });
  });

  it('continues if the place of the email in the thread says so, whatever its subject', () => {
    for (const subject of ['', 'RE: re: Hi', 'a'.repeat(600)]) {
      const thread = { ...kept, subject };
      const place = placeInThread('', thread);
      expect(threadAfter(thread, sent(place.subject)).messageIds).toHaveLength(2);
    }
  });

  it('is not changed by later emails', () => {
    threadAfter(kept, sent('Re: Hello'));
    expect(kept.messageIds).toEqual(['<1@x.test>']);
  });
});
