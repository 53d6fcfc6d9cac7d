import { type StoredRule } from '../connections/schemas/crm-connection.record';
import { type MappingRule } from './field-rule';

/** Rules as stored, with values as pairs: they may contain dots and dollars. */
export function toStoredRuleList(rules: readonly MappingRule[]): StoredRule[] {
  return rules.map(({ values, options, ...rule }) => ({
    ...rule,
    values: values && Object.entries(values),
    options: options && [...options],
  }));
}

export function parseStoredRules(stored: readonly StoredRule[]): MappingRule[] {
  return stored.map(({ lead, crm, direction, overwrite, values, type, options, maxLength }) => ({
    lead,
    crm,
    direction,
    overwrite,
    values: values === null ? null : Object.fromEntries(values),
    type,
    options,
    maxLength,
  }));
}
