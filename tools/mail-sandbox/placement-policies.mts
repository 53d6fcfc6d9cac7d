import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { placementBy, policyInName, type Arriving, type Placement, type PlacementPolicy } from './placement.mts';

/** Whose policy: a mailbox's holds for what arrives there, a sender's (its reputation) for what it sends to anybody. */
export type PolicyOwner = 'mailboxes' | 'senders';

type Policies = Record<PolicyOwner, Map<string, PlacementPolicy>>;

/**
 * Where what arrives is placed. The first policy there is counts: the mailbox's, the sender's, the one in the mailbox's name.
 * Without any, everything is placed in the inbox. Those that were set are kept in a file for the next start.
 */
export class PlacementPolicies {
  readonly #file: string;
  readonly #seed: string;
  readonly #policies: Policies;

  /** Reads what an earlier run wrote there; a file that is missing or cut off is an empty one. */
  constructor(file: string, seed: string) {
    this.#file = file;
    this.#seed = seed;
    this.#policies = read(file);
  }

  get(owner: PolicyOwner, address: string): PlacementPolicy | undefined {
    return this.#policies[owner].get(address.toLowerCase());
  }

  set(owner: PolicyOwner, address: string, policy: PlacementPolicy): void {
    this.#policies[owner].set(address.toLowerCase(), policy);
    this.#write();
  }

  /** Answers whether there was one. */
  remove(owner: PolicyOwner, address: string): boolean {
    const existed = this.#policies[owner].delete(address.toLowerCase());
    if (existed) this.#write();
    return existed;
  }

  /** Where this message is placed in that mailbox; `from` is the envelope's sender. */
  place(message: Arriving & { from: string }): Placement {
    const { to, from } = message;
    const policy = this.get('mailboxes', to) ?? this.get('senders', from) ?? policyInName(to);
    return policy ? placementBy(policy, this.#seed, message) : 'inbox';
  }

  #write(): void {
    const plain = Object.fromEntries(
      Object.entries(this.#policies).map(([owner, map]) => [owner, Object.fromEntries(map)]),
    );
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(plain)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function read(file: string): Policies {
  let kept: Partial<Record<PolicyOwner, Record<string, PlacementPolicy>>> = {};
  try {
    kept = JSON.parse(readFileSync(file, 'utf8')) as typeof kept;
  } catch {
    // There is none yet.
  }
  return {
    mailboxes: new Map(Object.entries(kept.mailboxes ?? {})),
    senders: new Map(Object.entries(kept.senders ?? {})),
  };
}
