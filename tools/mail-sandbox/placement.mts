import { nameIn } from './misbehaviour.mts';
import { chance } from './prospect-decision.mts';

/** The folders in which a mailbox provider places incoming mail. */
export type Placement = 'inbox' | 'promotions' | 'spam';

/** Shares from 0 to 1 of the messages, together at most 1; the remaining ones are placed in the inbox. */
export interface PlacementPolicy {
  spam: number;
  promotions: number;
}

/**
 * The IMAP folder of each placement. Spam is in the folder with the special use \Junk (RFC 6154); there is no special use
 * for promotions, so servers that sort them by a rule (Sieve, for example) use an ordinary folder with that name.
 */
export const PLACEMENT_FOLDERS: Readonly<Record<Placement, string>> = {
  inbox: 'INBOX',
  promotions: 'Promotions',
  spam: 'Junk',
};

/** The parts of a message that determine its placement. */
export interface Arriving {
  /** The mailbox. */
  to: string;
  /** A message that is sent again has the same placement. */
  messageId: string;
}

/** Applies a policy by seed, mailbox and message. */
export function placementBy(policy: PlacementPolicy, seed: string, { to, messageId }: Arriving): Placement {
  const at = chance(seed, to, `placement ${messageId}`);
  if (at < policy.spam) return 'spam';
  return at < policy.spam + policy.promotions ? 'promotions' : 'inbox';
}

/** Reads names such as `spam-all`, `promotions-25` and `spam-30-promotions-20` (percent); undefined for other names. */
export function policyInName(address: string): PlacementPolicy | undefined {
  const name = nameIn(address);
  const parts = [...name.matchAll(/(spam|promotions)-(all|\d{1,2})/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('-') !== name) return undefined;
  const policy: PlacementPolicy = { spam: 0, promotions: 0 };
  for (const [, placement, share = ''] of parts) {
    policy[placement as keyof PlacementPolicy] += share === 'all' ? 1 : Number(share) / 100;
  }
  return isPolicy(policy) ? policy : undefined;
}

export function isPolicy({ spam, promotions }: PlacementPolicy): boolean {
  return [spam, promotions, spam + promotions].every((share) => share >= 0 && share <= 1);
}
