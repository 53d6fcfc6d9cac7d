import {
  type CheckResult,
  type GmailAccount,
  type GraphAccount,
  type MailDriver,
  type MailSession,
} from '@adapters/mail';
import { type OAuthServer } from './oauth-server';

/** Opens the mailboxes of tokens of the local vendors, for tests around them. */
export class VendorDriver<K extends 'gmail' | 'graph'> implements MailDriver<K> {
  constructor(
    readonly kind: K,
    private readonly server: OAuthServer,
  ) {}

  open(account: Extract<GmailAccount | GraphAccount, { kind: K }>): MailSession {
    const verify = async (): Promise<{ outgoing: CheckResult; incoming: CheckResult }> => {
      const result = await this.#verify(account.token);
      return { outgoing: result, incoming: result };
    };
    return { verify, close: () => Promise.resolve() } as Partial<MailSession> as MailSession;
  }

  async #verify(token: GmailAccount['token']): Promise<CheckResult> {
    const first = await token();
    if (this.server.opens(first) || this.server.opens(await token(first))) return { ok: true };
    return {
      ok: false,
      failure: 'needs-human',
      stage: 'login',
      message: 'The vendor answered 401',
      lastReply: { code: '401', enhancedCode: null, command: 'GET profile', response: 'Invalid Credentials' },
      retryAfterMs: null,
    };
  }
}
