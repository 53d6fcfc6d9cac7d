import { DEEP, rounds } from '@testing';
import { expectFormA } from '../harness';
import { type Answer } from './caller';
import {
  dealt,
  each,
  expectRefused,
  type IsolationEnvironment,
  ofEach,
  sampled,
  UNKNOWN_ID,
} from './isolation-environment';
import { type Route } from './routes';
import { type IsolationFixture } from './isolation-fixture';

const LIMITS = ['0', '101', '-1', '1e2', '0x10', '5.5', '', '%205', '05', '+5', '1e999', 'NaN', '%00', '25%00'];
const REPEATED = ['limit=5&limit=6', 'limit=5&limit=5'];
const CURSORS = ['x', '%00', 'AAAA.BBBB', 'a'.repeat(2001), '..%2F', '%5Bobject%20Object%5D'];
const UNKNOWN = ['surprise=1', 'workspaceId=x', 'limit[$gt]=1', '$where=1', '__proto__[x]=1', 'skip=5'];
/** Fields that only the server sets. */
const NOT_THE_CLIENTS = ['workspaceId', 'userId', 'credits', 'stats', 'status', '_id', 'createdAt', 'ownerId'];
const NO_OBJECTS = ['[]', '[{}]', 'null', '"text"', '5', 'true', '{"a":', '[[[['.repeat(2500)];
const EVERY_OBJECTS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'then'];
const THEIR_VALUES = ['{"x":1}', '"text"', '{"operator":true}', '{"prototype":{"x":1}}'];
const OTHER_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'];
/** Refused at any place, before other checks. */
const OPERATORS: readonly unknown[] = [{ $gt: '' }, { $ne: null }, [{ $where: '1' }], { toString: 1 }];
const OTHER_KINDS: readonly unknown[] = [[[]], { length: 5 }, -1.5];
const LEVELS = 10_000;
const TOO_MANY_BYTES = 2 * 1024 * 1024;

const nested = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;
const nestedObjects = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;

/** Refusals of invalid input, without side effects. */
export function describeInput(environment: () => IsolationEnvironment): void {
  describe('without a body', () => {
    describeNoBody(environment);
  });
  describe('with a query', () => {
    describeQuery(environment);
  });
  describe('with a body', () => {
    describeBody(environment);
  });
}

function describeNoBody(environment: () => IsolationEnvironment): void {
  const bodiless = () => environment().routes.filter(({ body, upload }) => body === undefined && upload === undefined);
  const nowhere = (route: Route) => Object.fromEntries(route.ids.map((name) => [name, UNKNOWN_ID]));

  it('refuses every field of a body, and names it', async () => {
    await each(sampled(bodiless(), 2), async (route) => {
      const answer = await environment().send(route, { body: '{"name":"x","force":true,"nested":{"a":1}}' });
      expectRefused(answer, 'name', 'force', 'nested');
    });
  });

  it('refuses a body that is not an object', async () => {
    await each(sampled(bodiless(), 4), (route, index) =>
      ofEach(dealt(NO_OBJECTS, 1, index), async (body) =>
        expectRefused(await environment().send(route, { body }), 'body'),
      ),
    );
  });

  it('accepts an object without fields, and an empty body', async () => {
    const harmless = bodiless().filter(({ method, ids }) => method === 'get' || ids.length > 0);
    await each(sampled(harmless, 5), async (route, index) => {
      const ids = nowhere(route);
      const without = await environment().send(route, { ids });
      for (const body of dealt(['{}', ''], 1, index)) {
        expect((await environment().send(route, { ids, body })).status).toBe(without.status);
      }
    });
  });
}

function describeQuery(environment: () => IsolationEnvironment): void {
  const lists = () => environment().guarded.filter(({ isList }) => isList);
  const byCursor = () => lists().filter(({ hasCursor }) => hasCursor);
  const ask = (route: Route, query: string): Promise<Answer> => environment().send(route, { query });

  it('refuses a limit that is not an integer from 1 to 100, or is repeated', async () => {
    const wrong = [...LIMITS.map((limit) => `limit=${limit}`), ...REPEATED];
    await each(lists(), (route, index) =>
      ofEach(dealt(wrong, rounds(4, 1), index), async (query) => expectRefused(await ask(route, query), 'limit')),
    );
  });

  it('accepts the limits 1 and 100', async () => {
    await each(lists(), async (route) => {
      // Pages have one record in the test of cursors.
      if (DEEP || !route.hasCursor) expect((await ask(route, 'limit=1')).status).toBe(200);
      expect((await ask(route, 'limit=100')).status).toBe(200);
    });
  });

  it('refuses a cursor of another workspace, of another list, a modified one, and a malformed one', async () => {
    const { mine, theirs } = environment();
    const own = new Map<Route, string>();
    for (const route of byCursor()) own.set(route, await createCursor(route, mine));
    await each(byCursor(), async (route, index) => {
      const cursor = own.get(route)!;
      expect((await ask(route, `limit=1&cursor=${cursor}`)).status).toBe(200);
      const flipped = [1, 20, 60, cursor.length - 20].map((at) => flip(cursor, at));
      const tampered = [...flipped, cursor.slice(1), `${cursor}A`, cursor.split('').toReversed().join(''), ...CURSORS];
      const others = [...own].filter(([of]) => of !== route).map(([, foreign]) => foreign);
      const theirCursor = DEEP || index % 2 === 0 ? [await createCursor(route, theirs)] : [];
      const other = DEEP || index % 2 === 1 ? dealt(others, rounds(3, 1), index) : [];
      const wrong = [...theirCursor, ...other, ...dealt(tampered, rounds(3, 1), index)];
      await ofEach(wrong, async (cursor) => expectRefused(await ask(route, `limit=1&cursor=${cursor}`), 'cursor'));
    });
  });

  it('refuses unknown parameters and operators', async () => {
    await each(lists(), (route, index) =>
      ofEach(dealt(UNKNOWN, rounds(3, 1), index), async (query) =>
        expectRefused(await ask(route, query), query.split('=')[0]!),
      ),
    );
  });

  async function createCursor(route: Route, of: IsolationFixture): Promise<string> {
    const { body } = await environment().ask(route, of, { key: environment().keyFor(route, of), query: 'limit=1' });
    const cursor = (body as { pagination?: { nextCursor: string | null } }).pagination?.nextCursor;
    if (!cursor) throw new Error(`${route.label} has one page only; the fixture should make a second record for it`);
    return encodeURIComponent(cursor);
  }
}

function describeBody(environment: () => IsolationEnvironment): void {
  const taking = () => environment().guarded.filter(({ body }) => body !== undefined);
  const send = (route: Route, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
    environment().send(route, { body, headers });

  it('refuses an unknown field, and names it', async () => {
    await each(taking(), async (route) => {
      expectRefused(await send(route, createText(route, '"surprise":1')), 'surprise');
      const groups = Object.entries(route.body!.plausible()).filter(
        ([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value),
      );
      for (const [name, value] of groups) {
        const text = JSON.stringify({ ...route.body!.plausible(), [name]: { ...(value as object), surprise: 1 } });
        expectRefused(await send(route, text), `${name}.surprise`);
      }
    });
  });

  it('refuses fields that only the server sets', async () => {
    const id = environment().mine.workspaceId;
    await each(taking(), (route, index) => {
      const names = NOT_THE_CLIENTS.filter((name) => !(name in route.body!.fields));
      return ofEach(dealt(names, rounds(3, 1), index), async (name) =>
        expectRefused(await send(route, createText(route, `"${name}":"${id}"`)), name),
      );
    });
  });

  it('refuses a body that is not an object', async () => {
    await each(sampled(taking(), 2), (route, index) =>
      ofEach(dealt(NO_OBJECTS, rounds(3, 1), index), async (text) => expectRefused(await send(route, text), 'body')),
    );
  });

  it('refuses 10 000 levels of nesting, in a known field and in an unknown one', async () => {
    await each(taking(), async (route, index) => {
      const names = [...dealt(Object.keys(route.body!.fields), 1, index), 'surprise'];
      const texts = names.flatMap((name) => [nested, nestedObjects].map((deep) => `{"${name}":${deep}}`));
      const all = [...texts, nestedObjects];
      await ofEach(dealt(all, rounds(all.length, 1), index), async (text) => expectRefused(await send(route, text)));
    });
  });

  it('refuses them with an Idempotency-Key too, which reads the body a second time', async () => {
    const posts = taking().filter(({ method }) => method === 'post');
    await each(sampled(posts, 4), (route, index) =>
      ofEach(dealt([nestedObjects, `{"name":${nested}}`, 'null'], rounds(2, 1), index), async (text) =>
        expectRefused(await send(route, text, { 'Idempotency-Key': `deep-${text.length}` })),
      ),
    );
  });

  it('refuses names that every object inherits', async () => {
    const members = EVERY_OBJECTS.flatMap((name) => THEIR_VALUES.map((value) => `"${name}":${value}`));
    await each(taking(), (route, index) =>
      ofEach(dealt(members, rounds(3, 1), index), async (member) =>
        expectRefused(await send(route, createText(route, member))),
      ),
    );
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('refuses operators and values of another type in each field, and names it', async () => {
    const refused = async (route: Route, wrong: Record<string, unknown>): Promise<string[]> => {
      const answer = await send(route, JSON.stringify({ ...route.body!.plausible(), ...wrong }));
      expectRefused(answer);
      const { details } = (answer.body as { error: { details: { field: string }[] } }).error;
      const fields = details.map(({ field }) => field.split('.')[0]!);
      for (const field of fields) expect([...Object.keys(wrong), 'body']).toContain(field);
      return fields;
    };
    await each(taking(), async (route, index) => {
      const perField = (values: readonly unknown[]) =>
        Object.keys(route.body!.fields).map((name, at) => ({ [name]: dealt(values, 1, index + at)[0] }));
      const kinds = perField(OTHER_KINDS);
      // All fields together, and separately those that are checked only when all others are valid.
      const named = DEEP ? [] : await refused(route, Object.assign({}, ...kinds));
      const alone = kinds.filter((one) => !named.includes(Object.keys(one)[0]!));
      const operators = perField(OPERATORS);
      await ofEach([...alone, ...dealt(operators, rounds(operators.length, 1), index)], async (one) => {
        await refused(route, one);
      });
    });
  });

  it('refuses 2 MB with 413', async () => {
    await each(sampled(taking(), 8), async (route) => {
      expectFormA(await send(route, createText(route, `"surprise":"${'x'.repeat(TOO_MANY_BYTES)}"`)), 413);
    });
  });

  it('refuses another content type with 415', async () => {
    await each(sampled(taking(), 4), (route, index) =>
      ofEach(dealt(OTHER_TYPES, 1, index), async (type) =>
        expectFormA(await send(route, 'name=x', { 'Content-Type': type }), 415),
      ),
    );
  });
}

/** The valid body as JSON text, with more members inserted as text. */
function createText({ body }: Route, ...further: string[]): string {
  const members = Object.entries(body!.plausible()).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${[...members, ...further].join(',')}}`;
}

/** Another character at this position. */
function flip(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}
