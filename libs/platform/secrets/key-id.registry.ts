import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyRing } from './key-ring';

const PURPOSE = 'outreach key mark v1';
const HEX_DIGITS = 16;

/** Identifies a key of SECRET_KEYS without revealing it, so that another key of the same id is recognised. */
export interface KeyMark {
  readonly id: string;
  /** Hexadecimal, from a one-way derivation of the key. */
  readonly mark: string;
}

/** Compares the keys of this installation with those of a backup. */
@Injectable()
export class KeyIdRegistry {
  constructor(private readonly keys: KeyRing) {}

  /** The marks of all keys, the current one first. */
  all(): KeyMark[] {
    return this.keys.ids.map((id) => ({ id, mark: this.#getMark(id) ?? '' }));
  }

  /** One sentence for each of these keys that this installation lacks. */
  problems(required: readonly KeyMark[]): string[] {
    return required.flatMap(({ id, mark }) => {
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
