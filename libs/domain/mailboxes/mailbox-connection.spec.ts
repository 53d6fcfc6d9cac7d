import { type MailFailure } from '@adapters/mail';
import {
  afterFailure,
  afterSuccess,
  toError,
  FAILURES_TO_DISCONNECT,
  createConnection,
  isDown,
} from './mailbox-connection';
import { type MailboxConnection } from './schemas/mailbox.record';

const START = new Date('2026-11-21T08:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const later = (ms: number, from = START): Date => new Date(from.getTime() + ms);

const unreachable: MailFailure = {
  failure: 'temporary',
  stage: 'connect',
  message: 'No connection',
  lastReply: null,
  retryAfterMs: null,
};
const lastReply = (code: string) => ({ code, enhancedCode: null, command: 'AUTH', response: `${code} no` });
const loginRefused: MailFailure = {
  ...unreachable,
  failure: 'needs-human',
  stage: 'login',
  lastReply: lastReply('535'),
};
const grantGone: MailFailure = {
  ...unreachable,
  failure: 'needs-human',
  stage: 'login',
  lastReply: lastReply('invalid_grant'),
};

/** Fails repeatedly, each time as soon as the next check is due. */
function failing(times: number, failure = unreachable, from = createConnection(START)) {
  let connection = from;
  let now = START;
  const told: (string | null)[] = [];
  for (let count = 0; count < times; count++) {
    const failed = afterFailure(connection, failure, 'outgoing', now, 0);
    if (!failed) throw new Error('It should count');
    told.push(failed.disconnected);
    connection = failed.connection;
    now = connection.nextCheckAt ?? now;
  }
  return { connection, now, told };
}

describe('the connection of a mailbox', () => {
  it('is degraded by the first temporary failure and disconnected by the fifth in a row', () => {
    const states = Array.from({ length: 7 }, (_, index) => failing(index + 1).connection.state);
    expect(states).toEqual([...Array<string>(4).fill('degraded'), ...Array<string>(3).fill('disconnected')]);
    expect(failing(7).told).toEqual([null, null, null, null, 'unreachable', null, null]);
    expect(failing(7).connection.failures).toBe(7);
  });

  it('is retried after 1, 5, 15, 30 and then every 60 minutes', () => {
    const waits = Array.from({ length: 7 }, (_, index) => {
      const at = index === 0 ? START : failing(index).now;
      return (failing(index + 1).now.getTime() - at.getTime()) / MINUTE;
    });
    expect(waits).toEqual([1, 5, 15, 30, 60, 60, 60]);
  });

  it('spreads the retries by up to a fifth', () => {
    const wait = (random: number) =>
      afterFailure(createConnection(START), unreachable, null, START, random)!.connection.nextCheckAt!.getTime() -
      START.getTime();
    expect([wait(0), wait(0.5), wait(1)]).toEqual([MINUTE, 1.1 * MINUTE, 1.2 * MINUTE]);
  });

  it.each([
    ['asks for more', 10 * MINUTE, 10 * MINUTE],
    ['asks for less', 1_000, MINUTE],
    ['asks for a year', 365 * 24 * HOUR, 24 * HOUR],
  ])('waits as long as the server asks, within limits: it %s', (_name, retryAfterMs, expected) => {
    const failed = afterFailure(createConnection(START), { ...unreachable, retryAfterMs }, null, START, 0);
    expect(failed!.connection.nextCheckAt).toEqual(later(expected));
  });

  it('counts concurrent failures as one', () => {
    const { connection } = failing(1);
    expect(afterFailure(connection, unreachable, 'incoming', later(MINUTE - 1), 0)).toBeNull();
    expect(afterFailure(connection, unreachable, 'incoming', later(MINUTE), 0)).not.toBeNull();
  });

  it('never reaches the fifth failure before its time', () => {
    const { connection, now } = failing(FAILURES_TO_DISCONNECT - 1);
    expect(afterFailure(connection, unreachable, null, later(-1, now), 0)).toBeNull();
  });

  it.each([
    ['a refused login', loginRefused, 'disconnected', 'login_refused', HOUR],
    ['a revoked grant', grantGone, 'needs_reauthorisation', 'authorisation_gone', 6 * HOUR],
  ] as const)('is down at once after %s, also between two retries', (_name, failure, state, reason, wait) => {
    for (const from of [createConnection(START), failing(1).connection]) {
      const failed = afterFailure(from, failure, null, START, 0)!;
      expect(failed.connection).toMatchObject({ state, since: START, nextCheckAt: later(wait) });
      expect(failed.disconnected).toBe(reason);
    }
  });

  it('reports an outage once, whatever else fails during it', () => {
    const out = failing(5);
    const refused = afterFailure(out.connection, loginRefused, null, out.now, 0)!;
    const revoked = afterFailure(refused.connection, grantGone, null, out.now, 0)!;
    const again = afterFailure(revoked.connection, unreachable, null, later(24 * HOUR), 0)!;
    expect([refused, revoked, again].map(({ disconnected }) => disconnected)).toEqual([null, null, null]);
    expect([refused, revoked, again].map(({ connection }) => connection.state)).toEqual([
      'disconnected',
      'needs_reauthorisation',
      'needs_reauthorisation',
    ]);
  });

  it('records a refused login once until the next retry is due', () => {
    const { connection } = afterFailure(createConnection(START), loginRefused, null, START, 0)!;
    expect(afterFailure(connection, loginRefused, null, later(1), 0)).toBeNull();
  });

  it.each(['busy', 'sender', 'recipient', 'data', 'handover'] as const)('ignores failures at the stage %s', (stage) => {
    for (const failure of ['temporary', 'permanent', 'ambiguous'] as const) {
      expect(afterFailure(createConnection(START), { ...unreachable, failure, stage }, null, START, 0)).toBeNull();
    }
  });

  it('is affected by a request that fails temporarily, not by one that is refused permanently', () => {
    const request = { ...unreachable, stage: 'request' } as const;
    expect(afterFailure(createConnection(START), request, null, START, 0)).not.toBeNull();
    expect(afterFailure(createConnection(START), { ...request, failure: 'permanent' }, null, START, 0)).toBeNull();
    expect(
      afterFailure(createConnection(START), { ...request, stage: 'address', failure: 'permanent' }, null, START, 0),
    ).not.toBeNull();
  });

  it.each([
    ['degraded', failing(1).connection, null],
    ['disconnected', failing(5).connection, failing(4).now],
    ['needs_reauthorisation', failing(1, grantGone).connection, START],
  ] as const)('recovers from %s', (state, connection, reconnected) => {
    expect(connection.state).toBe(state);
    const now = later(HOUR);
    expect(afterSuccess(connection, 'both', now)).toEqual({ connection: createConnection(now), reconnected });
  });

  it('does not change while it works', () => {
    expect(afterSuccess(createConnection(START), 'both', later(1))).toBeNull();
  });

  it.each([
    ['outgoing', 'incoming', false],
    ['outgoing', 'outgoing', true],
    ['outgoing', 'both', true],
    [null, 'incoming', false],
    [null, 'both', true],
  ] as const)('broken in its %s half is repaired by %s: %s', (half, worked, heals) => {
    const broken: MailboxConnection = { ...failing(5).connection, half };
    expect(afterSuccess(broken, worked, later(HOUR)) !== null).toBe(heals);
  });

  it('counts from the beginning again after its recovery', () => {
    const healed = afterSuccess(failing(4).connection, 'both', START)!.connection;
    expect(failing(1, unreachable, healed).connection).toMatchObject({ state: 'degraded', failures: 1 });
  });

  it('keeps the server’s reply verbatim', () => {
    const response = '535-5.7.8 Username and Password not accepted.\n535 5.7.8 https://example.com';
    const failure = { ...loginRefused, lastReply: { ...lastReply('535'), response }, message: 'The login was refused' };
    expect(toError(failure, START)).toEqual({
      code: '535',
      command: 'AUTH',
      response,
      message: 'The login was refused',
      at: START,
    });
    expect(toError(unreachable, START)).toMatchObject({ code: null, command: null, response: '' });
  });

  it('is down if nothing can be sent or read', () => {
    expect((['connected', 'degraded', 'disconnected', 'needs_reauthorisation'] as const).map(isDown)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
