import { type Draw, getDraws } from '../plan/seeded-random';
import { type DetailName, type Slot } from './vocabulary';

/** The details of one thread. */
export type ChosenDetails = Readonly<Record<DetailName, string>>;

const ALTERNATIVES = /\[([^[\]]*)\]/g;
const DETAIL = /\{(day|time|project|city)\}/g;

/** Chooses by a seed: whoever asks for the same things in the same order is given the same ones. */
export class SeededChoice {
  private readonly draw: Draw;

  constructor(...seed: readonly (string | number)[]) {
    this.draw = getDraws('warmup text', ...seed);
  }

  /** @throws RangeError when there is nothing to choose from */
  pick<T>(options: readonly T[]): T {
    const chosen = options[Math.floor(this.draw() * options.length)];
    if (chosen === undefined) throw new RangeError('There is nothing to choose from');
    return chosen;
  }

  /** True as often as the share says, 0 to 1. */
  draws(share: number): boolean {
    return this.draw() < share;
  }
}

/**
 * One of the sayings of a slot with its alternatives chosen and its details filled in: a sentence or some. Each but the
 * first begins with a capital; that one may follow a comma. An alternative that is empty leaves no blank behind.
 * @throws RangeError for a slot without sayings
 */
export function expandSlot(slot: Slot, chance: SeededChoice, details: ChosenDetails): string {
  return chance
    .pick(slot)
    .replace(ALTERNATIVES, (_, options: string) => chance.pick(options.split('|')))
    .replace(DETAIL, (_, name: DetailName) => details[name])
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.](?:\s|$))/g, '')
    .trim()
    .replace(/(?<=[.!?] [¿¡]?)\p{Ll}/gu, (start) => start.toUpperCase());
}

/** With a capital at its beginning, after an inverted question mark as well. */
export function capitalize(text: string): string {
  return text.replace(/^[¿¡]?\p{Ll}/u, (start) => start.toUpperCase());
}
