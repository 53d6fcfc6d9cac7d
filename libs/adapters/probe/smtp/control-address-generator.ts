import { createHash } from 'node:crypto';
import { type TokenSignerService } from '@platform/secrets';

const PURPOSE = 'mailbox probe';
/** 100 bits, so that no mailbox has it and nothing can predict it. */
const LENGTH = 20;

/**
 * Generates local parts that no mailbox has, to detect catch-all domains. Each domain has an unpredictable one that is stable for the
 * life of the key, because a server with greylisting has to be probed again with the same recipient, by any worker.
 */
export class ControlAddressGenerator {
  constructor(private readonly signer: TokenSignerService) {}

  /** @param domain in lower case */
  at(domain: string): string {
    const digest = createHash('sha256').update(this.signer.sign(PURPOSE, domain)).digest();
    // Base 32 in lower case, which resembles no name.
    return Array.from(digest.subarray(0, LENGTH), (byte) => (byte % 32).toString(32)).join('');
  }
}
