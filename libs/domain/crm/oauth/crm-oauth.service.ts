import { CRM_TYPES, CrmError, CrmPort, type CrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import {
  type ConsentOutcome,
  type IntegrationOAuthSessionResponse,
  type IntegrationOAuthStartResponse,
  OAuthConsentSessionsService,
  type ReturnedConsent,
  consentFailure,
  consentFailures,
  consentRedirect,
  scopeOfConsent,
  toIntegrationOAuthSession,
  toIntegrationOAuthStart,
} from '@domain/oauth';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { LeaseService, TransactionService } from '@platform/database';
import { type CallbackParameters, type Grant, OAuthClient, TokenRefreshCoalescer } from '@platform/oauth';
import { SecretBoxService } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';
import { CrmConnectionSettingsService } from '../connections/crm-connection-settings.service';
import { type ConnectionSecret, connectionSecretOwner } from '../connections/crm-secrets';
import { type StartCrmOAuthRequest } from '../connections/dto/crm-oauth-requests.dto';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { type VerifiedAccount, readAccount } from '../connections/verified-account';
import { parseCrmType } from '../parse-crm-type';
import { getAuthUrl, getGrantedBaseUrl, getLoginSite, getTokenUrl } from './crm-addresses';
import { withCrmErrors } from './crm-oauth.errors';
import { getCrmVendor, requireConsentVendor, toOAuthVendor } from './crm-vendors';

/** Minimum lifetime of a token without a refresh token: half a year. */
const MIN_LIFETIME_MS = 180 * 86_400_000;

export interface CrmTokenOwner {
  readonly workspaceId: Types.ObjectId;
  readonly connectionId: Types.ObjectId;
}

/** A token with less remaining time counts as expired: it might not outlive the work. */
const MIN_REMAINING_MS = 60_000;

const READ = {
  type: 1,
  tokenUrl: 1,
  refreshToken: 1,
  accessToken: 1,
  accessTokenExpiresAt: 1,
  tokenVersion: 1,
} as const;

type Stored = Pick<CrmConnectionRecord, keyof typeof READ>;

/**
 * OAuth for CRMs: the consent with its start, session and callback, and the access tokens of the connections. Of all
 * concurrent callers in all processes, one renews a token and the others read the stored one.
 */
@Injectable()
export class CrmOAuthService {
  readonly #coalescer: TokenRefreshCoalescer;

  constructor(
    private readonly crms: CrmPort,
    private readonly sessions: OAuthConsentSessionsService,
    private readonly config: Config,
    private readonly clock: ClockPort,
    private readonly settings: CrmConnectionSettingsService,
    private readonly transactions: TransactionService,
    private readonly client: OAuthClient,
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly box: SecretBoxService,
    leases: LeaseService,
  ) {
    this.#coalescer = new TokenRefreshCoalescer(leases);
  }

  /**
   * Returns the consent address and the session that will hold the outcome. The consenting account is connected to
   * this workspace: give the address to an administrator only.
   * @throws NOT_FOUND for no CRM, INTEGRATION_OAUTH_NOT_CONFIGURED, VALIDATION_ERROR
   */
  async start(
    workspace: WorkspaceScope,
    name: string,
    input: StartCrmOAuthRequest,
  ): Promise<IntegrationOAuthStartResponse> {
    const type = parseCrmType(name);
    const vendor = requireConsentVendor(this.config, this.crms.driver(type));
    const site = getLoginSite(vendor, input.accountUrl);
    const redirectUrl = consentRedirect(input.redirectUrl, this.config.publicUrl);
    const opened = await this.sessions.open(workspace, { name: type, site, redirectUrl });
    const login = toOAuthVendor(vendor, { authUrl: getAuthUrl(vendor, site) });
    return toIntegrationOAuthStart(opened.record, await this.client.createAuthUrl(login, opened));
  }

  /** @throws NOT_FOUND */
  async session(workspace: WorkspaceScope, sessionId: string): Promise<IntegrationOAuthSessionResponse> {
    return toIntegrationOAuthSession(await this.sessions.get(workspace, CRM_TYPES, sessionId), this.clock.now());
  }

  /**
   * Connects the account of a consent; session, connection and audit entry are written together.
   * @throws NOT_FOUND for no CRM; everything else is the outcome
   */
  async handleCallback(name: string, parameters: CallbackParameters): Promise<ConsentOutcome> {
    const type = parseCrmType(name);
    return this.sessions.handleCallback(type, parameters, {
      failures: consentFailures,
      vendorError: CrmError,
      connect: (returned) => this.#connect(returned, parameters),
    });
  }

  /**
   * Returns a token that is valid for at least another minute, unless the vendor issues only shorter ones.
   * @param refused the rejected token; it is renewed only while it is still the stored one
   * @throws CrmError `unauthorised` for a revoked grant, a temporary one when no token is available now
   */
  async getToken(owner: CrmTokenOwner, refused?: string): Promise<string> {
    return this.#coalescer.token<Stored>(
      {
        name: `crm-${owner.connectionId.toHexString()}`,
        read: () => this.#readTokens(owner),
        usable: (stored) => this.#openUsable(owner, stored),
        renew: (stored) => this.#renewToken(owner, stored),
        isRevoked: (error) => error instanceof CrmError && error.failure === 'needs-human',
        isSame: (one, other) => one.tokenVersion === other.tokenVersion,
        unavailable: (message) => new CrmError('server', message),
      },
      refused,
    );
  }

  /** @returns name of the account */
  async #connect(returned: ReturnedConsent<CrmType>, parameters: CallbackParameters): Promise<string> {
    const account = await this.#verifyAccount(returned, parameters);
    const { consent } = returned;
    await this.transactions.run(async () => {
      await this.settings.save(scopeOfConsent(consent), consent.name, account);
      await this.sessions.complete(consent);
    });
    return account.identity.accountName;
  }

  /**
   * Exchanges the code of a consent and verifies the account.
   * @throws INTEGRATION_CONSENT_FAILED, CrmError
   */
  async #verifyAccount(
    { consent: { name: type, site }, code, verifier }: ReturnedConsent<CrmType>,
    parameters: CallbackParameters,
  ): Promise<VerifiedAccount> {
    const driver = this.crms.driver(type);
    const vendor = requireConsentVendor(this.config, driver);
    const tokenUrl = getTokenUrl(vendor, site, parameters);
    const grant = await withCrmErrors(this.client.exchange(toOAuthVendor(vendor, { tokenUrl }), { code, verifier }));
    const { accessToken, expiresAt, refreshToken } = grant;
    // Some vendors issue one permanent token without a refresh token (Attio).
    if (refreshToken === null && expiresAt < this.clock.in(MIN_LIFETIME_MS)) {
      throw consentFailure('failed', 'The vendor gave no lasting access; start again');
    }
    const baseUrl = getGrantedBaseUrl(vendor, grant.answer);
    const auth = { kind: 'token', token: () => Promise.resolve(accessToken) } as const;
    const proof = await readAccount(driver.open({ type, baseUrl, auth }));
    const scopes = grant.scopes ?? vendor.consent.scopes;
    return {
      authMethod: 'consent',
      ...proof,
      baseUrl,
      tokenUrl,
      scopes,
      credentials: { accessToken, expiresAt, refreshToken },
    };
  }

  async #renewToken(
    owner: CrmTokenOwner,
    { type, tokenUrl, refreshToken, tokenVersion }: Stored,
  ): Promise<string | null> {
    // Some vendors issue one permanent token (Attio): a rejected one cannot be renewed.
    if (refreshToken === null || tokenUrl === null) throw createNotRenewableError(type);
    const opened = this.box.open(refreshToken, getSecretOwner(owner, 'refreshToken'));
    const { consent, ...vendor } = getCrmVendor(this.config, this.crms.driver(type));
    // A configuration fault: it ends when the operator configures the client again.
    if (consent === null || vendor.clientId === '')
      throw new CrmError('server', `No OAuth client is set up for ${type}`);
    const grant = await withCrmErrors(this.client.refresh(toOAuthVendor({ ...vendor, consent }, { tokenUrl }), opened));
    return (await this.#storeGrant(owner, tokenVersion, grant)) ? grant.accessToken : null;
  }

  /** False when the stored tokens are newer than those used for the grant. */
  async #storeGrant(owner: CrmTokenOwner, tokenVersion: number, grant: Grant): Promise<boolean> {
    const { workspaceId, connectionId } = owner;
    const { matchedCount } = await this.connections.updateOne(
      { _id: connectionId, workspaceId, tokenVersion },
      {
        $set: {
          accessToken: this.box.seal(grant.accessToken, getSecretOwner(owner, 'accessToken')),
          accessTokenExpiresAt: grant.expiresAt,
          ...(grant.refreshToken !== null && {
            refreshToken: this.box.seal(grant.refreshToken, getSecretOwner(owner, 'refreshToken')),
          }),
        },
        $inc: { tokenVersion: 1 },
      },
      // Its use does not count as a change of a connection.
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  async #readTokens({ workspaceId, connectionId }: CrmTokenOwner): Promise<Stored> {
    const found = await this.connections.findOne({ _id: connectionId, workspaceId }, READ).lean<Stored>();
    if (!found) throw new CrmError('unauthorised', 'The connection was removed');
    return found;
  }

  #openUsable(owner: CrmTokenOwner, { accessToken, accessTokenExpiresAt }: Stored): string | null {
    if (accessToken === null || accessTokenExpiresAt === null) return null;
    if (accessTokenExpiresAt.getTime() - this.clock.now().getTime() < MIN_REMAINING_MS) return null;
    return this.box.open(accessToken, getSecretOwner(owner, 'accessToken'));
  }
}

function getSecretOwner({ workspaceId, connectionId }: CrmTokenOwner, secret: ConnectionSecret): string {
  return connectionSecretOwner(workspaceId, connectionId, secret);
}

function createNotRenewableError(type: CrmType): CrmError {
  return new CrmError('unauthorised', `${type} does not accept the token any more; connect it again`);
}
