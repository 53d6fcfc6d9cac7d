import { inspect } from 'node:util';
import { type CrmAuth } from '../port/crm-account';
import { CrmError, type CrmReason } from '../port/crm.errors';
import { type CrmSession } from '../port/crm-session';
import { type CrmTestEnvironment, type ScriptedReason } from './crm-test-environment';

const FAILURES: readonly (readonly [ScriptedReason, string])[] = [
  ['rate_limited', 'temporary'],
  ['quota', 'temporary'],
  ['server', 'temporary'],
  ['forbidden', 'needs-human'],
  ['rejected', 'permanent'],
];

function catchError(calling: Promise<unknown>): Promise<unknown> {
  return calling.then(
    () => null,
    (error: unknown) => error,
  );
}

/** Calls that only read; they fail as a whole instead of returning a result per person. */
function createReadCalls(session: CrmSession, first: string): (() => Promise<unknown>)[] {
  return [
    () => session.identity(),
    () => session.fields(),
    () => session.pull({ filter: {}, fields: [first], cursor: null }),
    () => session.find(['a@example.com'], [first]),
  ];
}

export function describeFailures(environment: () => CrmTestEnvironment): void {
  it.each(FAILURES)('reports %s, which is %s, for every call', async (reason, failure) => {
    if (!environment().traits.reasons.includes(reason)) return;
    const count = createReadCalls(environment().open(), '').length;
    for (let at = 0; at < count; at += 1) {
      const call = createReadCalls(environment().open(), environment().traits.fields.first)[at];
      environment().fails(reason);
      const error = await catchError(call?.() ?? Promise.resolve());
      expect(error).toBeInstanceOf(CrmError);
      expect(error).toMatchObject({ reason, failure, type: { failure } });
      await call?.();
    }
  });

  it('reports when a retry is allowed, and cools down until then', async () => {
    const session = environment().open();
    const before = Date.now();
    environment().fails('rate_limited', 7_000);
    expect(await catchError(session.identity())).toMatchObject({ reason: 'rate_limited', retryAfterMs: 7_000 });
    expect(session.cooldownUntil?.getTime()).toBeGreaterThanOrEqual(before + 7_000);
  });

  it('a missing response ends with the reason of the signal, immediately when the signal is already aborted', async () => {
    environment().staysSilent();
    const patience = new AbortController();
    const asking = catchError(environment().open().identity(patience.signal));
    const reason = new Error('enough');
    patience.abort(reason);
    expect(await asking).toBe(reason);
    expect(await catchError(environment().open().identity(patience.signal))).toBe(reason);
  });

  it.each(['identity', 'fields', 'pull', 'find', 'read'] as const)(
    'an invalid response to %s is a failure, never an empty result',
    async (call) => {
      const { add, traits, passes } = environment();
      const id = await add({ emails: ['a@example.com'], fields: { [traits.fields.last]: 'A' } });
      passes(3_600_000);
      const session = environment().open();
      if (call !== 'identity' && call !== 'fields') await session.fields();
      environment().garbles(false);
      const asking = {
        identity: () => session.identity(),
        fields: () => session.fields(),
        pull: () => session.pull({ filter: {}, fields: [], cursor: null }),
        find: () => session.find(['a@example.com'], []),
        read: () => session.read([id], []),
      }[call];
      expect(await catchError(asking())).toMatchObject({ reason: 'protocol', failure: 'temporary' });
    },
  );

  it('a connection that breaks during a read is a temporary failure', async () => {
    environment().cuts('before');
    const failing = catchError(environment().open().identity());
    expect(await failing).toMatchObject({ reason: 'unreachable' satisfies CrmReason, failure: 'temporary' });
  });
}

export function describeLostWrites(environment: () => CrmTestEnvironment): void {
  it.each(['before', 'after'] as const)(
    'the creation of a person without a response has an unknown outcome (cut %s)',
    async (when) => {
      const { traits, passes } = environment();
      const session = environment().open();
      // This excludes the reads of a driver before a write.
      await session.fields();
      await session.write([
        { key: 'w', externalId: null, email: 'w@example.com', fields: { [traits.fields.last]: 'W' } },
      ]);
      const write = { key: 'k', externalId: null, email: 'k@example.com', fields: { [traits.fields.last]: 'K' } };
      environment().cuts(when);
      expect(await session.write([write])).toMatchObject([{ key: 'k', kind: 'ambiguous' }]);
      passes(3_600_000);
      const found = await session.find(['k@example.com'], []);
      expect(found).toHaveLength(when === 'after' ? 1 : 0);
    },
  );

  it('a write has an unknown outcome when the response does not come from the API', async () => {
    const { traits, add } = environment();
    const id = await add({ emails: ['there@example.com'], fields: { [traits.fields.last]: 'There' } });
    const session = environment().open();
    await session.fields();
    const fields = { [traits.fields.last]: 'K' };
    for (const externalId of [null, id]) {
      const email = externalId === null ? 'k@example.com' : 'there@example.com';
      environment().garbles(true);
      const write = {
        key: 'k',
        externalId,
        email,
        fields: externalId === null ? fields : { [traits.fields.own]: 'x' },
      };
      expect(await session.write([write])).toMatchObject([{ key: 'k', kind: 'ambiguous' }]);
    }
    // This excludes the requests of a driver before a recording.
    await session.read([id], []);
    const activity = { kind: 'note', direction: null, at: new Date(0), title: 'Title', body: 'Text' } as const;
    environment().garbles(true);
    expect(await session.record([{ ...activity, key: 'k', externalId: id }])).toMatchObject([{ kind: 'ambiguous' }]);
  });

  it('creates nothing while the vendor limits requests', async () => {
    const { traits } = environment();
    const session = environment().open();
    await session.fields();
    const write = { key: 'k', externalId: null, email: 'k@example.com', fields: { [traits.fields.last]: 'K' } };
    environment().fails('rate_limited', 1_000);
    expect(await catchError(session.write([write]))).toMatchObject({ reason: 'rate_limited' });
    expect(environment().size()).toBe(0);
    expect(await session.write([write])).toMatchObject([{ kind: 'created' }]);
  });
}

export function describeTokens(environment: () => CrmTestEnvironment): void {
  /** Returns the next token for each refused one, like a token renewal. */
  const renewing = (tokens: readonly string[]): CrmAuth & { readonly asked: (string | undefined)[] } => {
    const asked: (string | undefined)[] = [];
    let at = 0;
    return {
      kind: 'token',
      asked,
      token: (refused) => {
        asked.push(refused);
        if (refused !== undefined && refused === tokens[at]) at = Math.min(at + 1, tokens.length - 1);
        return Promise.resolve(tokens[at] ?? '');
      },
    };
  };

  it('renews a refused token once and then completes the request', async () => {
    environment().onlyLetsIn('canary-second');
    const auth = renewing(['canary-first', 'canary-second']);
    const { accountId } = await environment().open(auth).identity();
    expect(accountId).not.toBe('');
    expect(auth.asked).toContain('canary-first');
  });

  it('reports that a person is needed when the renewed token is refused too', async () => {
    environment().onlyLetsIn('canary-other');
    for (const auth of [renewing(['canary-first', 'canary-second']), renewing(['canary-only'])]) {
      const session = environment().open(auth);
      const failing = catchError(session.identity());
      expect(await failing).toMatchObject({ reason: 'unauthorised', failure: 'needs-human' });
      expect(auth.asked.filter((refused) => refused !== undefined)).toHaveLength(1);
      expect(session.requests).toBeLessThanOrEqual(2);
    }
  });

  it('never includes a token or key in an error', async () => {
    environment().onlyLetsIn('canary-other');
    const errors = [
      await catchError(
        environment()
          .open(renewing(['canary-first']))
          .identity(),
      ),
      await catchError(
        environment()
          .open({ kind: 'token', token: () => Promise.resolve('canary-first') })
          .fields(),
      ),
    ];
    environment().onlyLetsIn(environment().token);
    for (const reason of environment().traits.reasons) {
      environment().fails(reason);
      errors.push(await catchError(environment().open().identity()));
    }
    for (const error of errors) {
      expect(error).toBeInstanceOf(CrmError);
      expect(inspect(error, { depth: 10 }) + JSON.stringify(error)).not.toContain('canary');
    }
  });
}
