import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OutboundHttpClient } from '@platform/outbound';
import { TokenSignerService } from '@platform/secrets';
import { trackingHostUnreachable } from '../tracking.errors';
import { TRACKING_PATHS } from '../tracking-urls';

const PURPOSE = 'tracking-host';
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1_000;
const CHALLENGE = /^[\w-]{1,64}$/;

/** Whether a host leads to this installation: asked over the web for an answer that only this one can give. */
@Injectable()
export class HostProofService {
  constructor(
    private readonly signer: TokenSignerService,
    private readonly http: OutboundHttpClient,
  ) {}

  /** What this installation answers; null for what is no challenge. */
  answer(challenge: string): string | null {
    return CHALLENGE.test(challenge) ? this.signer.sign(PURPOSE, challenge) : null;
  }

  /** @throws TRACKING_HOST_UNREACHABLE saying what was found there */
  async ensure(origin: string): Promise<void> {
    const challenge = randomBytes(16).toString('base64url');
    const { status, body } = await this.#ask(origin, challenge);
    if (status === 200 && body.toString('latin1') === this.answer(challenge)) return;
    const what = status === 200 ? 'something else answers there' : `it answers with the status ${status}`;
    throw trackingHostUnreachable(`${origin} does not lead to this platform: ${what}`);
  }

  async #ask(origin: string, challenge: string) {
    try {
      const url = origin + TRACKING_PATHS.proof + challenge;
      return await this.http.request({ url, method: 'GET', timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw trackingHostUnreachable(`${origin} cannot be reached: ${reason}`, error);
    }
  }
}
