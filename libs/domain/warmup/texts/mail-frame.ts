import { getLocal } from '@platform/time';
import { type WarmupLanguage } from '../schemas/warmup.record';
import { capitalize, SeededChoice, type ChosenDetails, expandSlot } from './seeded-choice';
import { getTextLibrary } from './text-library';
import { type ByWeekday, type Frame, type Slot } from './vocabulary';

/** Greeting and close around the body of a mail. */
export interface MailFrame {
  readonly greeting: string;
  /** First sentence; empty for none. */
  readonly opener: string;
  /** Last sentence. */
  readonly farewell: string;
  /** Whether it is used in a mail that is long enough without it. */
  readonly saysFarewell: boolean;
  readonly signOff: string;
}

/** Input of a mail frame. */
export interface FrameFacts {
  readonly language: WarmupLanguage;
  readonly position: number;
  /** Name of the reader; null when unknown. */
  readonly reader: string | null;
  readonly at: Date;
  /** IANA zone of the writer. */
  readonly zone: string;
}

const MORNING = 5;
/** Shares of openings that begin with a wish, and of mails that end with one. */
const OPENER_SHARE = 0.7;
const FAREWELL_SHARE = { opening: 0.7, other: 0.5 };
/** Frames are independent of the topic. */
const NO_DETAILS: ChosenDetails = { day: '', time: '', project: '', city: '' };

/** Creates greeting, wishes and close for the weekday and time of the writer. */
export function createMailFrame({ language, position, reader, at, zone }: FrameFacts, chance: SeededChoice): MailFrame {
  const { frame } = getTextLibrary(language);
  const { weekday, time } = getLocal(at, zone);
  const say = (slot: Slot) => expandSlot(slot, chance, NO_DETAILS);
  const greeting = say(listGreetings(frame, Number(time.slice(0, 2)), reader)).replace('<name>', () => reader ?? '');
  const opener = say(listSayings(frame.wishes, weekday));
  const farewell = capitalize(say(listSayings(frame.farewells, weekday)));
  return {
    greeting,
    opener: position === 0 && chance.draws(OPENER_SHARE) ? opener : '',
    farewell,
    saysFarewell: chance.draws(position === 0 ? FAREWELL_SHARE.opening : FAREWELL_SHARE.other),
    signOff: say(frame.signOffs),
  };
}

/** Returns the text after a greeting, with the first letter in the case of the language. */
export function joinToGreeting(greeting: string, text: string, language: WarmupLanguage): string {
  return greeting.endsWith(',') && getTextLibrary(language).frame.goesOnAfterComma ? text : capitalize(text);
}

function listGreetings({ greetings, noon, evening }: Frame, hour: number, reader: string | null): string[] {
  const { always, morning, afternoon } = greetings;
  const timely = hour < MORNING ? [] : hour < noon ? morning : hour < evening ? afternoon : greetings.evening;
  // The name is inserted last, so that nothing in it is taken for a placeholder.
  return [...always, ...timely].map((greeting) =>
    greeting.replace(/(,?) \{name\}/, reader === null ? '' : '$1 <name>'),
  );
}

function listSayings({ always, monday, midweek, friday }: ByWeekday, weekday: number): Slot {
  if (weekday > 5) return always;
  return [...always, ...(weekday === 1 ? monday : weekday === 5 ? friday : midweek)];
}
