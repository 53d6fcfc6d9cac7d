import fc from 'fast-check';
import { createCursor, parseGraphCursor, formatGraphCursor } from './graph-cursor';
import { KnownMessageIndex } from './known-message-index';

const API = 'https://graph.microsoft.com/v1.0';
const FLAGS = { seen: false, answered: false, flagged: false, draft: false };
const LINK = '/me/mailFolders/inbox/messages/delta?$deltatoken=x';
const inbox = {
  phase: 'delta',
  id: 'F',
  since: '2026-11-01T00:00:00Z',
  start: '2026-11-21T00:00:00Z',
  link: LINK,
} as const;

describe('the cursor', () => {
  it('is unchanged after a write and a read', () => {
    const cursor = createCursor();
    cursor.at = 'junk';
    cursor.folders.inbox = inbox;
    cursor.folders.junk = { ...inbox, phase: 'fill', from: '2026-11-02T00:00:00Z', seen: 3 };
    cursor.folders.sent = { ...inbox, phase: 'base', start: null, link: null };
    cursor.known.set('one', {
      receivedAt: new Date('2026-11-20T10:00:00Z'),
      role: 'junk',
      flags: { ...FLAGS, flagged: true },
    });
    const read = parseGraphCursor(API, formatGraphCursor(cursor));
    expect(read).toMatchObject({ at: 'junk', folders: cursor.folders });
    expect(read?.known.get('one')).toEqual({
      receivedAt: new Date('2026-11-20T10:00:00Z'),
      role: 'junk',
      flags: { ...FLAGS, flagged: true },
    });
    expect(read?.known.get('two')).toBeUndefined();
  });

  it.each([
    ['another driver', '{"epoch":3}'],
    ['another version', JSON.stringify({ v: 2, at: null, folders: {}, known: '' })],
    ['another program', 'x'],
    ['null', 'null'],
    [
      'a folder without a link',
      JSON.stringify({ v: 1, at: null, folders: { inbox: { ...inbox, link: null } }, known: '' }),
    ],
    [
      'a link that leads elsewhere',
      JSON.stringify({
        v: 1,
        at: null,
        folders: { inbox: { ...inbox, link: '//evil.test/messages/delta?x' } },
        known: '',
      }),
    ],
    ['an unknown folder', JSON.stringify({ v: 1, at: null, folders: { constructor: inbox }, known: '' })],
    ['a memory that was cut', JSON.stringify({ v: 1, at: null, folders: {}, known: 'AAAA' })],
  ])('is refused when it was written by %s', (_whom, text) => {
    expect(parseGraphCursor(API, text)).toBeNull();
  });

  it('never throws on any input', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseGraphCursor(API, text)));
  });
});

describe('KnownMessageIndex', () => {
  it('keeps every message up to its bound, and then the most recently received ones', () => {
    const known = new KnownMessageIndex();
    for (let index = 0; index < 1_500; index++) {
      known.set(`m${index}`, { receivedAt: new Date(index * 1000), role: 'inbox', flags: FLAGS });
    }
    const text = known.toString();
    expect(text.length).toBeLessThan(18_000);
    const read = KnownMessageIndex.parse(text);
    expect(read?.get('m499')).toBeUndefined();
    expect(read?.get('m500')).toBeDefined();
    expect(read?.get('m1499')).toBeDefined();
  });

  it('survives a write and a read in any state', () => {
    const roles = [null, 'inbox', 'promotions', 'junk', 'sent', 'drafts', 'trash', 'archive', 'all'] as const;
    const state = fc.record({
      receivedAt: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000)),
      role: fc.constantFrom(...roles),
      flags: fc.record({ seen: fc.boolean(), answered: fc.boolean(), flagged: fc.boolean(), draft: fc.boolean() }),
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), state), (entries) => {
        const known = new KnownMessageIndex();
        for (const [id, value] of Object.entries(entries)) known.set(id, value);
        const read = KnownMessageIndex.parse(known.toString());
        for (const [id, value] of Object.entries(entries)) expect(read?.get(id)).toEqual(value);
      }),
    );
  });

  it('forgets one folder and not the others', () => {
    const known = new KnownMessageIndex();
    known.set('a', { receivedAt: new Date(0), role: 'inbox', flags: FLAGS });
    known.set('b', { receivedAt: new Date(0), role: 'junk', flags: FLAGS });
    known.forget('inbox');
    expect([known.get('a'), known.get('b')?.role]).toEqual([undefined, 'junk']);
  });
});
