import { getWeekday } from '@platform/time';
import { type WarmupLanguage } from '../schemas/warmup.record';
import { capitalize, SeededChoice, type ChosenDetails, expandSlot } from './seeded-choice';
import { getTextLibrary } from './text-library';
import { type Slot, type Topic } from './vocabulary';

/** Mails of the longest thread: opening, answer, closing, last words, parting words. Each is by the reader of the one before. */
export const MAX_MESSAGES = 5;

/**
 * What two people write each other in a thread, without greetings, signatures and quotes, which depend on who writes when.
 * Plain data, fit to be stored. Paragraphs are separated by an empty line.
 */
export interface ThreadScript {
  readonly subject: string;
  /** One for each position. The first letter is a capital only where it is one after a comma. */
  readonly bodies: readonly string[];
}

/** What decides on the texts of a thread. */
export interface ThreadSeed {
  readonly language: WarmupLanguage;
  /** One for each thread; alike ones give texts that have nothing in common. */
  readonly seed: string;
  /** YYYY-MM-DD on which it begins: nobody writes "on Friday" on a Friday, or on a Thursday of the day after. */
  readonly day: string;
}

/** What a thread is about. */
export interface ThreadPlot {
  /** Its name. */
  readonly topic: string;
  readonly details: ChosenDetails;
}

const MONDAY = 1;
const FRIDAY = 5;
/** How often the last sentence of a body stands in a paragraph of its own. */
const BREAKS = 0.5;

/** The topic and the details that a seed decides on. */
export function getPlot(thread: ThreadSeed): ThreadPlot {
  const { topic, details } = createPlot(thread, new SeededChoice(thread.language, thread.seed));
  return { topic: topic.name, details };
}

/**
 * A thread out of the library: its opening, one of the answers that fit it, and what follows. The same seed
 * always gives the same one. A language has millions of openings.
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

/** Of sayings with two sentences each whichever first one may be followed by whichever second one. */
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
