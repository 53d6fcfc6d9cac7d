import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { consentSecrets, getStateHash } from '@platform/oauth';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { type OAuthSessionResponse, toOAuthSession } from '../dto/oauth.dto';
import { OAuthSessionRecord } from '../schemas/oauth-session.record';
import { type OAuthProviderName } from './oauth-providers';

/** Time limit of a consent. */
const OPEN_MS = 10 * 60_000;

export interface OpenedSession {
  readonly record: OAuthSessionRecord;
  /** In plain text, only for the vendor's address. */
  readonly state: string;
  /** PKCE's S256 challenge. */
  readonly challenge: string;
}

/** A session whose person has returned, with PKCE's verifier in plain text. */
export interface ClaimedSession {
  readonly session: OAuthSessionRecord;
  readonly verifier: string;
}

/** Consent sessions: opened once, claimed once. */
@Injectable()
export class MailboxOAuthSessionRepository {
  constructor(
    @InjectModel(OAuthSessionRecord.name) private readonly sessions: Model<OAuthSessionRecord>,
    private readonly box: SecretBoxService,
    private readonly clock: ClockPort,
  ) {}

  async open(
    { workspaceId, actor }: WorkspaceScope,
    input: { provider: OAuthProviderName } & Pick<OAuthSessionRecord, 'mailboxId' | 'displayName' | 'redirectUrl'>,
  ): Promise<OpenedSession> {
    const _id = new Types.ObjectId();
    const { state, verifier, challenge } = consentSecrets();
    const record = await this.sessions.create({
      ...input,
      _id,
      workspaceId,
      status: 'pending',
      stateHash: getStateHash(state),
      verifier: this.box.seal(verifier, getVerifierOwner(workspaceId, _id)),
      startedBy: actor,
      expiresAt: this.clock.in(OPEN_MS),
    });
    return { record: record.toObject<OAuthSessionRecord>(), state, challenge };
  }

  /** @throws NOT_FOUND */
  async get({ workspaceId }: WorkspaceScope, sessionId: string): Promise<OAuthSessionResponse> {
    const _id = parseId(sessionId);
    const record = _id && (await this.sessions.findOne({ _id, workspaceId }).lean<OAuthSessionRecord>());
    if (!record) throw notFound('OAuth session');
    return toOAuthSession(record, this.clock.now());
  }

  /** Claims the session of a state; null for an unknown, used or expired state and for another vendor. */
  async claim(provider: OAuthProviderName, state: string): Promise<ClaimedSession | null> {
    const found = await this.sessions
      .findOneAndUpdate(
        { stateHash: getStateHash(state), provider, status: 'pending', expiresAt: { $gt: this.clock.now() } },
        { $set: { status: 'exchanging', verifier: null } },
        { returnDocument: 'before' },
      )
      .setOptions({ allWorkspaces: 'only the state identifies a person who returns from the vendor' })
      .lean<OAuthSessionRecord>();
    if (!found?.verifier) return null;
    return { session: found, verifier: this.box.open(found.verifier, getVerifierOwner(found.workspaceId, found._id)) };
  }

  /** Call it in the transaction that connects the mailbox. */
  async complete({ _id, workspaceId }: OAuthSessionRecord, mailboxId: Types.ObjectId): Promise<void> {
    await this.sessions.updateOne(
      { _id, workspaceId, status: 'exchanging' },
      { $set: { status: 'completed', mailboxId } },
    );
  }

  async fail({ _id, workspaceId }: OAuthSessionRecord, error: { code: string; message: string }): Promise<void> {
    await this.sessions.updateOne({ _id, workspaceId, status: 'exchanging' }, { $set: { status: 'failed', error } });
  }
}

/** Whom the verifier of a session is sealed for. */
export function getVerifierOwner(workspaceId: Types.ObjectId | string, sessionId: Types.ObjectId): string {
  return `${String(workspaceId)}/${String(sessionId)}/verifier`;
}
