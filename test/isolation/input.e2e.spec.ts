import { expectFormA, expectFormB, type Platform, startPlatform } from '../harness';
import { Outside } from './outside';
import { describedRoutes, type Route } from './routes';
import { dump, leaked, makeWorld, request, type World } from './world';

const LIMITS = ['0', '101', '-1', '1e2', '0x10', '5.5', '', '%205', '05', '+5', '1e999', 'NaN', '%00', '25%00'];
const CURSORS = ['x', '%00', 'AAAA.BBBB', 'a'.repeat(2001), '..%2F', '%5Bobject%20Object%5D'];
/** What the server alone decides. */
const NOT_THE_CLIENTS = ['workspaceId', 'userId', 'credits', 'stats', 'status', '_id', 'createdAt', 'ownerId'];
const NO_OBJECTS = ['[]', '[{}]', 'null', '"text"', '5', 'true', '{"a":', '[[[['.repeat(2500)];
const NO_VALUES: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  [{ $where: '1' }],
  [[]],
  { toString: 1 },
  { length: 5 },
  -1.5,
];

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nestedObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

// Each test asks every route, so that its time grows with their number.

describe('every route that takes input', () => {
  let outside: Outside;
  let platform: Platform;
  let routes: Route[];
  let guarded: Route[];
  let world: World;
  let other: World;
  let operatorKey: string;
  let before: Record<string, unknown[]>;

  beforeAll(async () => {
    outside = await Outside.start();
    platform = await startPlatform({ env: outside.env });
    routes = await describedRoutes(platform.api, outside.bodies);
    guarded = routes.filter(({ permission }) => permission !== 'public');
    world = await makeWorld(platform);
    other = await makeWorld(platform);
    operatorKey = (await platform.seed.person({ operator: true })).key;
    before = await dump(platform);
  });
  afterAll(async () => {
    await platform.close();
    await outside.close();
  });

  const keyFor = (route: Route, { owner }: World) => (route.permission === 'operator' ? operatorKey : owner.key);
  const ask = (route: Route, query: string, who = world) =>
    request(platform, route, who, { key: keyFor(route, who), query });
  const send = (route: Route, text: string, headers: Record<string, string> = {}) =>
    request(platform, route, world, { key: keyFor(route, world), headers })
      .set('Content-Type', 'application/json')
      .send(text);
  const lists = () => guarded.filter(({ isList }) => isList);
  const byCursor = () => lists().filter(({ hasCursor }) => hasCursor);
  const taking = () => guarded.filter(({ body }) => body !== undefined);

  /** The plausible body as JSON text, with further members written by hand. */
  function textOf({ body }: Route, ...further: string[]): string {
    const members = Object.entries(body!.plausible()).map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    );
    return `{${[...members, ...further].join(',')}}`;
  }

  async function each(some: readonly Route[], check: (route: Route) => Promise<void>): Promise<void> {
    expect(some.length).toBeGreaterThan(0);
    const failures: string[] = [];
    for (const route of some) {
      await check(route).catch((error: unknown) => failures.push(`${route.label}: ${String(error)}`));
    }
    expect(failures.join('\n\n')).toBe('');
  }

  /** Runs the check for each input and says for which one it failed. */
  async function ofEach<T>(inputs: readonly T[], check: (input: T) => Promise<void>): Promise<void> {
    for (const input of inputs) {
      await check(input).catch((error: unknown) => {
        const shown = (typeof input === 'string' ? input : JSON.stringify(input)).slice(0, 60);
        throw new Error(`with ${shown}: ${String(error)}`);
      });
    }
  }

  describe('without a body of its own', () => {
    const bodiless = () => routes.filter(({ body, upload }) => body === undefined && upload === undefined);
    const nowhere = (route: Route) => Object.fromEntries(route.ids.map((name) => [name, '0123456789abcdef01234567']));

    it('refuses every field of one that is sent, and names it', async () => {
      await each(bodiless(), async (route) => {
        const response = await send(route, '{"name":"x","force":true,"nested":{"a":1}}');
        expectFormB(response, 400, 'VALIDATION_ERROR', 'name', 'force', 'nested');
      });
    });

    it('refuses one that is no object', async () => {
      await each(bodiless(), (route) =>
        ofEach(NO_OBJECTS, async (text) => expectFormB(await send(route, text), 400, 'VALIDATION_ERROR', 'body')),
      );
    });

    it('takes an object without fields, and an empty text, for none', async () => {
      const harmless = bodiless().filter(({ method, ids }) => method === 'get' || ids.length > 0);
      await each(harmless, async (route) => {
        const call = { key: keyFor(route, world), ids: nowhere(route) };
        const without = await request(platform, route, world, call);
        await ofEach(['{}', ''], async (text) => {
          const answer = request(platform, route, world, call).set('Content-Type', 'application/json').send(text);
          expect((await answer).status).toBe(without.status);
        });
      });
    });
  });

  describe('in its query', () => {
    it('refuses a limit that is not a plain number from 1 to 100, or is repeated', async () => {
      await each(lists(), (route) =>
        ofEach([...LIMITS.map((limit) => `limit=${limit}`), 'limit=5&limit=6', 'limit=5&limit=5'], async (query) =>
          expectFormB(await ask(route, query), 400, 'VALIDATION_ERROR', 'limit'),
        ),
      );
    });

    it('takes the limits 1 and 100, and its own cursor', async () => {
      await each(lists(), async (route) => {
        expect((await ask(route, 'limit=1')).status).toBe(200);
        expect((await ask(route, 'limit=100')).status).toBe(200);
      });
      await each(byCursor(), async (route) => {
        expect((await ask(route, `limit=1&cursor=${await cursorOf(route, world)}`)).status).toBe(200);
      });
    });

    it('refuses a cursor of another workspace, of another list, one that was tampered with, or none at all', async () => {
      const own = await Promise.all(byCursor().map(async (route) => [route, await cursorOf(route, world)] as const));
      await each(byCursor(), async (route) => {
        const cursor = own.find(([of]) => of === route)![1];
        const flipped = [1, 20, 60, cursor.length - 20].map((at) => flip(cursor, at));
        const tampered = [...flipped, cursor.slice(1), `${cursor}A`, cursor.split('').toReversed().join('')];
        const ofOthers = own.filter(([of]) => of !== route).map(([, foreign]) => foreign);
        const wrong = [await cursorOf(route, other), ...ofOthers, ...tampered, ...CURSORS];
        await ofEach(wrong, async (cursor) =>
          expectFormB(await ask(route, `limit=1&cursor=${cursor}`), 400, 'VALIDATION_ERROR', 'cursor'),
        );
      });
    });

    it('refuses parameters that it does not know, and operators', async () => {
      await each(lists(), (route) =>
        ofEach(['surprise=1', 'workspaceId=x', 'limit[$gt]=1', '$where=1', '__proto__[x]=1', 'skip=5'], async (query) =>
          expectFormB(await ask(route, query), 400, 'VALIDATION_ERROR', query.split('=')[0]!),
        ),
      );
    });

    async function cursorOf(route: Route, of: World): Promise<string> {
      const { body } = await ask(route, 'limit=1', of);
      const cursor = (body as { pagination?: { nextCursor: string | null } }).pagination?.nextCursor;
      if (!cursor) throw new Error(`${route.label} has one page only; makeWorld should make a second record for it`);
      return encodeURIComponent(cursor);
    }
  });

  describe('in its body', () => {
    it('refuses a field that it does not know, and names it', async () => {
      await each(taking(), async (route) => {
        expectFormB(await send(route, textOf(route, '"surprise":1')), 400, 'VALIDATION_ERROR', 'surprise');
        const groups = Object.entries(route.body!.plausible()).filter(
          ([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value),
        );
        for (const [name, value] of groups) {
          const text = JSON.stringify({ ...route.body!.plausible(), [name]: { ...(value as object), surprise: 1 } });
          expectFormB(await send(route, text), 400, 'VALIDATION_ERROR', `${name}.surprise`);
        }
      });
    });

    it('refuses what only the server decides', async () => {
      await each(taking(), (route) =>
        ofEach(
          NOT_THE_CLIENTS.filter((name) => !(name in route.body!.fields)),
          async (name) =>
            expectFormB(
              await send(route, textOf(route, `"${name}":"${world.workspaceId}"`)),
              400,
              'VALIDATION_ERROR',
              name,
            ),
        ),
      );
    });

    it('refuses a body that is no object', async () => {
      await each(taking(), (route) =>
        ofEach(NO_OBJECTS, async (text) => expectFormB(await send(route, text), 400, 'VALIDATION_ERROR', 'body')),
      );
    });

    it('refuses 10 000 levels of nesting, in a field that it knows and in one that it does not', async () => {
      await each(taking(), async (route) => {
        const known = Object.keys(route.body!.fields);
        const texts = [...known, 'surprise'].flatMap((name) =>
          [nested(10_000), nestedObjects(10_000)].map((deep) => `{"${name}":${deep}}`),
        );
        await ofEach([...texts, nestedObjects(10_000)], async (text) => expectRefused(await send(route, text)));
      });
    });

    it('refuses them with an Idempotency-Key too, for which the body is looked at once more', async () => {
      const posts = taking().filter(({ method }) => method === 'post');
      await each(posts, (route) =>
        ofEach([nestedObjects(10_000), `{"name":${nested(10_000)}}`, 'null'], async (text) =>
          expectRefused(await send(route, text, { 'Idempotency-Key': `deep-${text.length}` })),
        ),
      );
    });

    it('refuses the names that every object has already', async () => {
      await each(taking(), (route) =>
        ofEach(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'then'], async (name) => {
          await ofEach(['{"x":1}', '"text"', '{"operator":true}', '{"prototype":{"x":1}}'], async (value) => {
            expectRefused(await send(route, textOf(route, `"${name}":${value}`)));
          });
        }),
      );
      expect(({} as { x?: unknown }).x).toBeUndefined();
    });

    it('refuses operators and values of another kind in each field, and names it', async () => {
      await each(taking(), async (route) => {
        for (const name of Object.keys(route.body!.fields)) {
          await ofEach(NO_VALUES, async (value) => {
            const response = await send(route, JSON.stringify({ ...route.body!.plausible(), [name]: value }));
            expectRefused(response);
            const { details } = (response.body as { error: { details: { field: string }[] } }).error;
            for (const { field } of details) expect([name, 'body']).toContain(field.split('.')[0]);
          });
        }
      });
    });

    it('refuses 2 MB with 413', async () => {
      await each(taking(), async (route) => {
        expectFormA(await send(route, textOf(route, `"surprise":"${'x'.repeat(2 * 1024 * 1024)}"`)), 413);
      });
    });

    it('refuses another content type with 415', async () => {
      await each(taking(), (route) =>
        ofEach(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'], async (type) =>
          expectFormA(
            await request(platform, route, world, { key: keyFor(route, world) })
              .set('Content-Type', type)
              .send('name=x'),
            415,
          ),
        ),
      );
    });
  });

  it('changed nothing by all of that, and logged no key, no token and no failure', async () => {
    const after = await dump(platform);
    expect(after).toEqual(before);
    expect(leaked(platform.logged(), [...world.secrets, ...other.secrets])).toEqual([]);
    expect(platform.logged()).not.toContain('Request failed');
  });
});

/** Another character at this place. */
function flip(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}

/** 400 in Form B, whatever fields it names. */
function expectRefused(response: { status: number; body: unknown }): void {
  expect({ status: response.status, body: response.body }).toEqual({
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
