import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { isDatabaseUnavailable, parseId } from '@platform/database';
import { AppError, notFound } from '@platform/errors';
import {
  type CallbackParameters,
  consentSecrets,
  type ConsentSecrets,
  getStateHash,
  redirectWith,
  returnedCode,
} from '@platform/oauth';
import { LogService } from '@platform/observability';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { type ConsentName } from './consent-name';
import { type ConsentOutcome } from './consent-outcome';
import { type ConsentFailures } from './consent.errors';
import { type ConsentOf, OAuthConsentRecord } from './schemas/oauth-consent.record';

/** How long a person may take at the vendor. */
const OPEN_MS = 10 * 60_000;

export interface OpenedConsent<N extends ConsentName> extends Pick<ConsentSecrets, 'state' | 'challenge'> {
  readonly record: ConsentOf<N>;
}

/** A consent whose person has returned with a code, and the plain PKCE verifier. */
export interface ReturnedConsent<N extends ConsentName> {
  readonly consent: ConsentOf<N>;
  readonly code: string;
  readonly verifier: string;
}

/** What is particular to the consents of one domain. */
export interface ConsentUse<N extends ConsentName> {
  readonly failures: ConsentFailures;
  /** The error class of the vendor's adapter, whose messages may be shown. */
  readonly vendorError: abstract new (...args: never[]) => Error;
  /** Exchanges the code and connects. @returns the name of the connected account */
  connect(returned: ReturnedConsent<N>): Promise<string>;
}

type NewConsent<N extends ConsentName> = { readonly name: N } & Pick<OAuthConsentRecord, 'redirectUrl'> &
  Partial<Pick<OAuthConsentRecord, 'site' | 'mailboxId' | 'displayName'>>;

/** OAuth consent sessions of mailboxes, chats and CRMs: opened once, claimed once. */
@Injectable()
export class OAuthConsentSessionsService {
  constructor(
    @InjectModel(OAuthConsentRecord.name) private readonly consents: Model<OAuthConsentRecord>,
    private readonly box: SecretBoxService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  async open<N extends ConsentName>(
    { workspaceId, actor }: WorkspaceScope,
    input: NewConsent<N>,
  ): Promise<OpenedConsent<N>> {
    const _id = new Types.ObjectId();
    const { state, verifier, challenge } = consentSecrets();
    const record = await this.consents.create({
      ...input,
      _id,
      workspaceId,
      status: 'pending',
      stateHash: getStateHash(state),
      verifier: this.box.seal(verifier, consentOwner(workspaceId, _id)),
      startedBy: actor,
      expiresAt: this.clock.in(OPEN_MS),
    });
    return { record: record.toObject<ConsentOf<N>>(), state, challenge };
  }

  /** @throws NOT_FOUND for an unknown one, and for one of something else */
  async get<N extends ConsentName>(
    { workspaceId }: WorkspaceScope,
    names: readonly N[],
    consentId: string,
  ): Promise<ConsentOf<N>> {
    const _id = parseId(consentId);
    const where = { _id, workspaceId, name: { $in: [...names] } };
    const record = _id && (await this.consents.findOne(where).lean<ConsentOf<N>>());
    if (!record) throw notFound('OAuth session');
    return record;
  }

  /**
   * Uses the state, then the code. After a crash only a session remains, which expires.
   * @returns the outcome, also of a failure
   */
  async handleCallback<N extends ConsentName>(
    name: N,
    parameters: CallbackParameters,
    use: ConsentUse<N>,
  ): Promise<ConsentOutcome> {
    const consent = await this.#claim(name, parameters['state']);
    if (!consent?.verifier) return { status: 'unknown' };
    try {
      const code = requireCode(parameters, use.failures);
      const verifier = this.box.open(consent.verifier, consentOwner(consent.workspaceId, consent._id));
      return toOutcome(consent, 'completed', await use.connect({ consent, code, verifier }));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const failure = this.#toFailure(error, consent, use);
      const { _id, workspaceId } = consent;
      await this.consents.updateOne(
        { _id, workspaceId, status: 'exchanging' },
        { $set: { status: 'failed', error: failure } },
      );
      return toOutcome(consent, 'failed', failure.message);
    }
  }

  /** Call it in the transaction that connects. @param connected what a later reader of the session looks for */
  async complete(
    { _id, workspaceId }: OAuthConsentRecord,
    connected: Partial<Pick<OAuthConsentRecord, 'mailboxId'>> = {},
  ): Promise<void> {
    await this.consents.updateOne(
      { _id, workspaceId, status: 'exchanging' },
      { $set: { status: 'completed', ...connected } },
    );
  }

  /** Claims the consent of a state; null for an unknown, used or expired state and for one of another vendor. */
  async #claim<N extends ConsentName>(name: N, state: unknown): Promise<ConsentOf<N> | null> {
    if (typeof state !== 'string') return null;
    return this.consents
      .findOneAndUpdate(
        { stateHash: getStateHash(state), name, status: 'pending', expiresAt: { $gt: this.clock.now() } },
        { $set: { status: 'exchanging', verifier: null } },
        { returnDocument: 'before' },
      )
      .setOptions({ allWorkspaces: 'only the state identifies a person who returns from the vendor' })
      .lean<ConsentOf<N>>();
  }

  /** What the session stores of a failure: our own messages, never input of the browser. */
  #toFailure(
    error: unknown,
    { _id, name }: OAuthConsentRecord,
    { failures, vendorError }: Pick<ConsentUse<ConsentName>, 'failures' | 'vendorError'>,
  ): { code: string; message: string } {
    const sessionId = _id.toHexString();
    const known = error instanceof vendorError ? new AppError(failures.failed, error.message) : error;
    if (known instanceof AppError && known.type.kind !== 'unavailable') {
      const { code, message } = known;
      this.log.info('A consent connected nothing', { sessionId, name, reason: code });
      return { code, message };
    }
    this.log.error('A consent could not be completed', error, { sessionId, name });
    return { code: failures.failed.code, message: 'An internal error occurred; start again' };
  }
}

/** The owner to which the verifier of a consent is sealed. */
export function consentOwner(workspaceId: Types.ObjectId | string, consentId: Types.ObjectId): string {
  return `${String(workspaceId)}/${String(consentId)}/integration-consent/verifier`;
}

/** @throws the domain's error when the vendor sent no code */
function requireCode(parameters: CallbackParameters, failures: ConsentFailures): string {
  const returned = returnedCode(parameters);
  if (returned.code === null) throw new AppError(failures[returned.why], returned.message);
  return returned.code;
}

function toOutcome(
  { _id, redirectUrl }: OAuthConsentRecord,
  status: 'completed' | 'failed',
  message: string,
): ConsentOutcome {
  const target = redirectUrl === null ? null : redirectWith(redirectUrl, _id.toHexString(), status);
  return { status, message, redirectUrl: target };
}
