import { type PublishedSequence } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { type LeadFacts } from '../decide/facts';
import { type EngineLead } from './mailbox-sender-cache';
import { leadFacts, type LeadContext } from './lead-facts';
import { type NextEmail, nextEmail } from './next-email';

/**
 * A lead whose email and facts are computed on first use. A plan reads a batch of leads, but usually takes one of the
 * first.
 */
export class LazyLeadFacts implements EngineLead {
  readonly id: string;
  #email: NextEmail | null | undefined;
  #facts: LeadFacts | undefined;

  constructor(
    readonly record: LeadRecord,
    private readonly sequence: PublishedSequence | null,
    private readonly around: Omit<LeadContext, 'next'>,
  ) {
    this.id = record._id.toHexString();
  }

  get email(): NextEmail | null {
    if (this.#email === undefined) {
      this.#email = nextEmail(this.sequence, { id: this.id, stepId: this.record.stepId });
    }
    return this.#email;
  }

  get facts(): LeadFacts {
    this.#facts ??= leadFacts(this.record, { ...this.around, next: this.email?.templates ?? null });
    return this.#facts;
  }
}
