import { type CrmConsent } from '../port/crm-consent';
import { type CrmAccount } from '../port/crm-account';
import { type CrmDriver, CrmPort } from '../port/crm.port';
import { CrmError, type CrmReason } from '../port/crm.errors';
import { type CrmField } from '../port/crm-person';
import { type CrmSession } from '../port/crm-session';
import { CRM_TYPES, type CrmType } from '../port/crm-type';
import { CrmStore } from './crm-store';
import { type FakeAccount, type FakeCall, FakeCrmSession, type FakeRefusal } from './fake-session';

/** The outcome of the next call of one kind or of any kind. */
export type FakeScript =
  | { readonly fails: CrmReason; readonly retryAfterMs?: number; readonly field?: string }
  /** No response until the caller aborts. */
  | 'silence'
  /** The call takes effect but its response is lost, so writes and recordings are ambiguous. */
  | 'lost'
  /** The call takes no effect and its response is lost. */
  | 'cut';

/** An in-memory CRM that fulfils the port, with scripted faults. Its ids are `f000000001` and so on. */
export class FakeCrm implements CrmDriver, FakeAccount {
  readonly ways = ['key', 'consent'] as const;
  readonly consent: CrmConsent = {
    scopes: ['people'],
    scopeSeparator: ' ',
    authParameters: {},
    clientAuth: 'body',
    hasProofKey: false,
    baseUrlField: null,
    defaultLifeSeconds: 3_600,
    baseUrlDomains: [],
  };
  readonly store = new CrmStore((n) => `f${String(n).padStart(9, '0')}`);
  /** Calls so far, including failed ones. */
  readonly calls: FakeCall[] = [];
  /** Names of missing or deleted fields; every other name exists. */
  readonly missingFields = new Set<string>();
  /** Returned by `fields()`. */
  fields: CrmField[] = [];
  /** Refused tokens and keys. */
  readonly refusedTokens = new Set<string>();
  /** Addresses of people whose creation or change is refused. */
  readonly refusals = new Map<string, FakeRefusal>();
  /** Whether a person is created even if the address exists, as at some vendors. */
  allowsDuplicates = false;
  limits = { page: 200, find: 100, read: 100, write: 100, record: 100 };
  readonly #script: { readonly call: FakeCall | null; readonly what: FakeScript }[] = [];

  constructor(readonly type: CrmType) {}

  /** @param call the call to script; null for the next call of any kind */
  next(what: FakeScript, call: FakeCall | null = null): void {
    this.#script.push({ call, what });
  }

  open(account: CrmAccount): CrmSession {
    return new FakeCrmSession(this, account);
  }

  /** The outcome of this call. @throws CrmError when it fails by script */
  async begins(call: FakeCall, { auth }: CrmAccount, signal?: AbortSignal): Promise<'lost' | 'cut' | null> {
    signal?.throwIfAborted();
    this.calls.push(call);
    await this.#letsIn(auth);
    const at = this.#script.findIndex((one) => one.call === null || one.call === call);
    const [scripted] = at === -1 ? [] : this.#script.splice(at, 1);
    if (!scripted) return null;
    const { what } = scripted;
    if (what === 'lost' || what === 'cut') return what;
    if (what === 'silence') return waitForAbort(signal);
    throw new CrmError(what.fails, `The CRM fails: ${what.fails}`, what);
  }

  async #letsIn(auth: CrmAccount['auth']): Promise<void> {
    const refused = new CrmError('unauthorised', 'The CRM answered 401');
    if (auth.kind === 'key') {
      if (this.refusedTokens.has(auth.key)) throw refused;
      return;
    }
    const token = await auth.token();
    if (!this.refusedTokens.has(token)) return;
    const fresh = await auth.token(token);
    if (fresh === token || this.refusedTokens.has(fresh)) throw refused;
  }
}

function waitForAbort(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}

/** All six CRMs, each with its own people. */
export class FakeCrms extends CrmPort {
  readonly #fakes = new Map<CrmType, FakeCrm>(CRM_TYPES.map((type) => [type, new FakeCrm(type)]));

  override driver(type: CrmType): FakeCrm {
    const fake = this.#fakes.get(type);
    if (!fake) throw new Error(`No CRM ${type as string}`);
    return fake;
  }
}
