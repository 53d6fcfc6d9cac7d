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

/** Calls that only read, which end with a failure and not with a result for each. */
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

  it('says when it may be tried again, and rests until then', async () => {
    const session = environment().open();
    const before = Date.now();
    environment().fails('rate_limited', 7_000);
    expect(await catchError(session.identity())).toMatchObject({ reason: 'rate_limited', retryAfterMs: 7_000 });
    expect(session.cooldownUntil?.getTime()).toBeGreaterThanOrEqual(before + 7_000);
  });

  it('an answer that does not come ends with the reason of the signal, at once when that was given before', async () => {
    environment().staysSilent();
    const patience = new AbortController();
    const asking = catchError(environment().open().identity(patience.signal));
    const reason = new Error('enough');
    patience.abort(reason);
    expect(await asking).toBe(reason);
    expect(await catchError(environment().open().identity(patience.signal))).toBe(reason);
  });

  it.each(['identity', 'fields', 'pull', 'find', 'read'] as const)(
    'an invalid answer to %s is a failure, never an empty result',
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

  it('a connection that is cut while reading is a failure of the moment', async () => {
    environment().cuts('before');
    const failing = catchError(environment().open().identity());
    expect(await failing).toMatchObject({ reason: 'unreachable' satisfies CrmReason, failure: 'temporary' });
  });
}

export function describeLostWrites(environment: () => CrmTestEnvironment): void {
  it.each(['before', 'after'] as const)('a person of whom no answer came, cut %s, may have been made', async (when) => {
    const { traits, passes } = environment();
    const session = environment().open();
    // What a driver reads before it writes is not meant here.
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
  });

  it('a write that was answered by something else than the API may have happened', async () => {
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
    // What a driver asks before it records is not meant here.
    await session.read([id], []);
    const activity = { kind: 'note', direction: null, at: new Date(0), title: 'Title', body: 'Text' } as const;
    environment().garbles(true);
    expect(await session.record([{ ...activity, key: 'k', externalId: id }])).toMatchObject([{ kind: 'ambiguous' }]);
  });

  it('nothing is made when the vendor has no room', async () => {
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
  /** Gives the next token for each refused one, as one who renews them does. */
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

  it('a refused token is replaced once, and the request is carried out', async () => {
    environment().onlyLetsIn('canary-second');
    const auth = renewing(['canary-first', 'canary-second']);
    const { accountId } = await environment().open(auth).identity();
    expect(accountId).not.toBe('');
    expect(auth.asked).toContain('canary-first');
  });

  it('a token that stays refused needs a person', async () => {
    environment().onlyLetsIn('canary-other');
    for (const auth of [renewing(['canary-first', 'canary-second']), renewing(['canary-only'])]) {
      const session = environment().open(auth);
      const failing = catchError(session.identity());
      expect(await failing).toMatchObject({ reason: 'unauthorised', failure: 'needs-human' });
      expect(auth.asked.filter((refused) => refused !== undefined)).toHaveLength(1);
      expect(session.requests).toBeLessThanOrEqual(2);
    }
  });

  it('no error repeats a token or a key', async () => {
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
