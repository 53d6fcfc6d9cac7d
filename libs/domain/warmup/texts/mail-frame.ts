import { getLocal } from '@platform/time';
import { type WarmupLanguage } from '../schemas/warmup.record';
import { capitalised, SeededChoice, type ChosenDetails, say } from './seeded-choice';
import { textLibrary } from './text-library';
import { type ByWeekday, type Frame, type Slot } from './vocabulary';

/** What stands around the body of a mail. */
export interface MailFrame {
  readonly greeting: string;
  /** First sentence; empty for none. */
  readonly wish: string;
  /** Last sentence. */
  readonly farewell: string;
  /** Whether it is said where the mail is long enough without it. */
  readonly saysFarewell: boolean;
  readonly signOff: string;
}

/** What a frame depends on. */
export interface FrameFacts {
  readonly language: WarmupLanguage;
  readonly turn: number;
  /** Name of the reader, null when it is not known. */
  readonly reader: string | null;
  readonly at: Date;
  /** IANA zone of the writer. */
  readonly zone: string;
}

const MORNING = 5;
/** Shares of mails with a wish at their beginning, openings only, and with one at their end. */
const WISHES = 0.7;
const FAREWELLS = { opening: 0.7, other: 0.5 };
/** Frames are the same whatever a thread is about. */
const NO_DETAILS: ChosenDetails = { day: '', time: '', project: '', city: '' };

/** Greeting, wishes and the close, as they are said on that weekday and at that time of the writer's day. */
export function mailFrame({ language, turn, reader, at, zone }: FrameFacts, chance: SeededChoice): MailFrame {
  const { frame } = textLibrary(language);
  const { weekday, time } = getLocal(at, zone);
  const saying = (slot: Slot) => say(slot, chance, NO_DETAILS);
  const greeting = saying(greetingsAt(frame, Number(time.slice(0, 2)), reader)).replace('<name>', () => reader ?? '');
  const wish = saying(sayingsOn(frame.wishes, weekday));
  const farewell = capitalised(saying(sayingsOn(frame.farewells, weekday)));
  return {
    greeting,
    wish: turn === 0 && chance.happens(WISHES) ? wish : '',
    farewell,
    saysFarewell: chance.happens(turn === 0 ? FAREWELLS.opening : FAREWELLS.other),
    signOff: saying(frame.signOffs),
  };
}

/** What follows a greeting, with its first letter as the language has it there. */
export function afterGreeting(greeting: string, text: string, language: WarmupLanguage): string {
  return greeting.endsWith(',') && textLibrary(language).frame.goesOnAfterComma ? text : capitalised(text);
}

function greetingsAt({ greetings, noon, evening }: Frame, hour: number, reader: string | null): string[] {
  const { always, morning, afternoon } = greetings;
  const timely = hour < MORNING ? [] : hour < noon ? morning : hour < evening ? afternoon : greetings.evening;
  // A name is put in last, so that nothing in it is taken for a spin.
  return [...always, ...timely].map((greeting) =>
    greeting.replace(/(,?) \{name\}/, reader === null ? '' : '$1 <name>'),
  );
}

function sayingsOn({ always, monday, midweek, friday }: ByWeekday, weekday: number): Slot {
  if (weekday > 5) return always;
  return [...always, ...(weekday === 1 ? monday : weekday === 5 ? friday : midweek)];
}
