import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { consentSecrets, type ConsentSecrets, getStateHash } from '@platform/oauth';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { type IntegrationName } from './integration-name';
import { OAuthConsentRecord } from './schemas/oauth-consent.record';

/** How long a person may take at the vendor. */
const OPEN_MS = 10 * 60_000;

export interface OpenedConsent extends Pick<ConsentSecrets, 'state' | 'challenge'> {
  readonly record: OAuthConsentRecord;
}

/** A claimed consent with the plain PKCE verifier. */
export interface ClaimedConsent {
  readonly consent: OAuthConsentRecord;
  readonly verifier: string;
}

/** OAuth consent sessions of the chat and the CRMs: opened once, claimed once. */
@Injectable()
export class OAuthConsentSessionsService {
  constructor(
    @InjectModel(OAuthConsentRecord.name) private readonly consents: Model<OAuthConsentRecord>,
    private readonly box: SecretBoxService,
    private readonly clock: ClockPort,
  ) {}

  async open(
    { workspaceId, actor }: WorkspaceScope,
    input: Pick<OAuthConsentRecord, 'name' | 'site' | 'redirectUrl'>,
  ): Promise<OpenedConsent> {
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
    return { record: record.toObject<OAuthConsentRecord>(), state, challenge };
  }

  /** @throws NOT_FOUND for an unknown one, and for one of something else */
  async get(
    { workspaceId }: WorkspaceScope,
    names: readonly IntegrationName[],
    consentId: string,
  ): Promise<OAuthConsentRecord> {
    const _id = parseId(consentId);
    const where = { _id, workspaceId, name: { $in: [...names] } };
    const record = _id && (await this.consents.findOne(where).lean<OAuthConsentRecord>());
    if (!record) throw notFound('OAuth session');
    return record;
  }

  /** Claims the consent of a state; null for an unknown, used or expired state and for one of another vendor. */
  async claim(name: IntegrationName, state: unknown): Promise<ClaimedConsent | null> {
    if (typeof state !== 'string') return null;
    const found = await this.consents
      .findOneAndUpdate(
        { stateHash: getStateHash(state), name, status: 'pending', expiresAt: { $gt: this.clock.now() } },
        { $set: { status: 'exchanging', verifier: null } },
        { returnDocument: 'before' },
      )
      .setOptions({ allWorkspaces: 'only the state identifies a person who returns from the vendor' })
      .lean<OAuthConsentRecord>();
    if (!found?.verifier) return null;
    return { consent: found, verifier: this.box.open(found.verifier, consentOwner(found.workspaceId, found._id)) };
  }

  /** Call it in the transaction that connects. */
  async complete({ _id, workspaceId }: OAuthConsentRecord): Promise<void> {
    await this.consents.updateOne({ _id, workspaceId, status: 'exchanging' }, { $set: { status: 'completed' } });
  }

  async fail(
    { _id, workspaceId }: OAuthConsentRecord,
    error: { readonly code: string; readonly message: string },
  ): Promise<void> {
    await this.consents.updateOne({ _id, workspaceId, status: 'exchanging' }, { $set: { status: 'failed', error } });
  }
}

/** The owner to which the verifier of a consent is sealed. */
export function consentOwner(workspaceId: Types.ObjectId | string, consentId: Types.ObjectId): string {
  return `${String(workspaceId)}/${String(consentId)}/integration-consent/verifier`;
}
