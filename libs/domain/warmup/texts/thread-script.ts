import { getWeekday } from '@platform/time';
import { type WarmupLanguage } from '../schemas/warmup.record';
import { capitalize, SeededChoice, type ChosenDetails, expandSlot } from './seeded-choice';
import { getTextLibrary } from './text-library';
import { type Slot, type Topic } from './vocabulary';

/** Mails of the longest thread: opening, answer, closing, last words, parting words, by alternating writers. */
export const MAX_MESSAGES = 5;

/**
 * Texts of a thread without greetings, signatures and quotes, which depend on writer and time. Plain data for storage. Paragraphs
 * are separated by an empty line.
 */
export interface ThreadScript {
  readonly subject: string;
  /** One for each position. The first letter is a capital only where it also is after a comma. */
  readonly bodies: readonly string[];
}

/** Input that determines the texts of a thread. */
export interface ThreadSeed {
  readonly language: WarmupLanguage;
  /** Unique per thread; similar seeds give unrelated texts. */
  readonly seed: string;
  /** YYYY-MM-DD of its first day: a text must not say "on Friday" on a Friday or on the Thursday before. */
  readonly day: string;
}

/** Topic of a thread. */
export interface ThreadPlot {
  /** Name of the topic. */
  readonly topic: string;
  readonly details: ChosenDetails;
}

const MONDAY = 1;
const FRIDAY = 5;
/** Probability that the last sentence of a body is a paragraph of its own. */
const BREAKS = 0.5;

/** Topic and details chosen by a seed. */
export function getPlot(thread: ThreadSeed): ThreadPlot {
  const { topic, details } = createPlot(thread, new SeededChoice(thread.language, thread.seed));
  return { topic: topic.name, details };
}

/**
 * Creates a thread from the library: an opening, a fitting answer, and what follows. The same seed gives the same thread. A
 * language has millions of openings.
 */
export function createLibraryScript(thread: ThreadSeed): ThreadScript {
  const { language, seed } = thread;
  const chance = new SeededChoice(language, seed);
  const { topic, details } = createPlot(thread, chance);
  const { reply, closing } = chance.pick(topic.answers);
  const { lastWords, partingWords } = getTextLibrary(language);
  return {
    subject: capitalize(expandSlot(topic.subjects, chance, details)),
    bodies: [topic.opening, reply, closing.map((slot) => mixParagraphs(slot, chance)), lastWords, partingWords].map(
      (slots) => createBody(slots, chance, details),
    ),
  };
}

function createPlot({ language, day }: ThreadSeed, chance: SeededChoice): { topic: Topic; details: ChosenDetails } {
  const { topics, details } = getTextLibrary(language);
  const today = getWeekday(day);
  const next = today < FRIDAY ? today + 1 : MONDAY;
  return {
    topic: chance.pick(topics),
    details: {
      day: chance.pick(details.day.filter((_, index) => index + 1 !== today && index + 1 !== next)),
      time: chance.pick(details.time),
      project: chance.pick(details.project),
      city: chance.pick(details.city),
    },
  };
}

/** Combines the first and second sentences of two-sentence phrases freely. */
function mixParagraphs(slot: Slot, chance: SeededChoice): Slot {
  const sayings = slot.map((saying) => saying.split(/(?<=[.!?]) /));
  if (sayings.some(({ length }) => length !== 2)) return slot;
  return [[0, 1].map((place) => chance.pick(sayings)[place]).join(' ')];
}

function createBody(slots: readonly Slot[], chance: SeededChoice, details: ChosenDetails): string {
  const said = slots.map((slot, index) => {
    const sentence = expandSlot(slot, chance, details);
    return index === 0 ? sentence : capitalize(sentence);
  });
  if (said.length < 2 || !chance.draws(BREAKS)) return said.join(' ');
  return `${said.slice(0, -1).join(' ')}\n\n${said.at(-1)}`;
}
