import { type StoredRule } from '../connections/schemas/crm-connection.record';

/** A stored mapping rule. */
export function rule(lead: string, crm: string, others: Partial<StoredRule> = {}): StoredRule {
  const usual = {
    direction: 'both',
    overwrite: 'always',
    values: null,
    type: null,
    options: null,
    maxLength: null,
  } as const;
  return { lead, crm, ...usual, ...others };
}

export const MAPPING = [
  rule('firstName', 'first'),
  rule('lastName', 'last'),
  rule('companyName', 'company'),
  rule('city', 'town', { direction: 'pull' }),
  rule('stage', 'stage', { direction: 'push' }),
];
