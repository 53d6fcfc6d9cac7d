import { EventRelayService } from '@domain/events';
import { getConnectionToken } from '@nestjs/mongoose';
import { DEEP, eventually } from '@testing';
import { type Connection } from 'mongoose';
import { expectFormB, type Platform, startPlatform } from '../harness';
import { type Call, plausibleQuestion, question } from './asking';
import { type Answer, Caller, type Question } from './caller';
import { Outside } from './outside';
import { describedRoutes, type Route } from './routes';
import { dump } from './content';
import { createIsolationFixture, type IsolationFixture } from './isolation-fixture';

export const UNKNOWN_ID = '0123456789abcdef01234567';
export const STRANGE_IDS = [
  'x',
  '%00',
  '0'.repeat(24),
  'a'.repeat(5000),
  '..%2Fx',
  '%5Bobject%20Object%5D',
  'undefined',
];

/** One platform with two workspaces and all its routes: all tests of this folder send their requests here. */
export class IsolationEnvironment {
  private constructor(
    readonly platform: Platform,
    readonly outside: Outside,
    readonly caller: Caller,
    readonly routes: readonly Route[],
    /** The workspace whose data must stay isolated. */
    readonly theirs: IsolationFixture,
    /** The workspace of the caller. */
    readonly mine: IsolationFixture,
    private readonly operatorKey: string,
  ) {}

  static async start(): Promise<IsolationEnvironment> {
    const outside = await Outside.start();
    const platform = await startPlatform({ env: outside.env });
    const routes = await describedRoutes(platform.api, outside.bodies);
    const theirs = await createIsolationFixture(platform, outside);
    const mine = await createIsolationFixture(platform, outside);
    const { key } = await platform.seed.person({ operator: true });
    return new IsolationEnvironment(platform, outside, new Caller(platform), routes, theirs, mine, key);
  }

  get guarded(): Route[] {
    return this.routes.filter(({ permission }) => permission !== 'public');
  }

  /** With a key that may use every part of the route, in this fixture. */
  keyFor(route: Route, { owner }: IsolationFixture): string {
    return route.permission === 'operator' ? this.operatorKey : owner.key;
  }

  /** Sends a request with a valid body. */
  ask(route: Route, fixture: IsolationFixture, call: Call): Promise<Answer> {
    return this.caller.ask(plausibleQuestion(route, fixture, call, this.caller.origin));
  }

  /** Sends a request in `mine` with exactly the given parts. */
  send(route: Route, call: Call): Promise<Answer> {
    return this.caller.ask(this.question(route, { key: this.keyFor(route, this.mine), ...call }));
  }

  question(route: Route, call: Call): Question {
    return question(route, this.mine, call);
  }

  dump(): Promise<Record<string, unknown[]>> {
    return dump(this.platform);
  }

  /** Relays the recorded events: to webhooks, chat and CRMs. */
  async eventsRelayed(): Promise<void> {
    const relay = this.platform.app.get(EventRelayService, { strict: false });
    const outbox = this.platform.app.get<Connection>(getConnectionToken()).collection('event_outbox');
    await eventually('all events are relayed', async () => {
      await relay.relay();
      return (await outbox.countDocuments()) === 0;
    });
  }

  async close(): Promise<void> {
    this.caller.close();
    await this.platform.close();
    await this.outside.close();
  }
}

/** Runs the check for each route and collects the failures: one failing test names all of them. */
export async function each<T extends { label: string }>(
  some: readonly T[],
  check: (one: T, index: number) => Promise<void>,
): Promise<void> {
  expect(some.length).toBeGreaterThan(0);
  const failures: string[] = [];
  for (const [index, one] of some.entries()) {
    await check(one, index).catch((error: unknown) => failures.push(`${one.label}: ${String(error)}`));
  }
  expect(failures.join('\n\n')).toBe('');
}

/** Runs the check for each input and reports the input that fails. */
export async function ofEach<T>(inputs: readonly T[], check: (input: T) => Promise<void>): Promise<void> {
  for (const input of inputs) {
    await check(input).catch((error: unknown) => {
      const shown = (typeof input === 'string' ? input : JSON.stringify(input)).slice(0, 60);
      throw new Error(`with ${shown}: ${String(error)}`);
    });
  }
}

/**
 * Some of the values, others for each index: code that all routes share is tested on every route with some values, and
 * on some routes with every value. All routes with all values would be a hundred thousand requests.
 */
export function dealt<T>(values: readonly T[], count: number, index: number): T[] {
  return Array.from({ length: Math.min(count, values.length) }, (_none, at) => {
    const place = (index * count + at) % values.length;
    return values[place]!;
  });
}

/**
 * For code that all routes share: every route in `npm run test:deep`, each n-th one in `npm test`.
 * Code of a single route is tested for every route in both.
 */
export function sampled<T>(routes: readonly T[], nth: number): readonly T[] {
  return DEEP ? routes : routes.filter((_route, at) => at % nth === 0);
}

/** 400 in Form B that names this field among others. */
export function expectRefused(answer: Answer, ...fields: string[]): void {
  if (fields.length > 0) return expectFormB(answer, 400, 'VALIDATION_ERROR', ...fields);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 400,
    body: {
      success: false,
      error: {
        code: 'VALIDATION_ERROR',
        message: expect.any(String) as unknown,
        details: expect.any(Array) as unknown,
      },
    },
  });
}
