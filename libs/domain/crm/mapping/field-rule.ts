import { type CrmField } from '@adapters/crm';

export const RULE_DIRECTIONS = ['pull', 'push', 'both'] as const;
export type RuleDirection = (typeof RULE_DIRECTIONS)[number];

export const RULE_OVERWRITES = ['always', 'when_empty'] as const;
export type RuleOverwrite = (typeof RULE_OVERWRITES)[number];

/** The pair of a lead field and a CRM field. */
export interface FieldRule {
  /** A person field, a variable, or a push-only virtual field (`VIRTUAL_FIELDS`). */
  readonly lead: string;
  /** API name at the CRM. */
  readonly crm: string;
  readonly direction: RuleDirection;
  /** Whether a value replaces an existing one on the target side. */
  readonly overwrite: RuleOverwrite;
  /** Lead values and their CRM values, reversed for pulls. Null: unchanged. */
  readonly values: Readonly<Record<string, string>> | null;
}

/** A stored rule with the field metadata at the time it was set; null when unknown. */
export interface MappingRule extends FieldRule {
  readonly type: CrmField['type'] | null;
  readonly options: readonly string[] | null;
  readonly maxLength: number | null;
}

/** Derived lead values that are pushed but never pulled. */
const VIRTUAL_FIELDS = ['stage', 'optedOut', 'lastContactedAt', 'campaign'] as const;
export type VirtualField = (typeof VIRTUAL_FIELDS)[number];

export function isVirtual(name: string): name is VirtualField {
  return (VIRTUAL_FIELDS as readonly string[]).includes(name);
}
