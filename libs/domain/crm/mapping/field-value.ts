import { type CrmFieldType, type CrmValue } from '@adapters/crm';
import { findValueFault } from '@domain/leads';
import { type MappingRule } from './field-rule';

/** A value in terms of the other side, or why it has none there. */
export type Converted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Between several choices in one text: what may stand within one is a comma, not this. */
const SEPARATOR = ';';
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', '0']);
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const DAY = /^(\d{4}-\d{2}-\d{2})(?:$|T)/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** What a text of a lead is for the CRM. Empty text empties the field. What does not fit is not written. Pure. */
export function valueForCrm(rule: MappingRule, text: string): Converted<CrmValue> {
  if (text.trim() === '') return { ok: true, value: null };
  if (rule.type === 'choices') return choicesForCrm(rule, text);
  const meant = rule.values !== null && Object.hasOwn(rule.values, text) ? (rule.values[text] ?? '') : text;
  const read = READ[rule.type ?? 'text'];
  return read ? read(meant.trim()) : rule.type === 'choice' ? choiceOf(rule, meant) : textOf(rule, meant);
}

/** Types whose values are no texts of their own. */
const READ: Readonly<Partial<Record<CrmFieldType, (text: string) => Converted<CrmValue>>>> = {
  number: numberOf,
  boolean: booleanOf,
  day: dayOf,
  instant: instantOf,
};

/** What a value of the CRM is for a lead; empty where there is none. What a lead cannot have is not taken. Pure. */
export function valueForLead(rule: MappingRule, value: CrmValue): Converted<string> {
  const converted = rule.type === 'choices' ? choicesForLead(rule, value) : oneForLead(rule, value);
  if (!converted.ok) return converted;
  const fault = findValueFault({ name: rule.lead, value: converted.value });
  return fault === null ? converted : { ok: false, reason: fault };
}

/** Whether a text of a lead is what the CRM has, however each writes it: `5.0` and 5, `Yes` and true. Pure. */
export function saysTheSame(rule: MappingRule, text: string, value: CrmValue): boolean {
  const ours = valueForCrm(rule, text);
  return ours.ok && canonical(rule, ours.value) === canonical(rule, value);
}

function canonical(rule: MappingRule, value: CrmValue): string {
  const read = rule.type === 'choices' ? choicesForLead({ ...rule, values: null }, value) : null;
  if (read?.ok) return JSON.stringify(itemsOf(read.value).toSorted());
  if (value === null || value === '') return '';
  if (typeof value === 'object') return value.length === 0 ? '' : JSON.stringify(value.toSorted());
  if (rule.type === 'instant' && typeof value === 'string') {
    const at = instantOf(value);
    return at.ok ? String(at.value) : value;
  }
  return String(value).trim();
}

function numberOf(text: string): Converted<CrmValue> {
  const number = Number(text);
  if (!DECIMAL.test(text) || !Number.isFinite(number)) return { ok: false, reason: 'is no number' };
  return { ok: true, value: Object.is(number, -0) ? 0 : number };
}

function booleanOf(text: string): Converted<CrmValue> {
  const word = text.toLowerCase();
  if (YES.has(word)) return { ok: true, value: true };
  return NO.has(word) ? { ok: true, value: false } : { ok: false, reason: 'is neither true nor false' };
}

/** An instant counts as its day in UTC. */
function dayOf(text: string): Converted<CrmValue> {
  const day = DAY.exec(text)?.[1];
  const instant = instantOf(text);
  if (day === undefined || !instant.ok) return { ok: false, reason: 'is no day like 2026-12-31' };
  return { ok: true, value: String(instant.value).slice(0, 10) };
}

function instantOf(text: string): Converted<CrmValue> {
  const at = INSTANT.test(text) ? new Date(text) : null;
  if (at === null || Number.isNaN(at.getTime()) || !isRealDay(text)) {
    return { ok: false, reason: 'is no time like 2026-12-31T12:00:00.000Z' };
  }
  return { ok: true, value: at.toISOString() };
}

/** JavaScript takes the 31st of February for the 3rd of March. */
function isRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  const at = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

function textOf({ maxLength }: MappingRule, text: string): Converted<CrmValue> {
  if (maxLength === null || text.length <= maxLength) return { ok: true, value: text };
  return { ok: false, reason: `is longer than the ${maxLength} characters of the field` };
}

/** Options are the account's own; people do not write them with the same capitals everywhere. */
function choiceOf({ options }: MappingRule, text: string): Converted<string> {
  if (options === null || options.includes(text)) return { ok: true, value: text };
  const wanted = text.trim().toLowerCase();
  const found = options.find((option) => option.trim().toLowerCase() === wanted);
  return found === undefined
    ? { ok: false, reason: 'is none of the options of the field' }
    : { ok: true, value: found };
}

function choicesForCrm(rule: MappingRule, text: string): Converted<CrmValue> {
  const chosen: string[] = [];
  for (const item of itemsOf(text)) {
    const meant = rule.values !== null && Object.hasOwn(rule.values, item) ? (rule.values[item] ?? '') : item;
    const choice = choiceOf(rule, meant);
    if (!choice.ok) return choice;
    if (!chosen.includes(choice.value)) chosen.push(choice.value);
  }
  return { ok: true, value: chosen.length === 0 ? null : chosen };
}

/** Some vendors give several choices as one text with the same separator. */
function choicesForLead(rule: MappingRule, value: CrmValue): Converted<string> {
  if (value === null) return { ok: true, value: '' };
  const items = typeof value === 'object' ? value : itemsOf(String(value));
  const named = items.map((item) => backwards(rule, item));
  if (named.some((item) => item.includes(SEPARATOR))) {
    return { ok: false, reason: `has a choice with a ${SEPARATOR} in it` };
  }
  return { ok: true, value: named.join(`${SEPARATOR} `) };
}

function oneForLead(rule: MappingRule, value: CrmValue): Converted<string> {
  if (value === null) return { ok: true, value: '' };
  if (typeof value === 'object') return { ok: true, value: value.join(`${SEPARATOR} `) };
  return { ok: true, value: backwards(rule, String(value)) };
}

function backwards({ values }: MappingRule, text: string): string {
  if (values === null) return text;
  for (const [lead, crm] of Object.entries(values)) if (crm === text) return lead;
  return text;
}

function itemsOf(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
