import { Injectable } from '@nestjs/common';

/** An encrypted secret of the database. */
export interface EncryptedValue {
  /** Record and field for the operator: `<mailbox id> smtp`. Never a secret. */
  readonly label: string;
  readonly ciphertext: string;
  /** The owner that the secret is bound to. */
  readonly owner: string;
  /** Stores `resealed` if the field still has the value `sealed`; false when it has a newer one. */
  replace(resealed: string): Promise<boolean>;
}

/** A collection with encrypted fields. */
export interface SecretStore {
  /** Name of the collection, for the report. */
  readonly name: string;
  /** Every encrypted secret of the collection, read in batches, in an order that writes do not change. */
  values(): AsyncIterable<EncryptedValue>;
}

/** All stores of encrypted secrets; each domain registers its own at start. */
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
