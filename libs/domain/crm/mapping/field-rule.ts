import { type CrmField } from '@adapters/crm';

export const RULE_DIRECTIONS = ['pull', 'push', 'both'] as const;
export type RuleDirection = (typeof RULE_DIRECTIONS)[number];

export const RULE_OVERWRITES = ['always', 'when_empty'] as const;
export type RuleOverwrite = (typeof RULE_OVERWRITES)[number];

/** Which field of a lead goes with which field of the CRM. */
export interface FieldRule {
  /** Field of a person, name of a variable, or what the platform knows of a lead (`VIRTUAL_FIELDS`), which is pushed only. */
  readonly lead: string;
  /** As the API of the CRM names it. */
  readonly crm: string;
  readonly direction: RuleDirection;
  /** Whether a value takes the place of another one that is there, on the side that it goes to. */
  readonly overwrite: RuleOverwrite;
  /** A value of the lead and what the CRM calls it; read backwards when it is pulled. Null: as it is. */
  readonly values: Readonly<Record<string, string>> | null;
}

/** A rule as it is kept: with what the CRM said of its field when the rule was set; null while it was not asked. */
export interface MappingRule extends FieldRule {
  readonly type: CrmField['type'] | null;
  readonly options: readonly string[] | null;
  readonly maxLength: number | null;
}

/** What is known of a lead here and can be told to a CRM, and is never taken from one. */
const VIRTUAL_FIELDS = ['stage', 'optedOut', 'lastContactedAt', 'campaign'] as const;
export type VirtualField = (typeof VIRTUAL_FIELDS)[number];

export function isVirtual(name: string): name is VirtualField {
  return (VIRTUAL_FIELDS as readonly string[]).includes(name);
}
