import { type ErrorDetail } from '@platform/errors';
import { type SequenceStep, type StepVariant } from './schemas/campaign-sequence.record';
import { compileTemplate } from './template/template-compiler';
import { type TemplateKind } from './template/template';

/** Bytes of UTF-8 of all subjects and bodies: a version is one document, and one request. */
const MAX_TOTAL = 900_000;

/**
 * Returns what prevents a publication, by field: a variant without subject or body, a template that does not
 * compile (with line and column), no enabled variant, too much text. Pure.
 * @param simple per step: whether it was sent with one subject and body of its own, without variants
 */
export function sequenceErrors(steps: readonly SequenceStep[], simple: readonly boolean[]): ErrorDetail[] {
  const errors = steps.flatMap((step, at) => stepErrors(step, `sequence.${at}`, simple[at] ?? false));
  const total = steps.flatMap(({ variants }) => variants).reduce((sum, variant) => sum + countBytes(variant), 0);
  if (total <= MAX_TOTAL) return errors;
  return [
    ...errors,
    { field: 'sequence', message: `sequence must have at most ${MAX_TOTAL / 1000} kB of text in all` },
  ];
}

function stepErrors({ order, variants }: SequenceStep, field: string, isSimple: boolean): ErrorDetail[] {
  const unused = variants.every(({ weight }) => weight === 0);
  const none = { field: `${field}.variants`, message: `${field}.variants must have one with a weight above 0` };
  const own = variants.flatMap((variant, at) =>
    variantErrors(variant, isSimple && at === 0 ? field : `${field}.variants.${at}`, order === 0),
  );
  return unused ? [none, ...own] : own;
}

function variantErrors({ subject, body, weight }: StepVariant, field: string, isFirst: boolean): ErrorDetail[] {
  const missing: ErrorDetail[] = [];
  if (weight > 0 && isFirst && subject.trim() === '') {
    missing.push({ field: `${field}.subject`, message: `${field}.subject must not be empty in the first step` });
  }
  if (weight > 0 && body.trim() === '') {
    missing.push({ field: `${field}.body`, message: `${field}.body must not be empty` });
  }
  return [
    ...missing,
    ...templateErrors(subject, 'subject', `${field}.subject`),
    ...templateErrors(body, 'html', `${field}.body`),
  ];
}

function templateErrors(source: string, kind: TemplateKind, field: string): ErrorDetail[] {
  const compiled = compileTemplate(source, kind);
  if (compiled.ok) return [];
  return compiled.errors.map(({ message, line, column }) => ({
    field,
    message: `${field}, line ${line}, column ${column}: ${message}`,
  }));
}

function countBytes({ subject, body }: StepVariant): number {
  return Buffer.byteLength(subject) + Buffer.byteLength(body);
}
