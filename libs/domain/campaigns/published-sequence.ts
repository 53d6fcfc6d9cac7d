import { type Types } from 'mongoose';
import { type CampaignSequenceRecord, type RemovedStep, type SequenceStep } from './schemas/campaign-sequence.record';
import { type Template, type TemplateKind } from './template/template';
import { compileTemplate } from './template/template-compiler';

/** The compiled templates of one variant. */
export interface CompiledVariant {
  readonly subject: Template;
  readonly body: Template;
}

/** A version of a sequence with its templates. A template is compiled on first use. */
export class PublishedSequence {
  readonly campaignId: Types.ObjectId;
  readonly version: number;
  readonly steps: readonly SequenceStep[];
  readonly removed: readonly RemovedStep[];
  readonly #compiled = new Map<string, CompiledVariant>();

  constructor(readonly record: CampaignSequenceRecord) {
    this.campaignId = record.campaignId;
    this.version = record.version;
    this.steps = record.steps;
    this.removed = record.removed;
  }

  /** Length of the text in characters. */
  get size(): number {
    const variants = this.steps.flatMap((step) => step.variants);
    return variants.reduce((sum, { subject, body }) => sum + subject.length + body.length, 1_000);
  }

  /** @throws Error for a variant of another version; stored variant ids always come from this version */
  templates(variantId: { toString(): string }): CompiledVariant {
    const id = String(variantId);
    const known = this.#compiled.get(id);
    if (known) return known;
    const variant = this.steps.flatMap(({ variants }) => variants).find(({ _id }) => String(_id) === id);
    if (!variant) throw new Error(`Version ${this.version} of ${String(this.campaignId)} has no variant ${id}`);
    const compiled = { subject: compiledFor('subject', variant.subject), body: compiledFor('html', variant.body) };
    this.#compiled.set(id, compiled);
    return compiled;
  }
}

/** @throws Error for a stored template that does not compile; publishing accepts only steps that compile */
function compiledFor(kind: TemplateKind, source: string): Template {
  const compiled = compileTemplate(source, kind);
  if (compiled.ok) return compiled.template;
  throw new Error(`A published template does not compile: ${compiled.errors[0]?.message ?? ''}`);
}
