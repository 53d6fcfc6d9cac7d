import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyRing } from './key-ring';

const PURPOSE = 'outreach key mark v1';
const HEX_DIGITS = 16;

/** Tells a key of SECRET_KEYS apart from another one of the same id, without a word about it. */
export interface KeyMark {
  readonly id: string;
  /** Hexadecimal, derived from the key one way. */
  readonly mark: string;
}

/** By which it is found out whether an installation has the keys of another time or place. */
@Injectable()
export class KeyIdRegistry {
  constructor(private readonly keys: KeyRing) {}

  /** Of every key that the installation knows, the current one first. */
  all(): KeyMark[] {
    return this.keys.ids.map((id) => ({ id, mark: this.#getMark(id) ?? '' }));
  }

  /** What is wrong with the keys of this installation for what was stored with those; one sentence each. */
  problems(wanted: readonly KeyMark[]): string[] {
    return wanted.flatMap(({ id, mark }) => {
      const own = this.#getMark(id);
      if (own === null) return [`SECRET_KEYS has no key ${id}`];
      return own === mark ? [] : [`SECRET_KEYS has another key under the id ${id}`];
    });
  }

  #getMark(id: string): string | null {
    const subkey = this.keys.subkey(id, PURPOSE);
    return subkey && createHash('sha256').update(subkey).digest('hex').slice(0, HEX_DIGITS);
  }
}
