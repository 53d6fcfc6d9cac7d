import { WARMUP_LANGUAGES } from '../schemas/warmup.record';
import { type Correspondent } from './first-name';
import { type ThreadScript } from './thread-script';
import { createThreadText, type ThreadTextRequest } from './thread-text';

const ANNA: Correspondent = { displayName: 'Anna Schmidt', address: 'anna@sender.test' };
const BEN: Correspondent = { displayName: 'Miller, Ben', address: 'ben@receiver.test' };
/** A Wednesday, 10:00 in Berlin. */
const WEDNESDAY = new Date('2026-11-18T09:00:00Z');
const REQUEST: ThreadTextRequest = {
  language: 'en',
  seed: 'thread',
  day: '2026-11-18',
  position: 0,
  from: ANNA,
  to: BEN,
  at: WEDNESDAY,
  zone: 'Europe/Berlin',
};
const written = (more: Partial<ThreadTextRequest> = {}) => createThreadText({ ...REQUEST, ...more });
/** The openings or endings of many threads. */
const lines = (at: 'first' | 'all', more: Partial<ThreadTextRequest>): string[] =>
  Array.from({ length: 400 }, (_, index) => written({ ...more, seed: `${index}` }).text).flatMap((text) =>
    at === 'first' ? text.split('\n').slice(0, 1) : text.split('\n'),
  );
const SCRIPT: ThreadScript = { subject: 'Plans', bodies: ['first one.', 'Second.', 'Third.', 'Fourth.', 'Fifth.'] };

describe('the text of a thread’s mail', () => {
  it('is the same for the same request and differs with the seed', () => {
    expect(written()).toEqual(written());
    expect(written({ seed: 'other' }).text).not.toBe(written().text);
  });

  it('greets the recipient by name and is signed by the sender', () => {
    const { text } = written();
    expect(text.split('\n')[0]).toMatch(/^[\w ]+ Ben[,!]$/);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^Anna( Schmidt)?$/);
    const answer = written({ position: 1, from: BEN, to: ANNA }).text;
    expect(answer.split('\n')[0]).toMatch(/^[\w ]+ Anna[,!]$/);
    expect(answer.trimEnd().split('\n').at(-1)).toBe('Ben');
  });

  it.each(WARMUP_LANGUAGES)('greets a person without a name in %s without a gap', (language) => {
    const unnamed = { displayName: 'Support', address: 'support@receiver.test' };
    for (const greeting of lines('first', { language, to: unnamed, from: unnamed })) {
      expect(greeting).toMatch(/^\p{Lu}[\p{L}ï ]*\p{L} ?[,:!]$/u);
    }
    const { text } = written({ language, from: unnamed });
    expect(text.trimEnd().split('\n').at(-1)).not.toContain('Support');
  });

  it.each([
    ['2026-11-18T05:30:00Z', /^(Hi|Hello|Good morning|Morning) Ben/],
    ['2026-11-18T10:59:00Z', /^(Hi|Hello|Good morning|Morning) Ben/],
    ['2026-11-18T11:00:00Z', /^(Hi|Hello|Good afternoon) Ben/],
    ['2026-11-18T17:00:00Z', /^(Hi|Hello|Good evening) Ben/],
    ['2026-11-18T01:00:00Z', /^(Hi|Hello) Ben/],
  ])('at %s greets by the time of day in Berlin: %s', (at, pattern) => {
    const greetings = new Set(lines('first', { at: new Date(at) }));
    for (const greeting of greetings) expect(greeting).toMatch(pattern);
    const timely = [...greetings].some((greeting) => /orning|afternoon|evening/.test(greeting));
    expect(timely).toBe(at !== '2026-11-18T01:00:00Z');
  });

  it.each([
    ['Monday', '2026-11-16', ['had a', 'start to the week'], ['great weekend!', 'rest of the week']],
    ['Wednesday', '2026-11-18', ['rest of the week'], ['weekend', 'start to the week']],
    ['Friday', '2026-11-20', ['great weekend!', 'The week has'], ['rest of the week', 'start to the week']],
    ['Saturday', '2026-11-21', ['great day'], ['great weekend!', 'your week', 'the week!', 'The week has']],
  ])('contains wishes that fit a %s', (_day, date, said, unsaid) => {
    // The bodies also mention Saturdays and weeks.
    const spoken = lines('all', { at: new Date(`${date}T12:00:00Z`), script: SCRIPT }).join('\n');
    for (const words of said) expect(spoken).toContain(words);
    for (const words of unsaid) expect(spoken).not.toContain(words);
  });

  it('uses the script of the thread when there is one', () => {
    const { subject, text } = written({ script: SCRIPT });
    expect(subject).toBe('Plans');
    expect(text).toMatch(/[Ff]irst one\./);
    expect(written({ script: SCRIPT, position: 4 }).text).toContain('Fifth.');
  });

  it('continues in lower case after a comma where the language does so, and nowhere else', () => {
    const german = lines('all', { language: 'de', script: { ...SCRIPT, bodies: ['leider nicht.'] } });
    for (const [index, line] of german.entries()) {
      if (!line.startsWith('leider nicht.')) continue;
      expect(german[index - 2]).toMatch(/,$/);
    }
    expect(german).toEqual(expect.arrayContaining(['leider nicht.', 'Leider nicht.']));
    expect(lines('all', { script: SCRIPT })).not.toContain('first one.');
  });

  it('is rejected for a position beyond the thread', () => {
    for (const position of [-1, 5, 0.5]) expect(() => written({ position })).toThrow(RangeError);
  });
});

describe('an answer', () => {
  const previous = {
    from: ANNA,
    at: WEDNESDAY,
    text: 'Hi Ben,\r\n\r\nLunch?\r\n\r\nOn … Ben wrote:\r\n> Hm\r\n>> Ah\r\n',
  };
  const answer = (more: Partial<ThreadTextRequest> = {}) =>
    written({ position: 1, from: BEN, to: ANNA, at: new Date('2026-11-18T13:00:00Z'), previous, ...more });

  it('quotes the answered mail as mail programs do', () => {
    const { text } = answer();
    expect(text).toMatch(
      /\nBen\n\nOn Wed, Nov 18, 2026 at 10:00 AM Anna Schmidt <anna@sender\.test> wrote:\n> Hi Ben,\n>\n> Lunch\?\n>\n> On … Ben wrote:\n>> Hm\n>>> Ah\n$/,
    );
  });

  it('quotes in HTML with nested quotes and escapes the quoted text', () => {
    const { html } = answer({ previous: { ...previous, text: '<img src=x onerror=alert(1)> & "so"\n\n> <b>it</b>' } });
    expect(html).not.toMatch(/<img|<b>/);
    expect(html).toContain('<p>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;so&quot;</p>');
    expect(html.match(/<blockquote type="cite"/g)).toHaveLength(2);
    expect(html.match(/<\/blockquote>/g)).toHaveLength(2);
    expect(html).toMatch(/&lt;b&gt;it&lt;\/b&gt;<\/p>\n<\/blockquote>\n<\/blockquote>\n$/);
  });

  it('quotes at most 20 000 characters and no half character', () => {
    const { text } = answer({ previous: { ...previous, text: `${'x'.repeat(19_999)}\u{1f600}${'y'.repeat(10_000)}` } });
    expect(text.length).toBeLessThan(21_000);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('y'.repeat(100));
  });

  it.each([
    ['en', 'On Wed, Nov 18, 2026 at 10:00 AM Anna Schmidt <anna@sender.test> wrote:'],
    ['de', 'Am Mi., 18. Nov. 2026 um 10:00 Uhr schrieb Anna Schmidt <anna@sender.test>:'],
    ['fr', 'Le mer. 18 nov. 2026 à 10:00, Anna Schmidt <anna@sender.test> a écrit :'],
    ['es', 'El mié, 18 nov 2026 a las 10:00, Anna Schmidt <anna@sender.test> escribió:'],
    ['pt', 'Em qua., 18 de nov. de 2026 às 10:00, Anna Schmidt <anna@sender.test> escreveu:'],
    ['nl', 'Op wo 18 nov 2026 om 10:00 schreef Anna Schmidt <anna@sender.test>:'],
    ['it', 'Il giorno mer 18 nov 2026 alle ore 10:00 Anna Schmidt <anna@sender.test> ha scritto:'],
  ] as const)(
    'in %s has an attribution line with sender and time, in the zone of the answering person',
    (language, line) => {
      expect(answer({ language }).text.split('\n')).toContain(line);
      const late = answer({ language, zone: 'Pacific/Auckland' }).text;
      expect(late).toMatch(/\b(22:00|10:00 PM)/);
    },
  );

  it.each([
    [{ displayName: '', address: 'anna@sender.test' }, 'at 10:00 AM <anna@sender.test> wrote:'],
    [{ displayName: 'A "x" <evil@x.test>\r\nBcc: y', address: 'a@b.test' }, 'A x evil@x.test Bcc: y <a@b.test> wrote:'],
  ])('names %j in one line', (from, end) => {
    expect(answer({ previous: { ...previous, from } }).text).toContain(end);
  });

  it('has the subject of the thread with the reply prefix of the sender’s mail program', () => {
    const marks = new Set<string>();
    for (let index = 0; index < 40; index += 1) {
      const from = { displayName: null, address: `ben.${index}@receiver.test` };
      const of = (position: number) => answer({ language: 'de', script: SCRIPT, from, position }).subject;
      expect(of(3)).toBe(of(1));
      marks.add(of(1));
    }
    expect([...marks].toSorted()).toEqual(['AW: Plans', 'Re: Plans']);
  });

  it('quotes nothing when there is nothing to quote', () => {
    const { text, html } = answer({ previous: undefined });
    expect(text).not.toContain('>');
    expect(html).not.toContain('blockquote');
  });
});

describe('the HTML of a mail', () => {
  it('contains the same text as the plain text', () => {
    for (const language of WARMUP_LANGUAGES) {
      const { text, html } = written({ language });
      const bare = html
        .replace(/<br>\n/g, '\n')
        .replace(/<\/p>\n/g, '\n\n')
        .replace(/<[^>]+>/g, '');
      const entities: Record<string, string> = { quot: '"', '#39': "'", amp: '&' };
      const decoded = bare.replace(/&([^;]+);/g, (found, name: string) => entities[name] ?? found);
      expect(decoded.trim()).toBe(text.trim());
      expect(html).not.toMatch(/https?:|<a|<img|style=/);
    }
  });
});
