import { CrmError, type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { isDatabaseUnavailable, TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type CallbackParameters } from '@platform/oauth';
import {
  type ClaimedConsent,
  consentFailure,
  consentFailures,
  consentOutcome,
  type ConsentOutcome,
  OAuthConsentSessionsService,
  scopeOfConsent,
} from '@domain/oauth';
import { CrmConnectionGrantService } from '../connections/crm-connection-grant.service';
import { crmNamed } from '../parse-crm-type';
import { CrmConsentProofService } from './crm-consent-proof.service';

/** Takes people in who come back from the vendor of a CRM. */
@Injectable()
export class CrmOAuthCallbackService {
  constructor(
    private readonly sessions: OAuthConsentSessionsService,
    private readonly proof: CrmConsentProofService,
    private readonly grants: CrmConnectionGrantService,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
  ) {}

  /**
   * Uses the state up, then the code, and connects the account; session, connection and audit entry are written together. A process
   * that dies on the way leaves a session that runs out, and nothing else.
   * @throws NOT_FOUND for no CRM; everything else is the outcome
   */
  async handleCallback(name: string, parameters: CallbackParameters): Promise<ConsentOutcome> {
    const type = crmNamed(name);
    const claimed = await this.sessions.claim(type, parameters['state']);
    if (!claimed) return { status: 'unknown' };
    const { consent } = claimed;
    try {
      return consentOutcome(consent, 'completed', await this.#connect(type, claimed, parameters));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const failure = this.#described(error, type, consent._id.toHexString());
      await this.sessions.fail(consent, failure);
      return consentOutcome(consent, 'failed', failure.message);
    }
  }

  /** @returns name of the account */
  async #connect(type: CrmType, claimed: ClaimedConsent, parameters: CallbackParameters): Promise<string> {
    const account = await this.proof.account(type, claimed, parameters);
    await this.transactions.run(async () => {
      await this.grants.save(scopeOfConsent(claimed.consent), type, account);
      await this.sessions.complete(claimed.consent);
    });
    return account.identity.accountName;
  }

  /** What the session keeps of a failure: sentences of ours, never what the browser brought along. */
  #described(error: unknown, crm: CrmType, sessionId: string): { code: string; message: string } {
    const known = error instanceof CrmError ? consentFailure('failed', error.message) : error;
    if (known instanceof AppError && known.type.kind !== 'unavailable') {
      const { code, message } = known;
      this.log.info('A consent connected no CRM', { sessionId, crm, reason: code });
      return { code, message };
    }
    this.log.error('A consent could not be completed', error, { sessionId, crm });
    return { code: consentFailures.failed.code, message: 'Something went wrong on our side; start again' };
  }
}
