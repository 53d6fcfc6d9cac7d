import { rounds } from '@testing';
import { MOST_IN_THREAD } from '../plan/volume';
import { WARMUP_LANGUAGES, type WarmupLanguage } from '../schemas/warmup.record';
import { getLanguage } from './language-detection';
import { type Correspondent } from './first-name';
import { expansions, flat, getSlots } from './testing/expansions';
import { findScriptFault, findMailTextFault, countWords } from './text-fault';
import { createLibraryScript, MAX_MESSAGES, getPlot } from './thread-script';
import { getTextLibrary } from './text-library';
import { createThreadText, type ThreadTextRequest } from './thread-text';
import { type Answer, type Slot, TOPICS } from './vocabulary';

const ANNA: Correspondent = { displayName: 'Anna Schmidt', address: 'anna@sender.test' };
const BEN: Correspondent = { displayName: null, address: 'ben.miller@receiver.test' };
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
/** A Saturday. */
const DAY = '2026-11-14';
const HOUR = 3_600_000;

const seeds = (count: number): string[] => Array.from({ length: count }, (_, index) => `thread-${index}`);
/** A mail by Anna or Ben; the threads begin at all hours of all days. */
const mail = (language: WarmupLanguage, seed: string, position: number, index: number, more: object = {}) => {
  const at = new Date(MONDAY + (index % 7) * 24 * HOUR + (8 + (index % 11)) * HOUR + position * HOUR);
  const [from, to] = position % 2 === 0 ? [ANNA, BEN] : [BEN, ANNA];
  const request: ThreadTextRequest = { language, seed, day: DAY, position, from, to, at, zone: 'UTC', ...more };
  return { ...createThreadText(request), from, at };
};

/** The first and the second sentences of a closing, which are combined. */
const sentencesOf = (slot: Slot): Slot[] => {
  const sayings = slot.map((saying) => saying.split(/(?<=[.!?]) /));
  if (sayings.some(({ length }) => length !== 2)) return [slot];
  return [0, 1].map((place) => sayings.map((sentences) => sentences[place] ?? ''));
};

describe('the text library', () => {
  it('has as many mails per thread as the plan', () => {
    expect(MAX_MESSAGES).toBe(MOST_IN_THREAD);
  });
});

describe.each(WARMUP_LANGUAGES)('the text library in %s', (language) => {
  const library = getTextLibrary(language);
  const details = { day: 'x', time: '10', project: 'Nova', city: 'Lyon' };

  it('has each topic once, with two to four answers', () => {
    expect(library.topics.map(({ name }) => name).toSorted()).toEqual([...TOPICS].toSorted());
    for (const { answers } of library.topics) expect([2, 3, 4]).toContain(answers.length);
    expect(library.details.day).toHaveLength(5);
  });

  it('has no spam word and no placeholder in any combination of variants', () => {
    const faults = getSlots(library).flatMap(([where, slot]) =>
      expansions(slot, details).flatMap((text) => {
        const fault = text === '' ? 'nothing' : findMailTextFault(text, language);
        return fault === null ? [] : [`${where}: ${fault}: ${text}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('writes complete threads in one language with 15 to 120 words per mail', () => {
    const faults: string[] = [];
    for (const [index, seed] of seeds(rounds(300, 60)).entries()) {
      const script = createLibraryScript({ language, seed, day: DAY });
      const fault = findScriptFault(script, language);
      if (fault !== null) faults.push(`${fault}: ${JSON.stringify(script)}`);
      for (let position = 0; position < MAX_MESSAGES; position += 1) {
        const { text } = mail(language, seed, position, index);
        const words = countWords(text);
        const wrong = words < 15 || words > 120 ? `${words} words` : findMailTextFault(text, language);
        if (wrong !== null) faults.push(`${wrong}: ${text}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('has no mail below 15 words, even without names and with the shortest variants', () => {
    const { frame, topics, lastWords, partingWords } = library;
    const least = (...slots: Slot[]) =>
      slots.reduce((sum, slot) => sum + Math.min(...expansions(slot, details).map(countWords)), 0);
    const { greetings, farewells } = frame;
    const nameless = [greetings.always, greetings.morning, greetings.afternoon, greetings.evening].map((slot) =>
      slot.map((greeting) => greeting.replace(/,? \{name\}/, '')),
    );
    const around = least(nameless.flat()) + least(Object.values(farewells).flat()) + least(frame.signOffs);
    const bodies: [string, number][] = [
      ...topics.flatMap(({ name, opening, answers }): [string, number][] => [
        [name, least(...opening)],
        ...answers.flatMap(({ reply, closing }): [string, number][] => [
          [name, least(...reply)],
          [name, least(...closing.flatMap(sentencesOf))],
        ]),
      ]),
      ['last words', least(...lastWords)],
      ['parting words', least(...partingWords)],
    ];
    expect(bodies.filter(([, words]) => around + words < 15)).toEqual([]);
  });

  it('has more than 9 000 distinct openings in 10 000 threads, without greeting and wishes', () => {
    const count = rounds(10_000, 500);
    const bodies = new Set(seeds(count).map((seed) => createLibraryScript({ language, seed, day: DAY }).bodies[0]));
    // Fewer threads have fewer equal openings.
    expect(bodies.size).toBeGreaterThan(rounds(9_000, 493));
  });

  it('never repeats an opening for a pair in a year of two threads a day, and rarely an answer', () => {
    const share = rounds(730, 300) / 730;
    // Without quotes, which differ for each answered mail. The number of threads assumes an answer rate of 45 %.
    const positions = [730, 329, 148, 67, 30].map((count, position) =>
      seeds(Math.round(count * share)).map((seed, index) => mail(language, seed, position, index).text),
    );
    const [opened = 0, ...repeated] = positions.map((texts) => texts.length - new Set(texts).size);
    expect(opened).toBe(0);
    const answers = positions.slice(1).flat().length;
    expect(repeated.reduce((sum, count) => sum + count) / answers).toBeLessThan(0.01);
  });

  it('replies to the opening: reply and closing belong to the same answer of the topic', () => {
    for (const seed of seeds(rounds(60, 20))) {
      const plot = getPlot({ language, seed, day: DAY });
      const topic = library.topics.find(({ name }) => name === plot.topic);
      const [opening = '', reply = '', closing = ''] = createLibraryScript({ language, seed, day: DAY }).bodies.map(
        flat,
      );
      const said = (slots: readonly (readonly string[])[] = []) => expansions(slots[0] ?? [], plot.details).map(flat);
      const begins = (text: string) => (beginning: string) => text.startsWith(beginning);
      expect(said(topic?.opening).some(begins(opening))).toBe(true);
      const fitting = topic?.answers.filter((answer) => said(answer.reply).some(begins(reply))) ?? [];
      const firstSentences = (answer: Answer) => said(answer.closing).map((text) => text.split(/(?<=[.!?]) /)[0] ?? '');
      expect(fitting.some((answer) => firstSentences(answer).some(begins(closing)))).toBe(true);
    }
  });

  it('keeps the proposed day in the whole thread', () => {
    const days = new Set<string>();
    for (const seed of seeds(rounds(400, 100))) {
      const { topic, details: chosen } = getPlot({ language, seed, day: DAY });
      // Some texts also mention Friday and Monday.
      if (topic === 'weekend-event') continue;
      const spoken = createLibraryScript({ language, seed, day: DAY }).bodies.join(' ').toLowerCase();
      const named = library.details.day.filter((day) => spoken.includes(day.toLowerCase()));
      expect([[], [chosen.day]]).toContainEqual(named);
      for (const day of named) days.add(day);
    }
    expect(days.size).toBe(4);
  });

  it('names a weekday that is neither the current nor the next one, so that no mail names today', () => {
    const [monday, tuesday, , thursday, friday] = library.details.day;
    const named = (day: string) => new Set(seeds(60).map((seed) => getPlot({ language, seed, day }).details.day));
    const without = (...days: (string | undefined)[]) =>
      new Set(library.details.day.filter((day) => !days.includes(day)));
    expect(named('2026-11-16')).toEqual(without(monday, tuesday));
    expect(named('2026-11-19')).toEqual(without(thursday, friday));
    expect(named('2026-11-20')).toEqual(without(friday, monday));
    expect(named('2026-11-21')).toEqual(without(monday));
  });

  it('is distinguishable from the other languages by its words', () => {
    const detected = seeds(100).map((seed) =>
      getLanguage(createLibraryScript({ language, seed, day: DAY }).bodies.join(' ')),
    );
    expect(new Set(detected)).toEqual(new Set([language]));
  });
});
