import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { placementBy, policyInName, type Arriving, type Placement, type PlacementPolicy } from './placement.mts';

/** The owner of a policy: a mailbox's policy applies to its incoming mail, a sender's (its reputation) to its outgoing mail. */
export type PolicyOwner = 'mailboxes' | 'senders';

type Policies = Record<PolicyOwner, Map<string, PlacementPolicy>>;

/**
 * The placement of incoming mail. The first existing policy applies: the mailbox's, the sender's, or the one in the mailbox name.
 * Without a policy, mail is placed in the inbox. Policies are stored in a file for the next start.
 */
export class PlacementPolicies {
  readonly #file: string;
  readonly #seed: string;
  readonly #policies: Policies;

  /** Reads the file of an earlier run; a missing or truncated file counts as empty. */
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

  /** Returns whether there was one. */
  remove(owner: PolicyOwner, address: string): boolean {
    const existed = this.#policies[owner].delete(address.toLowerCase());
    if (existed) this.#write();
    return existed;
  }

  /** The placement of this message in that mailbox; `from` is the envelope sender. */
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
