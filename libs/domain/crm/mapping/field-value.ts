import { type CrmFieldType, type CrmValue } from '@adapters/crm';
import { findValueFault } from '@domain/leads';
import { type MappingRule } from './field-rule';

/** A converted value, or why it has no equivalent. */
export type Converted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Separates several choices in one text; a choice may contain a comma. */
const SEPARATOR = ';';
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', '0']);
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const DAY = /^(\d{4}-\d{2}-\d{2})(?:$|T)/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** Converts a lead text for the CRM. Empty text clears the field; unsuitable values are not written. Pure. */
export function toCrmValue(rule: MappingRule, text: string): Converted<CrmValue> {
  if (text.trim() === '') return { ok: true, value: null };
  if (rule.type === 'choices') return toCrmChoices(rule, text);
  const meant = rule.values !== null && Object.hasOwn(rule.values, text) ? (rule.values[text] ?? '') : text;
  const read = PARSERS[rule.type ?? 'text'];
  return read ? read(meant.trim()) : rule.type === 'choice' ? parseChoice(rule, meant) : parseText(rule, meant);
}

/** Parsers of the non-text types. */
const PARSERS: Readonly<Partial<Record<CrmFieldType, (text: string) => Converted<CrmValue>>>> = {
  number: parseNumber,
  boolean: parseBoolean,
  day: parseDay,
  instant: parseInstant,
};

/** Converts a CRM value for a lead; empty without one. Unsuitable values are not taken. Pure. */
export function toLeadValue(rule: MappingRule, value: CrmValue): Converted<string> {
  const converted = rule.type === 'choices' ? toLeadChoices(rule, value) : toLeadText(rule, value);
  if (!converted.ok) return converted;
  const fault = findValueFault({ name: rule.lead, value: converted.value });
  return fault === null ? converted : { ok: false, reason: fault };
}

/** Whether a lead text equals a CRM value in any notation: `5.0` and 5, `Yes` and true. Pure. */
export function isSameValue(rule: MappingRule, text: string, value: CrmValue): boolean {
  const ours = toCrmValue(rule, text);
  return ours.ok && toCanonicalText(rule, ours.value) === toCanonicalText(rule, value);
}

function toCanonicalText(rule: MappingRule, value: CrmValue): string {
  const read = rule.type === 'choices' ? toLeadChoices({ ...rule, values: null }, value) : null;
  if (read?.ok) return JSON.stringify(splitItems(read.value).toSorted());
  if (value === null || value === '') return '';
  if (typeof value === 'object') return value.length === 0 ? '' : JSON.stringify(value.toSorted());
  if (rule.type === 'instant' && typeof value === 'string') {
    const at = parseInstant(value);
    return at.ok ? String(at.value) : value;
  }
  return String(value).trim();
}

function parseNumber(text: string): Converted<CrmValue> {
  const number = Number(text);
  if (!DECIMAL.test(text) || !Number.isFinite(number)) return { ok: false, reason: 'is no number' };
  return { ok: true, value: Object.is(number, -0) ? 0 : number };
}

function parseBoolean(text: string): Converted<CrmValue> {
  const normalized = text.toLowerCase();
  if (YES.has(normalized)) return { ok: true, value: true };
  return NO.has(normalized) ? { ok: true, value: false } : { ok: false, reason: 'is neither true nor false' };
}

/** An instant counts as its day in UTC. */
function parseDay(text: string): Converted<CrmValue> {
  const day = DAY.exec(text)?.[1];
  const instant = parseInstant(text);
  if (day === undefined || !instant.ok) return { ok: false, reason: 'is no day like 2026-12-31' };
  return { ok: true, value: String(instant.value).slice(0, 10) };
}

function parseInstant(text: string): Converted<CrmValue> {
  const at = INSTANT.test(text) ? new Date(text) : null;
  if (at === null || Number.isNaN(at.getTime()) || !isRealDay(text)) {
    return { ok: false, reason: 'is no time like 2026-12-31T12:00:00.000Z' };
  }
  return { ok: true, value: at.toISOString() };
}

/** JavaScript reads February 31 as March 3. */
function isRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  const at = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

function parseText({ maxLength }: MappingRule, text: string): Converted<CrmValue> {
  if (maxLength === null || text.length <= maxLength) return { ok: true, value: text };
  return { ok: false, reason: `is longer than the ${maxLength} characters of the field` };
}

/** Options are matched without case. */
function parseChoice({ options }: MappingRule, text: string): Converted<string> {
  if (options === null || options.includes(text)) return { ok: true, value: text };
  const normalized = text.trim().toLowerCase();
  const found = options.find((option) => option.trim().toLowerCase() === normalized);
  return found === undefined
    ? { ok: false, reason: 'is none of the options of the field' }
    : { ok: true, value: found };
}

function toCrmChoices(rule: MappingRule, text: string): Converted<CrmValue> {
  const chosen: string[] = [];
  for (const item of splitItems(text)) {
    const meant = rule.values !== null && Object.hasOwn(rule.values, item) ? (rule.values[item] ?? '') : item;
    const choice = parseChoice(rule, meant);
    if (!choice.ok) return choice;
    if (!chosen.includes(choice.value)) chosen.push(choice.value);
  }
  return { ok: true, value: chosen.length === 0 ? null : chosen };
}

/** Some vendors return several choices as one text with the same separator. */
function toLeadChoices(rule: MappingRule, value: CrmValue): Converted<string> {
  if (value === null) return { ok: true, value: '' };
  const items = typeof value === 'object' ? value : splitItems(String(value));
  const named = items.map((item) => toLeadOption(rule, item));
  if (named.some((item) => item.includes(SEPARATOR))) {
    return { ok: false, reason: `has a choice with a ${SEPARATOR} in it` };
  }
  return { ok: true, value: named.join(`${SEPARATOR} `) };
}

function toLeadText(rule: MappingRule, value: CrmValue): Converted<string> {
  if (value === null) return { ok: true, value: '' };
  if (typeof value === 'object') return { ok: true, value: value.join(`${SEPARATOR} `) };
  return { ok: true, value: toLeadOption(rule, String(value)) };
}

function toLeadOption({ values }: MappingRule, text: string): string {
  if (values === null) return text;
  for (const [lead, crm] of Object.entries(values)) if (crm === text) return lead;
  return text;
}

function splitItems(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
