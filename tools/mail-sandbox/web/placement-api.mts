import type { Maildirs } from '../maildir.mts';
import { isPolicy, PLACEMENT_FOLDERS, type PlacementPolicy } from '../placement.mts';
import type { PlacementPolicies, PolicyOwner } from '../placement-policies.mts';
import { json, RequestError, type Reply } from './reply.mts';

/** `GET`, `PUT` and `DELETE` of `/api/mailboxes/:address/placement` and `/api/senders/:address/placement`. */
export async function answerPlacement(
  { placements, maildirs }: { placements: PlacementPolicies; maildirs: Maildirs },
  method: string,
  [owner, address]: [PolicyOwner, string],
  body: () => Promise<Buffer>,
): Promise<Reply | undefined> {
  if (method === 'DELETE') return json({ deleted: placements.remove(owner, address) });
  if (method === 'PUT') {
    const policy = readPolicy(await body());
    // A connected client looks for new folders only now and then.
    if (owner === 'mailboxes' && policy.promotions > 0)
      await maildirs.makeFolder(address, PLACEMENT_FOLDERS.promotions);
    placements.set(owner, address, policy);
    return json(policy);
  }
  if (method !== 'GET') return undefined;
  const policy = placements.get(owner, address);
  if (!policy) throw new RequestError(404, `no placement was set for ${address}`);
  return json(policy);
}

/** `{"spam": 0.3, "promotions": 0.2}`; an omitted share is 0. */
function readPolicy(body: Buffer): PlacementPolicy {
  let given: unknown;
  try {
    given = JSON.parse(body.toString());
  } catch {
    // Rejected below.
  }
  if (typeof given !== 'object' || given === null) throw refusal();
  const { spam = 0, promotions = 0, ...rest } = given as Partial<PlacementPolicy>;
  const policy = { spam, promotions };
  if (Object.keys(rest).length > 0 || ![spam, promotions].every(Number.isFinite) || !isPolicy(policy)) throw refusal();
  return policy;
}

const refusal = (): RequestError =>
  new RequestError(400, 'the body must be {"spam": …, "promotions": …}, shares from 0 to 1 and together at most 1');
