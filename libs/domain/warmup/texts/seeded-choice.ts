import { type Draw, getDraws } from '../plan/seeded-random';
import { type DetailName, type Slot } from './vocabulary';

/** The details of one thread. */
export type ChosenDetails = Readonly<Record<DetailName, string>>;

const ALTERNATIVES = /\[([^[\]]*)\]/g;
const DETAIL = /\{(day|time|project|city)\}/g;

/** Chooses by a seed: the same sequence of calls returns the same results. */
export class SeededChoice {
  private readonly draw: Draw;

  constructor(...seed: readonly (string | number)[]) {
    this.draw = getDraws('warmup text', ...seed);
  }

  /** @throws RangeError for an empty list */
  pick<T>(options: readonly T[]): T {
    const chosen = options[Math.floor(this.draw() * options.length)];
    if (chosen === undefined) throw new RangeError('There is nothing to choose from');
    return chosen;
  }

  /** Returns true with the given probability, 0 to 1. */
  draws(share: number): boolean {
    return this.draw() < share;
  }
}

/**
 * Returns one phrase of a slot with its alternatives chosen and its details filled in. Every sentence but the first begins with a
 * capital, since the first may follow a comma. Empty alternatives leave no blank.
 * @throws RangeError for an empty slot
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

/** Capitalizes the first letter, also after an inverted question mark. */
export function capitalize(text: string): string {
  return text.replace(/^[¿¡]?\p{Ll}/u, (start) => start.toUpperCase());
}
