import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { MailError } from '@adapters/mail';
import { ClockPort } from '@platform/clock';
import { LeaseService } from '@platform/database';
import { type Grant, TokenRefreshCoalescer, type TokenSource } from '@platform/oauth';
import { SecretBoxService } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';
import { getMailboxSecretOwner } from '../mailbox-secrets';
import { MailboxRecord, type OAuthCredentials } from '../schemas/mailbox.record';
import { MailboxOAuthClient } from './mailbox-oauth.client';
import { parseStoredServiceAccountKey } from './service-account-key';

export interface TokenOwner {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
}

/** A token with less lifetime counts as expired: it would expire during use. */
const MIN_LIFE_MS = 60_000;

type Stored = Pick<MailboxRecord, 'email' | 'provider'> & { oauthCredentials: OAuthCredentials };

/**
 * Access tokens of mailboxes that are connected by consent or service account. Of all concurrent callers in all
 * processes, one asks the vendor and the others read the stored result.
 */
@Injectable()
export class MailboxTokenService {
  readonly #coalescer: TokenRefreshCoalescer;

  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly client: MailboxOAuthClient,
    private readonly box: SecretBoxService,
    leases: LeaseService,
    private readonly clock: ClockPort,
  ) {
    this.#coalescer = new TokenRefreshCoalescer(leases);
  }

  /**
   * Returns a token that is valid for at least another minute, unless the vendor gives only shorter ones.
   * @param refused the token that the vendor has just refused; it is replaced only while it is the stored one
   * @throws MailError `needs-human` when the grant is revoked, `temporary` when no token is available now
   */
  async getToken(owner: TokenOwner, refused?: string): Promise<string> {
    const source: TokenSource<Stored> = {
      name: String(owner.mailboxId),
      read: () => this.#read(owner),
      usable: (stored) => this.#findUsableToken(owner, stored),
      renew: async (stored) => {
        const grant = await this.#renew(owner, stored);
        return (await this.#store(owner, stored.oauthCredentials.version, grant)) ? grant.accessToken : null;
      },
      isRevoked: (error) => error instanceof MailError && error.failure === 'needs-human',
      isSame: (one, other) => one.oauthCredentials.version === other.oauthCredentials.version,
      unavailable,
    };
    return this.#coalescer.token(source, refused);
  }

  #renew(owner: TokenOwner, { email, provider, oauthCredentials }: Stored): Promise<Grant> {
    const { refreshToken, serviceAccountKey } = oauthCredentials;
    if (serviceAccountKey !== null) {
      const key = this.box.open(serviceAccountKey, getTokenSecretOwner(owner, 'serviceAccountKey'));
      return this.client.exchangeServiceAccount(email, parseStoredServiceAccountKey(key));
    }
    if (refreshToken === null || provider === 'custom') throw notAuthorised();
    return this.client.refresh(provider, this.box.open(refreshToken, getTokenSecretOwner(owner, 'refreshToken')));
  }

  /** False when the stored tokens are newer than those that the grant was made from. */
  async #store({ workspaceId, mailboxId }: TokenOwner, version: number, grant: Grant): Promise<boolean> {
    const owner = { workspaceId, mailboxId };
    const { matchedCount } = await this.mailboxes.updateOne(
      { _id: mailboxId, workspaceId, 'oauthCredentials.version': version },
      {
        $set: {
          'oauthCredentials.accessToken': this.box.seal(grant.accessToken, getTokenSecretOwner(owner, 'accessToken')),
          'oauthCredentials.accessTokenExpiresAt': grant.expiresAt,
          ...(grant.refreshToken === null
            ? {}
            : {
                'oauthCredentials.refreshToken': this.box.seal(
                  grant.refreshToken,
                  getTokenSecretOwner(owner, 'refreshToken'),
                ),
              }),
        },
        $inc: { 'oauthCredentials.version': 1 },
      },
      // Use of a mailbox does not change `updatedAt`.
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  async #read({ workspaceId, mailboxId }: TokenOwner): Promise<Stored> {
    const found = await this.mailboxes
      .findOne({ _id: mailboxId, workspaceId }, { email: 1, provider: 1, oauthCredentials: 1 })
      .lean();
    if (!found?.oauthCredentials) throw notAuthorised();
    return { ...found, oauthCredentials: found.oauthCredentials };
  }

  #findUsableToken(owner: TokenOwner, { oauthCredentials }: Stored): string | null {
    const { accessToken, accessTokenExpiresAt } = oauthCredentials;
    if (accessToken === null || accessTokenExpiresAt === null) return null;
    if (accessTokenExpiresAt.getTime() - this.clock.now().getTime() < MIN_LIFE_MS) return null;
    return this.box.open(accessToken, getTokenSecretOwner(owner, 'accessToken'));
  }
}

function getTokenSecretOwner(
  { workspaceId, mailboxId }: TokenOwner,
  secret: Parameters<typeof getMailboxSecretOwner>[2],
): string {
  return getMailboxSecretOwner(workspaceId, mailboxId, secret);
}

function notAuthorised(): MailError {
  return new MailError({ failure: 'needs-human', stage: 'login', message: 'The mailbox is not authorised' });
}

function unavailable(message: string): MailError {
  return new MailError({ failure: 'temporary', stage: 'login', message });
}
