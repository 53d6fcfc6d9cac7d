import { createHash } from 'node:crypto';
import { type TokenSignerService } from '@platform/secrets';

const PURPOSE = 'mailbox probe';
/** 100 bits: nobody has it, and nobody guesses it. */
const LENGTH = 20;

/**
 * Local parts that no mailbox has, to learn whether a domain takes everything. Each domain has one that nobody can foresee and that
 * stays the same for as long as the key does: a server with greylisting must be asked again for the same recipient, by whichever
 * worker, and a new one each time would be put off for ever.
 */
export class ControlAddressGenerator {
  constructor(private readonly signer: TokenSignerService) {}

  /** @param domain in lower case */
  at(domain: string): string {
    const digest = createHash('sha256').update(this.signer.sign(PURPOSE, domain)).digest();
    // Base 32 in lower case, so that it looks like the name of nobody and nothing.
    return Array.from(digest.subarray(0, LENGTH), (byte) => (byte % 32).toString(32)).join('');
  }
}
