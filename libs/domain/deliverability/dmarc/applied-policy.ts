import { failing, noting, warning, type Problem } from '../check';
import { POLICIES, type DmarcRecord, type Policy } from './dmarc-record';

/** Position of the domain below the record that applies to it. */
export type PolicyScope = 'own' | 'subdomain' | 'absent_subdomain';

export interface AppliedPolicy {
  /** Requested policy for mail of this domain. */
  readonly requested: Policy;
  /** Policy that receivers apply: one step less than requested in test mode. */
  readonly effective: Policy;
  readonly testing: boolean;
}

export interface PolicyReading {
  /** null: receivers do not apply DMARC. */
  readonly policy: AppliedPolicy | null;
  readonly problems: readonly Problem[];
}

/**
 * Returns the policy for mail of a domain (RFC 9989, section 4.10.1): `p` for its own, `sp` for existing subdomains, `np` for
 * non-existing ones, each with the former as default. A record without a valid policy counts as `none` if it names a report
 * address, and is ignored otherwise.
 */
export function getAppliedPolicy(record: DmarcRecord, scope: PolicyScope): PolicyReading {
  const flaw = findPolicyFlaw(record);
  if (flaw === null) return tested(record, getRequestedPolicy(record, scope));
  if (!record.rua.some(({ kind }) => kind !== 'invalid')) {
    const message = `Receivers apply no DMARC: ${flaw}, and the record has no report address (rua). Write p=quarantine or p=reject.`;
    return { policy: null, problems: [failing('policy_invalid', message)] };
  }
  const message = `Receivers take the policy for none: ${flaw}. Write p=quarantine or p=reject.`;
  const policy = { requested: 'none', effective: 'none', testing: record.testing } as const;
  return { policy, problems: [warning('policy_invalid', message)] };
}

function findPolicyFlaw({ p, subdomainPolicyInvalid }: DmarcRecord): string | null {
  if (p === null) return 'the DMARC record has no valid p';
  return subdomainPolicyInvalid ? 'sp or np of the DMARC record is not valid' : null;
}

function getRequestedPolicy({ p, sp, np }: DmarcRecord, scope: PolicyScope): Policy {
  const own = p ?? 'none';
  if (scope === 'own') return own;
  return scope === 'subdomain' ? (sp ?? own) : (np ?? sp ?? own);
}

function tested({ testing }: DmarcRecord, requested: Policy): PolicyReading {
  const effective = testing ? oneStepLess(requested) : requested;
  const policy = { requested, effective, testing };
  if (requested === 'none') {
    const message =
      'The DMARC policy is none: forged mail of the domain is delivered like any other. When the reports show that your own mail passes, change it to quarantine and then to reject.';
    return { policy, problems: [warning('policy_none', message)] };
  }
  if (!testing) return { policy, problems: [] };
  const message = `The DMARC record is in test mode (t=y): receivers treat the policy ${requested} as ${effective}. Remove t=y when the reports show that your own mail passes.`;
  const problem = effective === 'none' ? warning('test_mode', message) : noting('test_mode', message);
  return { policy, problems: [problem] };
}

function oneStepLess(policy: Policy): Policy {
  return POLICIES[Math.max(POLICIES.indexOf(policy) - 1, 0)] ?? 'none';
}
