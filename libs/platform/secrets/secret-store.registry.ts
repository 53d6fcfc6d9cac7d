import { Injectable } from '@nestjs/common';

/** One sealed secret as it lies in the database. */
export interface EncryptedValue {
  /** Names the record and its field for the operator: `<mailbox id> smtp`. Never a secret. */
  readonly label: string;
  readonly sealed: string;
  /** Whom it is sealed for. */
  readonly owner: string;
  /** Stores `resealed` if the field still holds `sealed`; false when somebody was faster: then theirs is newer. */
  replace(resealed: string): Promise<boolean>;
}

/** A collection with sealed fields. */
export interface SecretStore {
  /** What the report calls it: the collection's name. */
  readonly name: string;
  /** Every sealed secret of the collection, read in batches, in an order that writing does not change. */
  values(): AsyncIterable<EncryptedValue>;
}

/** All places where sealed secrets are kept; each domain that has some adds its own when it is started. */
@Injectable()
export class SecretStoreRegistry {
  readonly #stores = new Map<string, SecretStore>();

  add(store: SecretStore): void {
    this.#stores.set(store.name, store);
  }

  /** In alphabetical order. */
  all(): readonly SecretStore[] {
    return [...this.#stores.values()].sort((a, b) => a.name.localeCompare(b.name));
  }
}
