import { EventRelayService } from '@domain/events';
import { getConnectionToken } from '@nestjs/mongoose';
import { DEEP, eventually } from '@testing';
import { type Connection } from 'mongoose';
import { expectFormB, type Platform, startPlatform } from '../harness';
import { type Call, plausibleQuestion, question } from './asking';
import { type Answer, Caller, type Question } from './caller';
import { Outside } from './outside';
import { describedRoutes, type Route } from './routes';
import { dump, createIsolationFixture, type IsolationFixture } from './isolation-fixture';

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

/** One platform with two workspaces, and every route of it: all of this folder's questions are asked here. */
export class Ground {
  private constructor(
    readonly platform: Platform,
    readonly outside: Outside,
    readonly caller: Caller,
    readonly routes: readonly Route[],
    /** Whose data are at stake. */
    readonly theirs: IsolationFixture,
    /** Who tries. */
    readonly mine: IsolationFixture,
    private readonly operatorKey: string,
  ) {}

  static async start(): Promise<Ground> {
    const outside = await Outside.start();
    const platform = await startPlatform({ env: outside.env });
    const routes = await describedRoutes(platform.api, outside.bodies);
    const theirs = await createIsolationFixture(platform, outside);
    const mine = await createIsolationFixture(platform, outside);
    const { key } = await platform.seed.person({ operator: true });
    return new Ground(platform, outside, new Caller(platform), routes, theirs, mine, key);
  }

  get guarded(): Route[] {
    return this.routes.filter(({ permission }) => permission !== 'public');
  }

  /** Of somebody who may do everything that the route offers, in this fixture. */
  keyFor(route: Route, { owner }: IsolationFixture): string {
    return route.permission === 'operator' ? this.operatorKey : owner.key;
  }

  /** Asks with a body that validation lets through. */
  ask(route: Route, fixture: IsolationFixture, call: Call): Promise<Answer> {
    return this.caller.ask(plausibleQuestion(route, fixture, call, this.caller.origin));
  }

  /** Asks in `mine` with what is given and nothing else. */
  send(route: Route, call: Call): Promise<Answer> {
    return this.caller.ask(this.question(route, { key: this.keyFor(route, this.mine), ...call }));
  }

  question(route: Route, call: Call): Question {
    return question(route, this.mine, call);
  }

  dump(): Promise<Record<string, unknown[]>> {
    return dump(this.platform);
  }

  /** What happened is handed on: to webhooks, chat and CRMs. */
  async handedOn(): Promise<void> {
    const relay = this.platform.app.get(EventRelayService, { strict: false });
    const events = this.platform.app.get<Connection>(getConnectionToken()).collection('events');
    await eventually('everything is handed on', async () => {
      await relay.relay();
      return (await events.countDocuments({ relayAt: { $gt: new Date(0) } })) === 0;
    });
  }

  async close(): Promise<void> {
    this.caller.close();
    await this.platform.close();
    await this.outside.close();
  }
}

/** Asks for each and collects those that did not answer as they should: one failing test names all of them. */
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

/** Runs the check for each input and says for which one it failed. */
export async function ofEach<T>(inputs: readonly T[], check: (input: T) => Promise<void>): Promise<void> {
  for (const input of inputs) {
    await check(input).catch((error: unknown) => {
      const shown = (typeof input === 'string' ? input : JSON.stringify(input)).slice(0, 60);
      throw new Error(`with ${shown}: ${String(error)}`);
    });
  }
}

/**
 * Some of the values, others for each index: what all routes do in one place is asked of every route with some values, and of
 * some routes with every value. All routes with all values would be a hundred thousand questions.
 */
export function dealt<T>(values: readonly T[], count: number, index: number): T[] {
  return Array.from({ length: Math.min(count, values.length) }, (_none, at) => {
    const place = (index * count + at) % values.length;
    return values[place]!;
  });
}

/**
 * For what one piece of code does for all routes: every route in `npm run test:deep`, each n-th one in `npm test`.
 * What a route does by code of its own is asked of every route in both.
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
