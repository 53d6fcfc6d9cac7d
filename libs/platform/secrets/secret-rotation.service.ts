import { Injectable } from '@nestjs/common';
import { SecretBoxService } from './secret-box.service';
import { SecretStoreRegistry, type EncryptedValue } from './secret-store.registry';
import { SecretOpenError } from './secrets.errors';

/** A secret that could not be decrypted, with the reason; never its content. */
export interface RotationFailure {
  readonly store: string;
  readonly secret: string;
  readonly reason: string;
}

export interface RotationReport {
  readonly dryRun: boolean;
  /** Re-encrypted with the current key; in a dry run those that would be. */
  readonly resealed: number;
  readonly alreadyCurrent: number;
  readonly failed: number;
  /** The first hundred. */
  readonly failures: readonly RotationFailure[];
  /** Number of secrets by key after the run: a key that is absent here can be removed from SECRET_KEYS. */
  readonly keysInUse: Readonly<Record<string, number>>;
  readonly currentKey: string;
}

const NAMED_FAILURES = 100;

/**
 * Re-encrypts all secrets of older keys with the current key. Each secret is updated separately with a guard on its old value,
 * so that the rotation can be interrupted, repeated, and run beside all other work. The operator adds the new key behind the
 * old one (`k1,k2`) in every process, then puts it in front (`k2,k1`), runs the rotation, and keeps `k2` alone.
 */
@Injectable()
export class SecretRotationService {
  constructor(
    private readonly box: SecretBoxService,
    private readonly stores: SecretStoreRegistry,
  ) {}

  async run({ dryRun }: { dryRun: boolean }): Promise<RotationReport> {
    let [resealed, alreadyCurrent, failed] = [0, 0, 0];
    const failures: RotationFailure[] = [];
    for (const store of this.stores.all()) {
      for await (const value of store.values()) {
        const outcome = await this.#rotate(value, dryRun);
        if (outcome === 'resealed') resealed += 1;
        else if (outcome === 'current') alreadyCurrent += 1;
        else {
          failed += 1;
          if (failures.length < NAMED_FAILURES)
            failures.push({ store: store.name, secret: value.label, reason: outcome.reason });
        }
      }
    }
    const keysInUse = await this.#keysInUse();
    return { dryRun, resealed, alreadyCurrent, failed, failures, keysInUse, currentKey: this.box.currentKeyId };
  }

  async #rotate(
    { ciphertext, owner, replace }: EncryptedValue,
    dryRun: boolean,
  ): Promise<'resealed' | 'current' | { reason: string }> {
    if (this.box.isCurrent(ciphertext)) return 'current';
    try {
      const resealed = this.box.reseal(ciphertext, owner);
      // Another process has replaced it in the meantime, with its own current key: the count by key shows that.
      return dryRun || (await replace(resealed)) ? 'resealed' : 'current';
    } catch (error) {
      if (error instanceof SecretOpenError) return { reason: error.reason };
      throw error;
    }
  }

  async #keysInUse(): Promise<Record<string, number>> {
    const counts = new Map<string, number>();
    for (const store of this.stores.all()) {
      for await (const { ciphertext } of store.values()) {
        const key = this.box.keyIdOf(ciphertext) ?? '(unreadable)';
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    return Object.fromEntries([...counts].sort(([a], [b]) => a.localeCompare(b)));
  }
}
